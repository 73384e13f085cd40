// Tests that one query gives one number: in the list of services, as a headline, in the graph over
// time, and in the terminal.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { formatRate, parseMeasure } from '../../../web/src/format/measure.ts';
import { type Api, createApi, mergeRequest, queryMethod } from '../../../web/src/rpc/api.ts';
import { call } from '../../../web/src/rpc/grpc-web.ts';
import { metadataReport } from '../../../web/src/rpc/messages.gen.ts';
import { askServices } from '../../../web/src/services/ask-services.ts';
import { readServices, type ServiceRow } from '../../../web/src/services/service-rows.ts';
import { readCoverage } from '../../../web/src/tree/coverage.ts';
import { startFilledServer } from '../../support/filled-server.ts';
import { runParcatool } from '../../support/parcatool.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';

const noon = Date.parse('2026-01-01T12:00:00Z');
const second = 1_000;
const asking = { signal: new AbortController().signal };

const server = await startFilledServer([], async (push) => {
  /**
   * Pushes profiles of `lasts` seconds, one every `every` seconds, of a program that uses `cores`.
   */
  const pushEvery = async (
    labels: Readonly<Record<string, string>>,
    [from, to]: readonly [from: number, to: number],
    { every, lasts = every }: { readonly every: number; readonly lasts?: number },
    cores: (at: number) => number,
  ): Promise<void> => {
    for (let at = from; at < to; at += every) {
      const samples = BigInt(Math.round(cores(at) * lasts * 100));
      const timeNanos = BigInt(noon + at * second) * 1_000_000n;
      const times = { timeNanos, durationNanos: BigInt(lasts) * 1_000_000_000n };
      const profile = cpuProfile({ ...times, samples: [['main;work', samples]] });
      await push({ __name__: 'process_cpu', ...labels }, gzippedPprof(profile));
    }
  };
  // The interval changes, there is a gap, and the load is not constant.
  await pushEvery({ job: 'shop' }, [300, 1_200], { every: 30 }, (at) => 0.5 + at / 1_200);
  await pushEvery({ job: 'shop' }, [1_900, 3_300], { every: 100 }, () => 2);
  // A program with the same name but another label is another service.
  await pushEvery({ executable: 'shop' }, [0, 3_600], { every: 120, lasts: 10 }, () => 0.25);
  await pushEvery({ job: 'young', pod: 'a' }, [3_280, 3_600], { every: 20 }, () => 0.125);
  // Pushes profiles as pypprof writes them: CPU time with a name in capitals, and counts that are
  // not times.
  for (let at = 0; at < 3_600; at += 60) {
    const profile = {
      sampleTypes: [
        ['sample', 'count'],
        ['CPU', 'nanoseconds'],
      ] as const,
      periodType: ['CPU', 'nanoseconds'] as const,
      period: 10_000_000n,
      timeNanos: BigInt(noon + at * second) * 1_000_000n,
      durationNanos: 60_000_000_000n,
      samples: [['main;etl', 570n, 5_700_000_000n]] as const,
    };
    await push({ __name__: 'process_cpu', job: 'etl' }, gzippedPprof(profile));
  }
});
after(() => server.stop());

const base = `${server.url}/`;
const api: Api = createApi(base);
const span = { from: noon, to: noon + 3_600 * second - 1 };

function serviceQuery({ type, label, name }: ServiceRow): string {
  return `${type}{${label}="${name}"}`;
}

async function readCores(query: string): Promise<Record<string, number | string>> {
  const answer = await call(
    base,
    queryMethod,
    mergeRequest(query, span, metadataReport, 0),
    asking,
  );
  const coverage = readCoverage(answer);
  const measure = parseMeasure(query.slice(0, query.indexOf('{')));
  const stepMillis = 72 * second;
  const [line, ...others] = (await api.queryRange({ query, span, stepMillis, sumBy: [] }, asking))
    .series;
  assert.equal(others.length, 0);
  const unit = line.sampleType?.type === 'cpu' ? 1 : 1e9;
  // A profile counts in the bucket in which it starts, with its whole duration.
  const covered = line.samples.map(({ value, rate }) => Number(value) / (rate / unit));
  const sum = line.samples.reduce((all, { rate }, i) => all + (rate / unit) * covered[i], 0);
  const [start, end] = [span.from, span.to].map((time) => new Date(time).toISOString());
  const run = await runParcatool(
    'top',
    query,
    '--server',
    server.url,
    '-o',
    'json',
    '--from',
    start,
    '--to',
    end,
  );
  assert.equal(run.code, 0, run.err);
  const told = JSON.parse(run.out) as { readonly total: string; readonly coveredNanos: string };
  return {
    headline: formatRate(answer.total, measure, coverage) ?? '',
    report: Number(answer.total) / Number(answer.coveredNanos),
    graph: sum / covered.reduce((all, one) => all + one, 0),
    parcatool: Number(told.total) / Number(told.coveredNanos),
  };
}

test('a service has as many cores on the list as on its page, in its graph and in parcatool', async () => {
  const { answers, warnings } = await askServices(api, span, asking);
  assert.deepEqual(warnings, []);
  const rows = readServices(answers);
  assert.deepEqual(
    rows.map(({ label, name }) => `${label}=${name}`),
    ['job=etl', 'job=shop', 'executable=shop', 'job=young'],
  );
  for (const row of rows) {
    const query = serviceQuery(row);
    const { headline, report, graph, parcatool } = await readCores(query);
    const cores = row.cores ?? 0;
    assert.equal(report, cores, query);
    assert.equal(parcatool, cores, query);
    assert.ok(Math.abs(Number(graph) / cores - 1) < 1e-6, `${query}: ${graph} and ${cores}`);
    const total = BigInt(Math.round(cores * 1e12));
    const known = { ...row.coverage, seconds: 1_000 };
    assert.equal(formatRate(total, parseMeasure(row.type), known), headline, query);
  }
  const [etl, shop, program, young] = rows;
  assert.equal(etl.cores, 0.095);
  assert.equal(young.cores, 0.125);
  assert.equal(young.coverage.seconds, 320);
  assert.equal(program.cores, 0.25);
  assert.ok(Math.abs((shop.cores ?? 0) - 1.66) < 0.02, String(shop.cores));
});

test('a bucket of the graph does not depend on its width, on gaps or on the push interval', async () => {
  const query = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job="shop"}';
  for (const stepMillis of [10_000, 72_000, 600_000]) {
    const { series } = await api.queryRange({ query, span, stepMillis, sumBy: [] }, asking);
    const late = series[0].samples.filter(({ timestamp }) => {
      return Number(timestamp?.seconds) * second >= noon + 1_900 * second;
    });
    assert.ok(late.length > 0);
    for (const { rate } of late) assert.ok(Math.abs(rate - 2) < 1e-9, `${stepMillis}: ${rate}`);
  }
});
