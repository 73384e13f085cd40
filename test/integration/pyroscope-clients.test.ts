// Tests calls exactly as Grafana's data source, Profiles Drilldown and mcp-grafana send them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import Long from 'long';
import { google, querier } from '../../proto/gen/pyroscope.js';
import { pyroscopeEngine } from '../../src/api/query/pyroscope/testing/ask-pyroscope.ts';
import { parseProfileType } from '../../src/model/profile-type.ts';
import { TestStore } from '../../src/query/testing/test-store.ts';
import { startApi } from '../support/api.ts';
import { connect, unary } from '../support/grpc-client.ts';

const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
const type = parseProfileType(`${cpu}:delta`);
/** Start of the range: a multiple of the step of timelines, which is 15 s. */
const start = 1_764_000_000_000;
const end = start + 60_000;

const store = new TestStore();
const add = (seconds: number, pod: string, rows: string): void =>
  store.add({
    type,
    labels: { job: 'shop', pod },
    timeNanos: BigInt(start + seconds * 1_000) * 1_000_000n,
    durationNanos: 1n,
    rows,
  });
add(0, 'a', 'main;serve 5');
add(15, 'a', 'main;serve;decode 30\nmain 1');
add(20, 'b', 'main;serve 7');

const engine = pyroscopeEngine(store);
const served = await startApi({ services: { pyroscope: engine } });
after(() => served.close());
const service = '/querier.v1.QuerierService';

async function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
) {
  const response = await fetch(served.url + path, { method: 'POST', body, headers });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, bytes, text: Buffer.from(bytes).toString() };
}

async function json(path: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const { status, text } = await post(path, JSON.stringify(body), headers);
  assert.equal(status, 200, text);
  return JSON.parse(text);
}

/** Checks the status and the code of a refused call. */
async function refused(path: string, body: object, status: number, code: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await post(path, JSON.stringify(body), headers);
  assert.equal(answer.status, status, answer.text);
  assert.equal((JSON.parse(answer.text) as { code: string }).code, code);
}

async function get(path: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(served.url + path);
  return { status: response.status, text: await response.text() };
}

const graph = {
  names: ['total', 'main', 'serve', 'decode'],
  levels: [
    { values: ['0', '43', '0', '0'] },
    { values: ['0', '43', '1', '1'] },
    { values: ['0', '42', '12', '2'] },
    { values: ['0', '30', '30', '3'] },
  ],
  total: '43',
  maxSelf: '30',
};
const asked = { profileTypeID: cpu, labelSelector: '{}', start: `${start}`, end: `${end}` };

test("Grafana's data source: protobuf by Connect, gzipped", async () => {
  const headers = {
    'content-type': 'application/proto',
    'connect-protocol-version': '1',
    'content-encoding': 'gzip',
    'x-scope-orgid': 'anonymous',
  };
  const request = querier.v1.SelectSeriesRequest.encode({
    profileTypeID: cpu,
    labelSelector: '{service_name="shop"}',
    start: Long.fromNumber(start),
    end: Long.fromNumber(end),
    step: 15,
    groupBy: ['pod'],
    limit: Long.fromNumber(10),
  });
  const { status, bytes } = await post(
    `${service}/SelectSeries`,
    new Uint8Array(gzipSync(request.finish())),
    headers,
  );
  assert.equal(status, 200);
  const { series } = querier.v1.SelectSeriesResponse.decode(bytes);
  assert.deepEqual(
    series.map(({ labels, points }) => [
      labels[0].value,
      ...points.map(({ timestamp, value }) => `${(timestamp.toNumber() - start) / 1_000} ${value}`),
    ]),
    [
      ['a', '0 5', '15 31'],
      ['b', '30 7'],
    ],
  );
  const other = await post(`${service}/SelectSeries`, 'x', { 'content-type': 'text/plain' });
  assert.equal(other.status, 415);
});

