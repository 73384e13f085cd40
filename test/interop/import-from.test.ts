// Tests `parcatool import-from`: a server gets the profiles of another server, series by series,
// with exact values.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Profile, ValueType } from 'pprof-format';
import { History, labelsKey } from '../../cmd/parcatool/import-from/history.ts';
import { PprofWriter } from '../../src/formats/pprof/writer.ts';
import { type FilledServer, startFilledServer } from '../support/filled-server.ts';
import { runParcatool } from '../support/parcatool.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';

const second = 1_000_000_000n;
/** Start of the profiles, near the end of an hour, so that the range contains two hours. */
const start = (BigInt(Date.now()) / 3_600_000n - 2n) * 3_600n * second + 3_580n * second + 123n;
const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const countType = 'process_cpu:samples:count:cpu:nanoseconds:delta';
const heapType = 'memory:inuse_space:bytes:space:bytes';
const agentType = 'parca_agent:samples:count:cpu:nanoseconds:delta';
const period = 52_631_578n;

let source: FilledServer;
let target: FilledServer;

before(async () => {
  source = await startFilledServer([], async (push) => {
    for (let step = 0n; step < 6n; step += 1n) {
      const timeNanos = start + step * 10n * second;
      const zone = { job: 'web', zone: 'eu' };
      const samples = [
        ['main;serve;decode', 3n + step],
        ['main;serve', 1n],
      ] as const;
      const cpu = { __name__: 'process_cpu', job: 'web' };
      await push(cpu, gzippedPprof(cpuProfile({ timeNanos, samples })));
      // Pushes a profile that differs in one label, and one at another time in the same
      // millisecond.
      const again = cpuProfile({ timeNanos: timeNanos + 1n, samples: [['main;idle', 7n]] });
      await push({ ...cpu, zone: 'eu' }, gzippedPprof(again));
      const heap = {
        sampleTypes: [['inuse_space', 'bytes']] as const,
        periodType: ['space', 'bytes'] as const,
        period: 524_288n,
        timeNanos,
        durationNanos: 0n,
        samples: [['main;load', 9_007_199_254_740_993n + step]] as const,
      };
      await push({ __name__: 'memory', ...zone }, gzippedPprof(heap));
    }
    // Each sample is one profile, as in Parca's store of its agents' samples.
    for (let i = 0n; i < 40n; i += 1n) {
      const writer = new PprofWriter();
      const location = writer.frame({ name: `f${i % 3n}` });
      writer.sample([location], [1n], [['thread_id', String(i % 2n)]]);
      const sampleTypes = [{ type: 'samples', unit: 'count' }];
      const bytes = writer.finish({
        sampleTypes,
        periodType: { type: 'cpu', unit: 'nanoseconds' },
        period,
        timeNanos: start + i * (second / 4n),
        durationNanos: 5n * second,
      });
      await push({ __name__: 'parca_agent', node: 'n1' }, gzipSync(bytes));
    }
  });
  target = await startFilledServer([], async () => undefined);
});

after(async () => {
  await target.stop();
  await source.stop();
});

