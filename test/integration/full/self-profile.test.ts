// Tests profiles that a server takes of itself while its threads work.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect, unary, writeRawPath, writeRawRequest } from '../../support/grpc-client.ts';
import { getText } from '../../support/json-api.ts';
import { startFilledServer } from '../../support/filled-server.ts';
import { runParcatool } from '../../support/parcatool.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';

const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const startMillis = Date.parse('2026-01-01T00:30:00Z');
const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z' };
/** Number of stacks of a report; the main thread only makes reports with far fewer. */
const stackCount = 40_000;

function encodeProfile(job: number): Uint8Array {
  const samples = Array.from({ length: stackCount }, (_, i): [string, bigint] => {
    return [`main;job${job};handler${i % 97};step${i % 1_009};leaf${i}`, 1n];
  });
  return gzippedPprof(cpuProfile({ timeNanos: BigInt(startMillis) * 1_000_000n, samples }));
}

const flags = ['--ingest-workers=1', '--query-cache-size=0'];
const server = await startFilledServer(flags, (push) =>
  push({ __name__: 'process_cpu', job: '0' }, encodeProfile(0)),
);
after(() => server.stop());

/** Takes a profile while reports and writes keep both threads busy; returns its stacks. */
async function profiledStacks(): Promise<string[]> {
  let isTaken = false;
  const taking = fetch(`${server.url}/debug/pprof/profile?seconds=3`).then(async (answer) => {
    isTaken = true;
    assert.equal(answer.status, 200);
    return Buffer.from(await answer.arrayBuffer());
  });
  const client = connect(server.address);
  const pushed = encodeProfile(1);
  while (!isTaken) {
    await getText(server.url, '/profiles/query', {
      mode: 'MODE_MERGE',
      reportType: 'REPORT_TYPE_FLAMEGRAPH_ARROW',
      'merge.query': `${cpu}{job="0"}`,
      'merge.start': range.from,
      'merge.end': range.to,
    });
    const labels = { __name__: 'process_cpu', job: '1' };
    await unary(client, writeRawPath, writeRawRequest(labels, pushed));
  }
  client.close();
  const file = join(server.scratchPath, 'self.pb.gz');
  await writeFile(file, await taking);
  const { out, err } = await runParcatool('query', file, '-o', 'collapsed');
  assert.equal(err, '');
  return out.split('\n');
}

test('a profile that is taken while large reports are made names functions of the threads', async () => {
  let stacks = await profiledStacks();
  // A thread that is too busy to send its samples in time is shown only by its CPU time.
  const isWithoutStacks = (): boolean =>
    stacks.some((stack) => /^thread \w+;Node\.js \d+$/.test(stack));
  for (let left = 3; left > 0 && isWithoutStacks(); left -= 1) stacks = await profiledStacks();
  const has = (what: RegExp): void =>
    assert.ok(
      stacks.some((stack) => what.test(stack)),
      stacks.join('\n'),
    );
  has(/^thread reports;(.*;)?(buildReport|buildFlameGraph|keepRows);(.*;)?\w+ \d+$/);
  // V8 shows only some of the callers that it has inlined, so the list has only functions with long
  // loops.
  has(/^thread ingest;(.*;)?(decodeSample|decodeLocations|decodeFunctions|#internSamples)[; ]/);
  // The main thread's stacks have no root of their own. It is chance which of these functions is
  // sampled.
  has(/^(?!thread )(.*;)?(writeBatch|mergeParts|answerAsJson|sendWork|planReport);/);
});