test('Drilldown: JSON in both spellings, and formats that are not known yet', async () => {
  assert.deepEqual(
    await json(`${service}/Series`, {
      labelNames: ['service_name', '__profile_type__'],
      matchers: [],
      start,
      end,
    }),
    {
      labelsSet: [
        {
          labels: [
            { name: '__profile_type__', value: cpu },
            { name: 'service_name', value: 'shop' },
          ],
        },
      ],
    },
  );
  const path = `${service}/SelectMergeStacktraces`;
  assert.deepEqual(await json(path, { ...asked, maxNodes: 16384 }), { flamegraph: graph });
  const format = 'PROFILE_FORMAT_FUNCTIONS';
  assert.deepEqual(await json(path, { ...asked, format, more: 1 }), { flamegraph: graph });
  const profile = await json(`${service}/SelectMergeProfile`, {
    profile_typeID: cpu,
    label_selector: '{}',
    stackTraceSelector: { call_site: [{ name: 'main' }, { name: 'serve' }, { name: 'decode' }] },
    maxNodes: null,
    start,
    end,
  });
  const { sample } = profile as { sample: unknown };
  assert.deepEqual(sample, [{ locationId: ['1', '2', '3'], value: ['30'] }]);
  const binary = await post(
    `${service}/SelectMergeProfile`,
    new Uint8Array(
      querier.v1.SelectMergeProfileRequest.encode({
        profileTypeID: cpu,
        labelSelector: '{}',
        start: Long.fromNumber(start),
        end: Long.fromNumber(end),
      }).finish(),
    ),
    { 'content-type': 'application/proto' },
  );
  assert.equal(google.v1.Profile.decode(binary.bytes).sample.length, 3);
});

test('Drilldown: settings, onboarding, and what this server does not have', async () => {
  const { Get, Set, Delete } = {
    Get: '/settings.v1.SettingsService/Get',
    Set: '/settings.v1.SettingsService/Set',
    Delete: '/settings.v1.SettingsService/Delete',
  };
  assert.deepEqual(await json(Get, {}), {});
  const setting = { name: 'pluginSettings', value: '{}', modifiedAt: '20' };
  assert.deepEqual(await json(Set, { setting }), { setting });
  const older = { setting: { ...setting, modifiedAt: '10' } };
  await refused(Set, older, 409, 'already_exists');
  await refused(Set, {}, 400, 'invalid_argument');
  assert.deepEqual(await json(Get, {}), { settings: [setting] });
  assert.deepEqual(await json(Delete, { name: 'pluginSettings' }), {});
  assert.deepEqual(await json(Get, {}), {});
  assert.deepEqual(await json('/settings.v1.RecordingRulesService/ListRecordingRules', {}), {});
  assert.deepEqual(await json('/capabilities.v1.FeatureFlagsService/GetFeatureFlags', {}), {});
  assert.deepEqual(await json(`${service}/GetProfileStats`, {}), {
    dataIngested: true,
    oldestProfileTime: `${start}`,
    newestProfileTime: `${start + 20_000}`,
  });
  const analyzed = await json(`${service}/AnalyzeQuery`, { query: `${cpu}{}`, start, end });
  assert.deepEqual(analyzed, {
    queryScopes: [
      { componentType: 'Store', componentCount: '1', seriesCount: '2', profileCount: '3' },
    ],
    queryImpact: { totalQueriedSeries: '2' },
  });
  await refused('/vcs.v1.VCSService/GithubApp', {}, 501, 'unimplemented');
  const rule = { metricName: 'cpu', matchers: ['{}'], groupBy: ['pod'] };
  const rules = '/settings.v1.RecordingRulesService';
  await refused(`${rules}/UpsertRecordingRule`, rule, 501, 'unimplemented');
  await refused(`${rules}/GetRecordingRule`, { id: 'x' }, 501, 'unimplemented');
  await refused(`${rules}/DeleteRecordingRule`, { id: 'x' }, 501, 'unimplemented');
  await refused('/adhocprofiles.v1.AdHocProfileService/Upload', {}, 501, 'unimplemented');
  const buildInfo = JSON.parse((await get('/api/v1/status/buildinfo')).text) as object;
  assert.deepEqual(Object.keys(buildInfo), ['status', 'data']);
  const status = '/api/v1/status/config';
  assert.equal((await get(`${status}/diff`)).text, (await get(status)).text);
  assert.equal((await get(`${status}/default`)).text, 'scrape_configs: []\n');
  assert.equal((await get('/ready')).status, 200);
});