/** Returns the sum of each series of a type, and the number of its profiles. */
async function readSums(url: string, type: string): Promise<Record<string, string>> {
  const range = { start: start - 3_600n * second, end: start + 3_600n * second };
  const history = new History({ url: new URL(url), timeoutMillis: 60_000 });
  const names = await history.labelNames(type, range);
  const sums = [...(await history.series(type, range, names)).values()].map(
    ({ labels, profiles }) => {
      const sum = [...profiles.values()].reduce((all, { value }) => all + value, 0n);
      return [labelsKey(labels), `${profiles.size} profiles, sum ${sum}`] as const;
    },
  );
  return Object.fromEntries(sums.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the functions of a type with their values, as parcatool prints them. */
async function printFunctions(url: string, type: string): Promise<string> {
  const range = [
    `--from=${Number(start / second) - 3_600}`,
    `--to=${Number(start / second) + 3_600}`,
  ];
  const answer = await runParcatool(
    'query',
    type,
    `--server=${url}`,
    ...range,
    '--format=collapsed',
  );
  assert.equal(answer.code, 0, answer.err);
  return answer.out.split('\n').sort().join('\n');
}

/** Starts a server that responds like Parca: it multiplies sums of samples by the period. */
async function startScaling(url: string): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '', url);
    const answer = async (): Promise<void> => {
      const found = await fetch(asked);
      const text = await found.text();
      const type = asked.searchParams.get('merge.query') ?? '';
      const isScaled = asked.searchParams.has('merge.start') && type.includes(':samples:count:');
      response.writeHead(found.status, { 'content-type': 'application/json' });
      response.end(isScaled ? scaled(text) : text);
    };
    answer().catch((error: unknown) => response.destroy(new Error(String(error))));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

function scaled(text: string): string {
  const answer: { pprof: string } = JSON.parse(text);
  const profile = Profile.decode(gunzipSync(Buffer.from(answer.pprof, 'base64')));
  const factor = BigInt(profile.period);
  for (const sample of profile.sample) {
    sample.value = sample.value.map((value) => BigInt(value) * factor);
  }
  const table = profile.stringTable;
  const type = { type: table.dedup('cpu'), unit: table.dedup('nanoseconds') };
  profile.sampleType = [new ValueType(type)];
  profile.period = 0;
  return JSON.stringify({ ...answer, pprof: gzipSync(profile.encode()).toString('base64') });
}

test('everything is copied, whatever was copied before, and no more', async () => {
  const importFrom = (...flags: string[]): ReturnType<typeof runParcatool> =>
    runParcatool('import-from', source.url, `--server=${target.url}`, '--from=now-7d', ...flags);
  const planned = await importFrom('--dry-run');
  assert.equal(planned.code, 0, planned.err);
  assert.match(
    planned.out,
    new RegExp(`^${cpuType}: would copy 12 profiles of 2 series, sum \\d+$`, 'm'),
  );
  assert.deepEqual(await readSums(target.url, cpuType), {});

  // Stands for a run that was interrupted.
  const part = await importFrom(`--to=${Number(start / second) + 25}`, `--type=${cpuType}`);
  assert.match(part.out, /: copied 6 profiles of 2 series, sum \d+\n$/);
  const whole = await importFrom();
  assert.equal(whole.code, 0, whole.out + whole.err);
  assert.match(
    whole.out,
    new RegExp(`^${cpuType}: copied 6 profiles of 2 series, 6 profiles were there`, 'm'),
  );
  for (const type of [cpuType, countType, heapType]) {
    assert.deepEqual(await readSums(target.url, type), await readSums(source.url, type), type);
    assert.equal(
      await printFunctions(target.url, type),
      await printFunctions(source.url, type),
      type,
    );
  }
  const again = await importFrom();
  assert.equal(again.code, 0);
  assert.doesNotMatch(again.out, /: copied [1-9]/);
});

test('samples that are profiles become profiles of a few seconds, with their threads', async () => {
  const found = await readSums(target.url, agentType);
  const expected = {
    '[["node","n1"]]': `${found['[["node","n1"]]'].split(' ')[0]} profiles, sum ${40n * period}`,
  };
  assert.deepEqual(found, expected);
  assert.match(found['[["node","n1"]]'], /^[23] profiles/);
  const byThread = async (url: string): Promise<string> =>
    printFunctions(url, `${agentType}{thread_id="1"}`);
  assert.equal(await byThread(target.url), await byThread(source.url));
});

test('from a server that multiplies samples by their period, as Parca does', async () => {
  const scaling = await startScaling(source.url);
  const fresh = await startFilledServer([], async () => undefined);
  try {
    const flags = [`--server=${fresh.url}`, '--from=now-7d'];
    const { code, out, err } = await runParcatool('import-from', scaling.url, ...flags);
    assert.equal(code, 0, out + err);
    assert.deepEqual(await readSums(fresh.url, countType), await readSums(source.url, countType));
    for (const type of [countType, agentType]) {
      assert.equal(await printFunctions(fresh.url, type), await printFunctions(source.url, type));
    }
  } finally {
    await fresh.stop();
    scaling.close();
  }
});

test('what differs at one time is named, and the code says so', async () => {
  const other = await startFilledServer([], async (push) => {
    const samples = [['main;other', 5n]] as const;
    const profile = cpuProfile({ timeNanos: start, samples });
    await push({ __name__: 'process_cpu', job: 'web' }, gzippedPprof(profile));
  });
  try {
    const flags = [`--server=${target.url}`, '--from=now-7d', `--type=${cpuType}`];
    const { code, out } = await runParcatool('import-from', other.url, ...flags);
    assert.equal(code, 1);
    assert.match(out, /\{job="web"\} of \S+Z has the sum 40000000, not 50000000\n/);
    const missing = await runParcatool('import-from', other.url, ...flags, '--to=now-6d');
    assert.deepEqual(
      [missing.code, missing.err],
      [3, 'parcatool: nothing to import in this range\n'],
    );
  } finally {
    await other.stop();
  }
});
