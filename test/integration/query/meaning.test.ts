// Tests what short profile types and sums mean to users of HTTP and parcatool.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startFilledServer } from '../../support/filled-server.ts';
import { getText } from '../../support/json-api.ts';
import { runParcatool } from '../../support/parcatool.ts';
import {
  cpuProfile,
  gzippedPprof,
  type TestProfile,
} from '../../support/profiles/pprof-builder.ts';

const from = Date.parse('2026-01-01T00:00:00Z');
const range = ['--from=2026-01-01T00:00:00Z', '--to=2026-01-01T00:10:00Z'];
const second = 1_000_000_000n;
const mebibyte = 2n ** 20n;

function timeAt(minutes: number): bigint {
  return BigInt(from + minutes * 60_000) * 1_000_000n;
}

/** Makes a CPU profile like pypprof: `CPU` in capitals, and samples of a hundredth of a second. */
function pythonProfile(timeNanos: bigint): TestProfile {
  return {
    sampleTypes: [
      ['sample', 'count'],
      ['CPU', 'nanoseconds'],
    ],
    periodType: ['CPU', 'nanoseconds'],
    period: 10_000_000n,
    timeNanos,
    durationNanos: 10n * second,
    samples: [['main;load', 30n, 300_000_000n]],
  };
}

/** Makes a CPU profile like @datadog/pprof. */
function nodeProfile(timeNanos: bigint): TestProfile {
  return {
    sampleTypes: [
      ['sample', 'count'],
      ['wall', 'nanoseconds'],
      ['cpu', 'nanoseconds'],
    ],
    periodType: ['wall', 'nanoseconds'],
    period: 1_000_000n,
    timeNanos,
    durationNanos: 10n * second,
    samples: [['main;handle', 90n, 9n * second, 400_000_000n]],
  };
}

/** Makes a CPU profile that only counts samples, like gperftools without a period. */
function countProfile(timeNanos: bigint): TestProfile {
  return {
    sampleTypes: [['samples', 'count']],
    periodType: ['', ''],
    period: 0n,
    timeNanos,
    durationNanos: 10n * second,
    samples: [['main;bill', 7n]],
  };
}

/** Makes a Go heap profile, with current values and with counts since the start. */
function heapProfile(minutes: number): TestProfile {
  const used = BigInt(40 + minutes * 10) * mebibyte;
  const allocated = BigInt(100 + minutes * 60) * mebibyte;
  return {
    sampleTypes: [
      ['alloc_space', 'bytes'],
      ['inuse_space', 'bytes'],
    ],
    periodType: ['space', 'bytes'],
    period: 524_288n,
    timeNanos: timeAt(minutes),
    durationNanos: 0n,
    samples: [['main;keep', allocated, used]],
  };
}

const server = await startFilledServer([], async (push) => {
  const samples = [['main;serve', 50n]] as const;
  const go = cpuProfile({ timeNanos: timeAt(1), samples });
  await push({ __name__: 'process_cpu', job: 'shop' }, gzippedPprof(go));
  const python = gzippedPprof(pythonProfile(timeAt(1)));
  await push({ __name__: 'process_cpu', job: 'etl' }, python);
  await push({ __name__: 'process_cpu', job: 'feed' }, gzippedPprof(nodeProfile(timeAt(1))));
  const counts = gzippedPprof(countProfile(timeAt(1)));
  await push({ __name__: 'process_cpu', service_name: 'billing', job: 'night-batch' }, counts);
  for (const minutes of [0, 1, 2, 3, 4, 5, 6, 7]) {
    const heap = gzippedPprof(heapProfile(minutes));
    await push({ __name__: 'memory', job: 'shop' }, heap);
  }
});
after(() => server.stop());

const tool = (...args: string[]): ReturnType<typeof runParcatool> =>
  runParcatool(...args, `--server=${server.address}`);

test('process_cpu is the CPU time of programs in Go, Python and Node, together and apart', async () => {
  const heads: string[] = [];
  for (const query of ['process_cpu', 'process_cpu{job="etl"}', 'process_cpu:cpu{job="feed"}']) {
    const { out, err } = await tool('top', query, ...range);
    assert.equal(err, '');
    heads.push(out.split('\n').slice(1, 3).join(' '));
  }
  const when = '2026-01-01T00:00:00Z to 2026-01-01T00:10:00Z (10m)';
  assert.deepEqual(heads, [
    `${when}, total 1.20s 3 profiles covering 10.0s, 120ms a second`,
    `${when}, total 300ms 1 profile covering 10.0s, 30.0ms a second`,
    `${when}, total 400ms 1 profile covering 10.0s, 40.0ms a second`,
  ]);
});

