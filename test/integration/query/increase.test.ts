// Tests increases of counters on a real server: in reports, graphs, files, and the terminal.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFilledServer } from '../../support/filled-server.ts';
import { getText } from '../../support/json-api.ts';
import { runParcatool } from '../../support/parcatool.ts';
import { gzippedPprof } from '../../support/profiles/pprof-builder.ts';

const noon = Date.parse('2026-01-01T12:00:00Z');
const query = 'mutex:delay{job="api"} | increase';
type Row = readonly [stack: string, contentions: bigint, delay: bigint];

const server = await startFilledServer([], async (push) => {
  const add = (minute: number, pod: string, ...samples: Row[]): Promise<void> =>
    push(
      { __name__: 'mutex', job: 'api', pod },
      gzippedPprof({
        sampleTypes: [
          ['contentions', 'count'],
          ['delay', 'nanoseconds'],
        ],
        periodType: ['contentions', 'count'],
        period: 1n,
        durationNanos: 0n,
        timeNanos: BigInt(noon + minute * 60_000) * 1_000_000n,
        samples,
      }),
    );
  await add(0, 'a', ['main;lock', 10n, 1_000n], ['main;wait', 5n, 500n]);
  await add(1, 'a', ['main;lock', 13n, 1_300n], ['main;wait', 5n, 500n]);
  // The program was restarted.
  await add(2, 'a', ['main;wait', 2n, 70n]);
  await add(3, 'a', ['main;wait', 3n, 90n], ['main;lock', 1n, 4n]);
  await add(3, 'b', ['main;lock', 9_000n, 900_000n]);
});
after(() => server.stop());

function minutes(from: number, to: number): { start: string; end: string } {
  const text = (minute: number): string => new Date(noon + minute * 60_000).toISOString();
  return { start: text(from), end: text(to) };
}

async function ask(path: string, parameters: Readonly<Record<string, string>>): Promise<unknown> {
  return JSON.parse(await getText(server.url, path, parameters));
}

const unknown =
  'the increase of 1 of 2 series is not known: it takes two profiles that are at most an hour apart';

test('a report, with what is not known', async () => {
  const { start, end } = minutes(0, 5);
  const report = await ask('/profiles/query', {
    mode: 'MODE_MERGE',
    reportType: 'REPORT_TYPE_TOP',
    'merge.query': query,
    'merge.start': start,
    'merge.end': end,
  });
  assert.ok(typeof report === 'object' && report !== null && 'top' in report);
  const { top, total, warnings, profileCount, coveredNanos } = report as {
    readonly top: {
      readonly list: readonly {
        readonly meta: { readonly function: { readonly name: string } };
        readonly flat: string;
      }[];
    };
  } & Record<string, unknown>;
  // The counter grows by 300, then from 0 to 70 and by 4, then by 20.
  assert.deepEqual(
    top.list.map(({ meta, flat }) => [meta.function.name, flat]),
    [
      ['lock', '304'],
      ['wait', '90'],
      ['main', '0'],
    ],
  );
  assert.deepEqual([total, profileCount, coveredNanos], ['394', '3', '180000000000']);
  assert.deepEqual(warnings, [unknown]);
});

test('buckets of a graph add up to a report', async () => {
  const parameters = { query, ...minutes(0, 5), step: '60s', sumBy: 'pod' };
  const answer = await ask('/profiles/query_range', parameters);
  const { series, warnings } = answer as {
    readonly series: readonly { readonly samples: readonly Record<string, unknown>[] }[];
    readonly warnings: unknown;
  };
  // The pod that was seen only once has no line.
  assert.equal(series.length, 1);
  assert.deepEqual(
    series[0].samples.map(({ value, valuePerSecond }) => [value, valuePerSecond]),
    [
      ['300', 5],
      ['70', 70 / 60],
      ['24', 0.4],
    ],
  );
  assert.deepEqual(warnings, [unknown]);
  const functions = await ask('/v1/functions', {
    query,
    ...minutes(0, 5),
    step: '60s',
    function: 'wait',
  });
  const { functions: found, buckets } = functions as {
    readonly functions: readonly Record<string, unknown>[];
    readonly buckets: Record<string, unknown>;
  };
  assert.deepEqual(found[0].flat, { total: '90', values: ['0', '70', '20'] });
  assert.deepEqual(
    buckets.coveredNanos,
    Array.from({ length: 3 }, () => '60000000000'),
  );
});

test('files, also of what cannot be told', async () => {
  const { start, end } = minutes(2, 5);
  const file = await getText(server.url, '/v1/export', { query, start, end, format: 'collapsed' });
  assert.deepEqual(file.trim().split('\n').toSorted(), ['main;lock 4', 'main;wait 90']);
  const parameters = new URLSearchParams({
    query: query.replace('}', ', pod="b"}'),
    start,
    end,
    format: 'pprof',
  });
  const refused = await fetch(`${server.url}/api/v1/export?${parameters}`);
  assert.equal(refused.status, 404);
  assert.match(await refused.text(), /the increase of the series is not known/);
});

test('the terminal', async () => {
  const { start, end } = minutes(0, 5);
  const asked = ['top', query, `--from=${start}`, `--to=${end}`, `--server=${server.address}`];
  const { out, code } = await runParcatool(...asked);
  assert.equal(code, 0);
  assert.deepEqual(out.split('\n').slice(1), [
    '2026-01-01T12:00:00Z to 2026-01-01T12:05:00Z (5m), total 394ns',
    '3 profiles covering 3.00min, 2ns a second',
    '',
    ' flat  flat%  cumulative    cum%  function',
    '304ns  77.2%       304ns   77.2%  lock',
    ' 90ns  22.8%        90ns   22.8%  wait',
    '    0   0.0%       394ns  100.0%  main',
    '',
  ]);
});