test('heatmap: profiles by value in each step', async () => {
  const { series } = (await json(`${service}/SelectHeatmap`, {
    ...asked,
    step: 30,
    queryType: 'HEATMAP_QUERY_TYPE_INDIVIDUAL',
    exemplarType: 'EXEMPLAR_TYPE_INDIVIDUAL',
  })) as {
    series: {
      slots: {
        timestamp: string;
        yMin: number[];
        counts: number[];
        exemplars: { value: string; labels: object[] }[];
      }[];
    }[];
  };
  const slots = series[0].slots.map(({ timestamp, counts }) => [
    (Number(timestamp) - start) / 1_000,
    counts[0],
    counts[1],
    counts[19],
  ]);
  assert.deepEqual(slots, [
    [0, 1, 0, 0],
    [30, 0, 1, 1],
  ]);
  assert.deepEqual(series[0].slots[0].yMin.slice(0, 2), [5, 6]);
  // The answer contains the largest profile of each cell; the lowest cell comes first.
  assert.deepEqual(
    series[0].slots[1].exemplars.map(({ value }) => value),
    ['7', '31'],
  );
});

test('older paths: render, render-diff, label-values', async () => {
  const query = encodeURIComponent(`${cpu}{service_name="shop"}`);
  const times = `from=${start}&until=${end}`;
  const { status, text } = await get(`/pyroscope/render?query=${query}&${times}&groupBy=pod`);
  assert.equal(status, 200, text);
  const timeline = (samples: number[]): object => {
    return { startTime: start / 1_000, samples, durationDelta: 15, watermarks: {} };
  };
  assert.deepEqual(JSON.parse(text), {
    version: 1,
    flamebearer: {
      names: graph.names,
      levels: graph.levels.map(({ values }) => values.map(Number)),
      numTicks: 43,
      maxSelf: 30,
    },
    metadata: { format: 'single', spyName: '', sampleRate: 1e9, units: 'samples', name: 'cpu' },
    timeline: timeline([5, 31, 7, 0, 0]),
    groups: { a: timeline([5, 31, 0, 0, 0]), b: timeline([0, 0, 7, 0, 0]) },
    heatmap: null,
  });
  const dot = await get(`/pyroscope/render?query=${query}&${times}&format=dot&max-nodes=2`);
  assert.match(dot.text, /^digraph "cpu" \{[^]*Showing 2 of 3 functions/);
  const none = await get(`/pyroscope/render?query=${query}&from=1&until=2&format=dot`);
  assert.deepEqual(none, { status: 200, text: '' });
  const sides =
    `leftQuery=${query}&leftFrom=${start}&leftUntil=${start}` +
    `&rightQuery=${query}&rightFrom=${start + 1}&rightUntil=${end}`;
  const diff = JSON.parse((await get(`/pyroscope/render-diff?${sides}`)).text) as {
    flamebearer: { levels: number[][] };
    leftTicks: number;
    rightTicks: number;
  };
  assert.deepEqual([diff.leftTicks, diff.rightTicks], [5, 38]);
  assert.deepEqual(diff.flamebearer.levels[2], [0, 5, 5, 0, 37, 7, 2]);
  const wide = `from=${start - 1}&until=${end}`;
  const labels = async (name: string): Promise<unknown> =>
    JSON.parse((await get(`/pyroscope/label-values?label=${name}&${wide}`)).text);
  assert.deepEqual(await labels('pod'), ['a', 'b']);
  assert.deepEqual(await labels('__name__'), [cpu]);
  assert.equal((await get('/pyroscope/render?query=%7B%7D')).status, 400);
});

test('gRPC', async () => {
  const client = connect(served.address);
  const request = querier.v1.ProfileTypesRequest.encode({
    start: Long.fromNumber(start),
    end: Long.fromNumber(end),
  });
  const bytes = await unary(client, `${service}/ProfileTypes`, Buffer.from(request.finish()));
  client.close();
  const { profileTypes } = querier.v1.ProfileTypesResponse.decode(bytes);
  assert.deepEqual(
    profileTypes.map(({ ID }) => ID),
    [cpu],
  );
});

test('a second address, as clients have it from Pyroscope', async () => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  const own = await startApi({
    services: { pyroscope: engine },
    options: { moreAddresses: [`127.0.0.1:${port}`] },
  });
  for (const url of [own.url, `http://127.0.0.1:${port}`]) {
    const response = await fetch(
      `${url}/pyroscope/label-values?label=pod&from=${start}&until=${end}`,
    );
    assert.equal(await response.text(), '["a","b"]');
  }
  await own.close();
  await assert.rejects(fetch(`http://127.0.0.1:${port}/ready`));
});