test('answers over HTTP say which types they took', async () => {
  const ask = async (query: string): Promise<{ profileTypes: string[]; total: string }> =>
    JSON.parse(
      await getText(`http://${server.address}`, '/profiles/query', {
        mode: 'MODE_MERGE',
        reportType: 'REPORT_TYPE_TOP',
        'merge.query': query,
        'merge.start': '2026-01-01T00:00:00Z',
        'merge.end': '2026-01-01T00:10:00Z',
      }),
    );
  const short = await ask('process_cpu{job="etl"}');
  const full = 'process_cpu:CPU:nanoseconds:CPU:nanoseconds:delta';
  assert.deepEqual(short.profileTypes, [full]);
  assert.deepEqual(await ask(`${full}{job="etl"}`), short);
  const { profileTypes } = await ask('process_cpu');
  assert.equal(profileTypes[0], 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta');
  assert.equal(profileTypes.length, 3);
});

test('a mistyped value is reported, whatever types there are', async () => {
  for (const name of [
    'process_cpu',
    'memory',
    'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta',
  ]) {
    const { code, err } = await tool('top', `${name}{job="shp"}`, ...range);
    assert.equal(code, 3);
    assert.match(err, /: no profile has job="shp", the nearest are "shop"/);
  }
});

test('memory in use is averaged by top, diff and export, with no word of sums', async () => {
  const query = 'memory{job="shop"}';
  const { out, err } = await tool('top', query, ...range);
  assert.equal(err, '');
  assert.deepEqual(out.split('\n').slice(1, 6), [
    '2026-01-01T00:00:00Z to 2026-01-01T00:10:00Z (10m), average 75.0MiB',
    '8 profiles, values are averages over their time',
    '',
    '   flat   flat%  cumulative    cum%  function',
    '75.0MiB  100.0%     75.0MiB  100.0%  keep',
  ]);
  const base = ['--base-from=2026-01-01T00:00:00Z', '--base-to=2026-01-01T00:00:30Z'];
  const later = ['--from=2026-01-01T00:04:00Z', '--to=2026-01-01T00:07:30Z'];
  const changed = await tool('diff', query, ...later, ...base);
  assert.equal(changed.err, '');
  assert.deepEqual(
    changed.out
      .split('\n')
      .slice(0, 3)
      .map((line) => line.replace(/, 2026.*Z:/, ':')),
    [
      'base      memory{job="shop"}: 40.0MiB, the average of 1 profile',
      'compared  memory{job="shop"}: 95.0MiB, the average of 4 profiles',
      'change    +55.0MiB, 2.38x',
    ],
  );
  const json = JSON.parse((await tool('diff', query, ...later, ...base, '-o=json')).out);
  const mebibytes = (value: string): number => Number(BigInt(value) / mebibyte);
  const [{ flat }] = json.functions;
  assert.deepEqual(
    [json.base.total, json.compared.total, json.difference, flat.base, flat.compared].map(
      mebibytes,
    ),
    [40, 95, 55, 40, 95],
  );
  const file = join(server.scratchPath, 'heap.txt');
  const saved = await tool('export', query, '-o=collapsed', `--output=${file}`, ...range);
  assert.deepEqual([saved.err, saved.code], ['', 0]);
  assert.equal(await readFile(file, 'utf8'), `main;keep ${75n * mebibyte}\n`);
});

test('a word in by that no profile has is named, with the nearest', async () => {
  const { out, err } = await tool('top', 'process_cpu{job="etl"} | by (jop)', ...range);
  assert.match(out, /total 300ms/);
  assert.equal(
    err,
    'parcatool: by (jop) groups nothing: no profile of the query has this label, the nearest are ' +
      '"job", "file", "binary"\n',
  );
  const known = await tool('top', 'process_cpu{job="etl"} | by (job, file)', ...range);
  assert.equal(known.err, '');
});

test('the API warns of sums that are no amounts; parcatool says what gives one', async () => {
  const readWarnings = async (query: string): Promise<string[]> => {
    const answer = await getText(`http://${server.address}`, '/v1/changes', {
      query,
      start: '2026-01-01T00:04:00Z',
      end: '2026-01-01T00:07:30Z',
    });
    return JSON.parse(answer).warnings;
  };
  assert.deepEqual(await readWarnings('process_cpu'), []);
  assert.match((await readWarnings('memory')).join(), /^memory:inuse_space is what there was at a/);
  assert.deepEqual(await readWarnings('alloc_space | increase'), []);
  const grouped = await getText(`http://${server.address}`, '/profiles/query', {
    mode: 'MODE_MERGE',
    reportType: 'REPORT_TYPE_FLAMEGRAPH_ARROW',
    'merge.query': 'process_cpu | by (jop)',
    'merge.start': '2026-01-01T00:00:00Z',
    'merge.end': '2026-01-01T00:10:00Z',
  });
  assert.match(
    (JSON.parse(grouped) as { warnings: string[] }).warnings.join(),
    /^by \(jop\) groups nothing: no profile of the query has this label, the nearest are "job"/,
  );
  const counts = await tool('top', 'alloc_space{job="shop"}', ...range);
  assert.equal(
    counts.err,
    'parcatool: memory:alloc_space counts since each program started, and values are averages of ' +
      '8 profiles of 1 series: for an amount, add | increase\n',
  );
  const exported = await tool('export', 'alloc_space{job="shop"}', '-o=collapsed', ...range);
  assert.equal(exported.err, counts.err);
  assert.equal(exported.out, `main;keep ${310n * mebibyte}\n`);
  const gained = await tool('top', 'alloc_space{job="shop"} | increase', ...range);
  assert.equal(gained.err, '');
  assert.match(gained.out, /total 420MiB\n7 profiles covering 7.00min/);
});

test('graphs over time warn of totals that are no amounts, and of groups that are none', async () => {
  const readWarnings = async (query: string): Promise<string[] | undefined> => {
    const answer = await getText(`http://${server.address}`, '/profiles/query_range', {
      query,
      start: '2026-01-01T00:00:00Z',
      end: '2026-01-01T00:10:00Z',
      step: '60s',
    });
    return (JSON.parse(answer) as { warnings?: string[] }).warnings;
  };
  const full = {
    states: 'memory:inuse_space:bytes:space:bytes',
    counts: 'memory:alloc_space:bytes:space:bytes',
    deltas: 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta',
  };
  assert.deepEqual(await readWarnings(full.states), [
    'memory:inuse_space is what there was at a moment, and the total adds up 8 profiles of ' +
      '1 series: samples are what there was at their time',
  ]);
  assert.deepEqual(await readWarnings(full.counts), [
    'memory:alloc_space counts since each program started, and the total adds up 8 profiles of ' +
      '1 series: for an amount, add | increase',
  ]);
  assert.deepEqual(await readWarnings(`${full.counts} | increase`), []);
  assert.deepEqual(await readWarnings(full.deltas), []);
  assert.deepEqual(await readWarnings(`${full.deltas} | by (job)`), []);
  assert.match(
    (await readWarnings(`${full.deltas} | by (jop)`))?.join() ?? '',
    /^by \(jop\) groups nothing: no profile of the query has this label, the nearest are "job"/,
  );
});

test('top lists lines of source, of the same total and times as functions', async () => {
  const query = 'process_cpu{job="feed"}';
  const { out, err } = await tool('top', query, '--by=line', ...range);
  assert.equal(err, '');
  const functions = await tool('top', query, ...range);
  assert.deepEqual(out.split('\n').slice(0, 3), functions.out.split('\n').slice(0, 3));
  assert.deepEqual(out.split('\n').slice(4, 7), [
    ' flat   flat%  cumulative    cum%  line',
    '400ms  100.0%       400ms  100.0%  test.go:1 handle',
    '    0    0.0%       400ms  100.0%  test.go:2 main',
  ]);
  const heap = await tool('top', 'memory{job="shop"}', '--by=line', ...range);
  assert.match(heap.out, /average 75\.0MiB[^]*\n75\.0MiB  100\.0% .* test\.go:1 keep\n/);
  const compared = await tool('top', `diff(${query}, ${query})`, '--by=line', ...range);
  assert.equal(compared.code, 2);
  assert.match(compared.err, /--by=line is for one query/);
});

test('types have the names of the page next to them, if asked', async () => {
  const { out } = await tool('types', '--names');
  assert.match(out, /^process_cpu:CPU:nanoseconds:CPU:nanoseconds:delta {2,}CPU time$/m);
  assert.match(out, /^memory:inuse_space:bytes:space:bytes {2,}Memory in use$/m);
  const json = JSON.parse((await tool('types', '--names', '-o=json')).out);
  assert.deepEqual(json[0], {
    type: 'memory:alloc_space:bytes:space:bytes',
    name: 'Memory allocated',
  });
});

test('a mistyped job of another profiler is told the jobs of all of them', async () => {
  const { code, err } = await tool('top', 'process_cpu{job="nigth-batch"}', ...range);
  assert.equal(code, 3);
  assert.match(err, /no profile has job="nigth-batch", the nearest are "night-batch"/);
  const known = await tool('top', 'process_cpu{job="night-batch"}', ...range);
  assert.match(known.out, /total 7 count/);
});

test('a query without a type is told those that its profiles have', async () => {
  const { err } = await tool('top', '{service_name="billing"}', ...range);
  assert.equal(
    err,
    'parcatool: query must contain a profile-type selection: write one of these before ' +
      '{service_name="billing"}: process_cpu:samples\n',
  );
  const unknown = await tool('top', '{service_name="biling"}', ...range);
  assert.match(unknown.err, /: no profile matches \{service_name="biling"\}\n$/);
});
