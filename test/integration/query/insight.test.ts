// Tests our own JSON endpoints on a real server, with pushed profiles.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFilledServer } from '../../support/filled-server.ts';
import { getText } from '../../support/json-api.ts';
import { runParcatool } from '../../support/parcatool.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';

const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const noon = Date.parse('2026-01-01T12:00:00Z');
type Samples = readonly (readonly [stack: string, count: bigint])[];

const server = await startFilledServer(['--path-prefix=/behind'], async (push) => {
  const add = (minute: number, labels: object, samples: Samples): Promise<void> => {
    const timeNanos = BigInt(noon + minute * 60_000) * 1_000_000n;
    const profile = gzippedPprof(cpuProfile({ timeNanos, samples }));
    return push({ ...labels, __name__: 'process_cpu' }, profile);
  };
  const api = { job: 'api', version: '1' };
  await add(0, api, [
    ['main;serve;decode', 20n],
    ['main;gc', 10n],
  ]);
  await add(10, api, [
    ['main;serve;decode', 60n],
    ['main;gc', 11n],
  ]);
  await add(10, { job: 'web', version: '1' }, [['main;render', 5n]]);
});
after(() => server.stop());

async function ask(path: string, parameters: Record<string, string>) {
  const url = `${server.url}/behind/api/v1/${path}?${new URLSearchParams(parameters)}`;
  const response = await fetch(url);
  return JSON.parse(await response.text());
}

function minutes(from: number, to: number): { start: string; end: string } {
  const text = (minute: number): string => new Date(noon + minute * 60_000).toISOString();
  return { start: text(from), end: text(to) };
}

test('changes: the ten minutes before are the base', async () => {
  const query = 'process_cpu{job="api"}';
  const answer = await ask('changes', { query, ...minutes(5, 14) });
  // A sample is 10 ms. Samples rise from 20 to 60, and 1.96 * sqrt(82) = 17.75 samples of the rise
  // may be chance.
  const half = Math.round(1.96 * Math.sqrt(82) * 1e7);
  const decode = {
    base: '200000000',
    compared: '600000000',
    difference: '400000000',
    low: 400_000_000 - half,
    high: 400_000_000 + half,
    ratio: 3,
    baseSamples: 20,
    comparedSamples: 60,
  };
  const side = { profiles: 1, coveredNanos: '10000000000', snapshots: 0 };
  assert.deepEqual(answer, {
    profileType: cpuType,
    profileTypes: [cpuType],
    unit: 'nanoseconds',
    base: { total: '300000000', samples: '30', ...side },
    compared: { total: '710000000', samples: '71', ...side },
    difference: '410000000',
    functions: [{ name: 'decode', file: 'test.go', binary: '', flat: decode, cumulative: decode }],
    more: { functions: 0, flat: { base: '0', compared: '0', difference: '0' } },
    scale: { by: 'time', factor: 1 },
    noise: {
      functions: 3,
      unchanged: 2,
      flat: { base: '100000000', compared: '110000000', difference: '10000000' },
    },
    // 1.96 * 71 / 30 * sqrt(1 / 71 + 1 / 30) = 1.01.
    sentence: [
      { kind: 'compared', text: '' },
      { kind: 'text', text: ' uses 41\u202fmcores more (+137\u202f% ± 101)' },
      { kind: 'text', text: ', most of it ' },
      { kind: 'function', text: 'decode' },
      { kind: 'text', text: ' (test.go), called from ' },
      { kind: 'function', text: 'serve' },
    ],
    cause: {
      name: 'decode',
      file: 'test.go',
      line: 0,
      caller: 'serve',
      isCall: false,
      package: '',
      base: '200000000',
      compared: '600000000',
      difference: 400_000_000,
      low: 400_000_000 - half,
      high: 400_000_000 + half,
      collected: 0,
    },
    warnings: [],
  });
});

test('changes: what is not named adds up', async () => {
  const parameters = { query: 'process_cpu{job="api"}', ...minutes(5, 14), sort: 'cumulative' };
  const { functions } = await ask('changes', parameters);
  const names = functions.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ['main', 'decode', 'serve']);
  const { functions: first, more } = await ask('changes', { ...parameters, limit: '1' });
  assert.equal(first[0].name, 'main');
  assert.deepEqual(more, {
    functions: 2,
    flat: { base: '200000000', compared: '600000000', difference: '400000000' },
  });
});

