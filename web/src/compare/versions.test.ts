// Tests of deploys: which versions are marked, and their names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api } from '../rpc/api.ts';
import type { MetricsSeries } from '../rpc/messages.gen.ts';
import {
  compareDeploy,
  findLastDeploy,
  findVersions,
  listDeploys,
  shortVersion,
} from './versions.ts';

test('versions that come later than the first one are deploys, the last ones are marked', () => {
  const marked = (...since: number[]): string[] => {
    const list = since.map((time, i) => ({ value: `v${i}`, since: time }));
    return listDeploys({ list }, 10).map(
      ({ before, value, since: at }) => `${before}-${value} ${at}`,
    );
  };
  assert.deepEqual(marked(100), []);
  assert.deepEqual(marked(100, 110), [], 'both were there at the beginning');
  assert.deepEqual(marked(100, 110, 111, 300), ['v1-v2 111', 'v2-v3 300']);
  assert.equal(marked(...Array.from({ length: 40 }, (_, i) => i * 100)).length, 12);
});

const minute = 60_000;

/** Responds with the start of each version of each service, in buckets of one step. */
function makeApi(starts: readonly (readonly [job: string, version: string, since: number])[]): Api {
  const api: Partial<Api> = {
    labelNames: async () => ['job', 'pod', 'version'],
    queryRange: async ({ query, span, stepMillis, sumBy }) => ({
      warnings: [],
      profileTypes: [],
      series: starts
        .filter(([, version, since]) => {
          const isAsked = !query.includes('version=') || query.includes(`version="${version}"`);
          return isAsked && since <= span.to;
        })
        .map(([job, version, since]) => {
          const first = Math.max(span.from, since);
          const bucket = span.from + Math.floor((first - span.from) / stepMillis) * stepMillis;
          const labels = Object.entries({ job, version })
            .filter(([name]) => sumBy.includes(name))
            .map(([name, value]) => ({ name, value }));
          const timestamp = { seconds: BigInt(Math.floor(bucket / 1_000)), nanos: 0 };
          return { labelset: { labels }, samples: [{ timestamp }] } as unknown as MetricsSeries;
        }),
    }),
  };
  return api as Api;
}

const asking = { signal: new AbortController().signal };

test('deploys are of one service, to the second; the first start of a service is none', async () => {
  const api = makeApi([
    ['shop', 'v1', 0],
    ['shop', 'v2', 200 * minute + 7_000],
    ['mail', 'm1', 300 * minute],
  ]);
  const span = { from: 0, to: 360 * minute };
  const found = await findVersions(api, { query: 'cpu', profileType: 'cpu', span }, asking);
  assert.deepEqual(
    found?.list.map(({ value }) => value),
    ['v1', 'v2', 'm1'],
  );
  assert.deepEqual(found?.deploys, [{ value: 'v2', before: 'v1', since: 200 * minute + 7_000 }]);
});

test('the last deploy is found before the range, and compared with the time before it', async () => {
  const since = 1_000 * 86_400_000 - 180 * minute;
  const api = makeApi([
    ['shop', 'v1', 0],
    ['shop', 'v2', since],
  ]);
  const span = { from: since + 165 * minute, to: since + 180 * minute };
  const query = 'cpu{job="shop"} | top 3';
  const last = await findLastDeploy(api, { query, profileType: 'cpu', span }, asking);
  assert.deepEqual(last, { label: 'version', value: 'v2', before: 'v1', since });
  assert.ok(last !== undefined);
  assert.equal(
    compareDeploy(query, last, span),
    'diff(cpu{job="shop", version="v1"} offset 3h1s, cpu{job="shop", version="v2"}) | top 3',
  );
  const whole = { from: since - minute, to: span.to };
  assert.equal(
    compareDeploy(query, last, whole),
    'diff(cpu{job="shop", version="v1"}, cpu{job="shop", version="v2"}) | top 3',
  );
});

test('a long version keeps its end', () => {
  assert.equal(shortVersion('v1.2.3'), 'v1.2.3');
  assert.equal(shortVersion('registry.example/shop:v1.2.3'), '…ple/shop:v1.2.3');
});
