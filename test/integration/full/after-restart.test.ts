// Tests that large reports of one block are answered again and again after a restart.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect, unary, writeRawPath, writeRawRequest } from '../../support/grpc-client.ts';
import { getText } from '../../support/json-api.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from '../../support/server.ts';

const scratch = await scratchDirectory();
after(() => scratch.remove());
const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const start = BigInt(Date.now() - 600_000) * 1_000_000n;
/** Number of stacks in each profile; a thread makes reports of this size. */
const stackCount = 2_500;

/** Jobs whose symbols are in separate blocks, with less and more than 32 KiB of names. */
const jobs = [
  { job: 'short', nameOf: (i: number) => `f${i % 90}` },
  { job: 'long', nameOf: (i: number) => `example.com/service/package.Function${i}` },
];

async function push(server: TestServer, { job, nameOf }: (typeof jobs)[number]): Promise<void> {
  const samples = Array.from({ length: stackCount }, (_, i): [string, bigint] => {
    return [`main;a${Math.floor(i / 90)};${nameOf(i)}`, 1n];
  });
  const profile = gzippedPprof(cpuProfile({ timeNanos: start, samples }));
  const client = connect(server.address);
  await unary(client, writeRawPath, writeRawRequest({ __name__: 'process_cpu', job }, profile));
  client.close();
}

test('large reports of one block are answered again and again after a restart', async () => {
  const storagePath = join(scratch.path, 'data');
  for (const job of jobs) {
    const server = await startServer({ storagePath });
    await push(server, job);
    assert.equal(await server.stop(), 0);
  }
  const server = await startServer({ storagePath });
  after(() => server.stop());
  const range = {
    start: new Date(Number(start / 1_000_000n) - 60_000).toISOString(),
    end: new Date().toISOString(),
  };
  const total = String(BigInt(stackCount) * 10_000_000n);
  const ask = async (query: string, report: string): Promise<string> => {
    const mode = { mode: 'MODE_MERGE', reportType: `REPORT_TYPE_${report}` };
    const path = '/profiles/query';
    const merge = { 'merge.query': query, 'merge.start': range.start, 'merge.end': range.end };
    return getText(server.url, path, { ...mode, ...merge });
  };
  for (const round of [1, 2]) {
    for (const { job } of jobs) {
      for (const report of ['FLAMEGRAPH_ARROW', 'TOP', 'PPROF']) {
        const answer = JSON.parse(await ask(`${cpu}{job="${job}"}`, report)) as { total: string };
        assert.equal(answer.total, total, `${job} ${report}, round ${round}`);
      }
    }
    const both = JSON.parse(await ask(cpu, 'FLAMEGRAPH_ARROW')) as { total: string };
    assert.equal(both.total, String(2n * BigInt(total)));
    const functions = await getText(server.url, '/v1/functions', { query: cpu, ...range });
    assert.match(functions, /"name":"f0"/);
    const stages = { query: `${cpu} | focus "main"`, ...range, step: '600s' };
    assert.match(await getText(server.url, '/profiles/query_range', stages), /"value"/);
    const ready = await fetch(`${server.url}/-/ready`);
    assert.equal(ready.status, 200);
  }
  assert.equal(await server.stop(), 0);
});