test('functions: values of each bucket that has profiles', async () => {
  const asked = { query: 'process_cpu{job="api"}', ...minutes(0, 14), step: '5m' };
  const answer = await ask('functions', { ...asked, function: 'decode' });
  assert.deepEqual(answer, {
    profileType: cpuType,
    profileTypes: [cpuType],
    unit: 'nanoseconds',
    total: '1010000000',
    profiles: 2,
    buckets: {
      time: ['2026-01-01T12:00:00Z', '2026-01-01T12:10:00Z'],
      total: ['300000000', '710000000'],
      profiles: [1, 1],
      coveredNanos: ['10000000000', '10000000000'],
      snapshots: [0, 0],
    },
    functions: [
      {
        name: 'decode',
        flat: { total: '800000000', values: ['200000000', '600000000'] },
        cumulative: { total: '800000000', values: ['200000000', '600000000'] },
      },
    ],
    settled: answer.settled,
    warnings: [],
  });
  assert.match(answer.settled, /^\d+-\d+-[\da-f]{16}$/);
  const top = await ask('functions', { ...asked, top: '2', sort: 'cumulative' });
  const names = top.functions.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ['main', 'decode']);
});

test('labels: what has them', async () => {
  const query = cpuType;
  assert.deepEqual(await ask('labels', { query, ...minutes(0, 14) }), {
    labels: [
      { name: 'job', isOfSamples: false, values: 2, series: 2, profiles: 3 },
      { name: 'version', isOfSamples: false, values: 1, series: 2, profiles: 3 },
    ],
    total: { series: 2, profiles: 3 },
    warnings: [],
  });
  assert.deepEqual(await ask('labels/job/values', { query, ...minutes(0, 14), limit: '1' }), {
    isOfSamples: false,
    values: [{ value: 'api', series: 1, profiles: 2 }],
    more: 1,
    absent: { series: 0, profiles: 0 },
    warnings: [],
  });
});

test('nearest: when and for whom there are profiles', async () => {
  const query = `${cpuType}{job="wep"}`;
  assert.deepEqual(await ask('nearest', { query, ...minutes(2, 3) }), {
    hasData: false,
    earlier: null,
    later: null,
    conditions: [
      {
        label: 'job',
        operator: '=',
        value: 'wep',
        hasName: true,
        hasMatch: false,
        alternatives: ['web', 'api'],
        meant: 'web',
      },
    ],
  });
  const { hasData, earlier, later } = await ask('nearest', { query: cpuType, ...minutes(2, 3) });
  assert.equal(hasData, false);
  assert.equal(earlier, '2026-01-01T12:00:00Z');
  assert.equal(later, '2026-01-01T12:10:00Z');
});

test('what is wrong is an error as everywhere', async () => {
  assert.deepEqual(await ask('changes', {}), {
    code: 3,
    message: 'query: cannot be blank.',
    details: [],
  });
});

test('changes by load: only the function that grew is listed, by parcatool, too', async () => {
  const names = ['parse', 'match', 'rank', 'send', 'log', 'hash'];
  const pushed = await startFilledServer([], async (push) => {
    const profile = (minute: number, samples: (readonly [string, bigint])[]) => {
      const timeNanos = BigInt(noon + minute * 60_000) * 1_000_000n;
      return push(
        { __name__: 'process_cpu', job: 'shop' },
        gzippedPprof(cpuProfile({ timeNanos, samples })),
      );
    };
    // Pushes three times the load, and a new function that takes half of the time.
    await profile(
      1,
      names.map((name, i) => [`main;${name}`, 100n + 10n * BigInt(i)]),
    );
    await profile(11, [
      ...names.map((name, i) => [`main;${name}`, 300n + 30n * BigInt(i)] as const),
      ['main;table', 2_000n],
    ]);
  });
  try {
    const asked = { query: 'process_cpu{job="shop"}', ...minutes(10, 19) };
    const changes = async (normalize: string) => {
      const text = await getText(pushed.url, '/v1/changes', { ...asked, normalize });
      const { functions, scale, noise } = JSON.parse(text);
      const changed = functions.map(({ name }: { name: string }) => name);
      return { changed, scale, noise };
    };
    const load = { factor: 3, relativeError: 0, functions: 6 };
    const byLoad = await changes('load');
    assert.deepEqual(byLoad.changed, ['table']);
    assert.deepEqual(byLoad.scale, { by: 'load', factor: 3, load });
    assert.equal((await changes('total')).changed.length, 7, 'shares of all others fell');
    assert.equal((await changes('time')).changed.length, 7, 'all of them have more to do');
    const run = await runParcatool(
      'diff',
      asked.query,
      '--server',
      pushed.url,
      '--normalize',
      'load',
      '--from',
      asked.start,
      '--to',
      asked.end,
    );
    assert.equal(run.code, 0, run.err);
    assert.match(
      run.out,
      /scaled to the load of the other side, the median of 6 functions, by 3\.000/,
    );
    assert.match(run.out, /\btable\n/);
    assert.doesNotMatch(run.out, /\bparse\b/);
  } finally {
    await pushed.stop();
  }
});
