// Replays sessions of Grafana's data source and of Profiles Drilldown: their calls with the types,
// order, concurrency and query strings of their source code.
//
// Source: grafana/grafana, pkg/tsdb/grafana-pyroscope-datasource and its query editor;
// grafana/profiles-drilldown, src/pages/ProfilesExplorerView.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import Long from 'long';
import { querier, types } from '../../proto/gen/pyroscope.js';
import { pyroscopeEngine } from '../../src/api/query/pyroscope/testing/ask-pyroscope.ts';
import { parseProfileType } from '../../src/model/profile-type.ts';
import { TestStore } from '../../src/query/testing/test-store.ts';
import { startApi } from '../support/api.ts';

const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
const heap = 'memory:inuse_space:bytes:space:bytes';
const start = 1_764_000_000_000;
const end = start + 60_000;
const range = { start: Long.fromNumber(start), end: Long.fromNumber(end) };

const store = new TestStore();
const add = (type: string, seconds: number, labels: Record<string, string>, rows: string): void =>
  store.add({
    type: parseProfileType(type),
    labels,
    timeNanos: BigInt(start + seconds * 1_000) * 1_000_000n,
    durationNanos: 1n,
    rows,
  });
add(`${cpu}:delta`, 0, { job: 'shop', pod: 'a' }, 'main;serve 5');
add(`${cpu}:delta`, 15, { job: 'shop', pod: 'a' }, 'main;serve;decode 30\nmain 1');
add(`${cpu}:delta`, 20, { job: 'shop', pod: 'b' }, 'main;serve 7');
add(heap, 20, { job: 'cart', pod: 'c' }, 'main;grow 64');

/** Number of engine calls that must have started before the first of them is answered. */
let together = 1;
let begun = 0;
let allBegun = Promise.withResolvers<undefined>();

/** Expects that the next `count` calls run at the same time. */
function expectTogether(count: number): void {
  together = count;
  begun = 0;
  allBegun = Promise.withResolvers();
}

async function meet(): Promise<void> {
  begun += 1;
  if (begun >= together) allBegun.resolve(undefined);
  await allBegun.promise;
}

const engine = pyroscopeEngine(store);
const queryRange = engine.queryRange.bind(engine);
const encodedReport = engine.encodedReport.bind(engine);
engine.queryRange = async (...asked) => {
  await meet();
  return queryRange(...asked);
};
engine.encodedReport = async (...asked) => {
  await meet();
  return encodedReport(...asked);
};
const served = await startApi({ services: { pyroscope: engine } });
after(() => served.close());

/** Makes a call like connect-go with its default codec. */
async function connectGo(method: string, request: Uint8Array): Promise<Uint8Array> {
  const response = await fetch(`${served.url}/querier.v1.QuerierService/${method}`, {
    method: 'POST',
    body: new Uint8Array(request),
    headers: {
      'content-type': 'application/proto',
      'connect-protocol-version': '1',
      'accept-encoding': 'gzip',
      'user-agent': 'connect-go/1.18.1 (go1.24.4)',
    },
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  assert.equal(response.status, 200, Buffer.from(bytes).toString());
  assert.equal(response.headers.get('content-type'), 'application/proto');
  return bytes;
}

async function listTypes(asked: object): Promise<string[]> {
  const request = querier.v1.ProfileTypesRequest.encode(asked).finish();
  const bytes = await connectGo('ProfileTypes', request);
  return querier.v1.ProfileTypesResponse.decode(bytes).profileTypes.map(({ ID }) => ID);
}

/** Range of the editor: the shown range, extended to whole steps of ten seconds. */
const editorRange = { start: Long.fromNumber(start), end: Long.fromNumber(end) };

async function listLabels(selector: string): Promise<string[]> {
  const asked = { matchers: [selector], ...editorRange };
  const bytes = await connectGo('LabelNames', types.v1.LabelNamesRequest.encode(asked).finish());
  const { names } = types.v1.LabelNamesResponse.decode(bytes);
  return names.filter((name) => !name.startsWith('__'));
}

async function listValues(name: string, selector: string): Promise<string[]> {
  const asked = { name, matchers: [selector], ...editorRange };
  const bytes = await connectGo('LabelValues', types.v1.LabelValuesRequest.encode(asked).finish());
  return types.v1.LabelValuesResponse.decode(bytes).names;
}

async function selectSeries(
  labelSelector: string,
  more: querier.v1.SelectSeriesRequest.$Properties = {},
): Promise<string[]> {
  const asked = { profileTypeID: cpu, labelSelector, ...range, step: 15, ...more };
  const request = querier.v1.SelectSeriesRequest.encode(asked).finish();
  const { series } = querier.v1.SelectSeriesResponse.decode(
    await connectGo('SelectSeries', request),
  );
  return series.map(({ labels, points }) => {
    const values = points.map(({ timestamp, value }) => {
      return `${(timestamp.toNumber() - start) / 1_000}=${value}`;
    });
    return [...labels.map(({ value }) => value), ...values].join(' ');
  });
}

/**
 * Returns names, followed by the numbers of each level as the data source's `levelsToTree` reads
 * them.
 */
async function selectStacks(labelSelector: string): Promise<string> {
  const asked = { profileTypeID: cpu, labelSelector, ...range, maxNodes: Long.fromNumber(16_384) };
  const request = querier.v1.SelectMergeStacktracesRequest.encode(asked).finish();
  const bytes = await connectGo('SelectMergeStacktraces', request);
  const { flamegraph } = querier.v1.SelectMergeStacktracesResponse.decode(bytes);
  const levels = flamegraph?.levels.map(({ values }) => values.join(' ')) ?? [];
  return [flamegraph?.names.join(' '), ...levels].join(' | ');
}

test('the data source: saved, its editor opened, and a query of both kinds run', async () => {
  // The health check sends no times.
  assert.deepEqual(await listTypes({}), []);
  // When the editor opens, it requests types and labels before it has a type to select.
  const [known, none] = await Promise.all([
    listTypes(range),
    listLabels('{__profile_type__="undefined"}'),
  ]);
  assert.deepEqual(known, [heap, cpu]);
  assert.deepEqual(none, []);
  // A type was chosen. The editor requests the values of the label that is being edited without a
  // condition on that label.
  const ofType = `__profile_type__="${cpu}"`;
  assert.deepEqual(await listLabels(`{${ofType}}`), ['job', 'pod', 'service_name']);
  assert.deepEqual(await listValues('pod', `{${ofType},service_name="shop"}`), ['a', 'b']);
  // The metrics query and the profile query of one panel run at the same time.
  const selector = '{service_name="shop"}';
  expectTogether(2);
  const [series, stacks] = await Promise.all([selectSeries(selector), selectStacks(selector)]);
  assert.deepEqual(series, ['0=5 15=31 30=7']);
  const graph = 'total main serve decode | 0 43 0 0 | 0 43 1 1 | 0 42 12 2 | 0 30 30 3';
  assert.equal(stacks, graph);
  expectTogether(1);
});

test('a dashboard: its panels at the same time, the queries of a panel one by one', async () => {
  const limit = Long.fromNumber(1);
  const { EXEMPLAR_TYPE_INDIVIDUAL: exemplarType } = types.v1.ExemplarType;
  const queries = [
    async () => selectSeries('{service_name="shop"}', { groupBy: ['pod'] }),
    async () => selectSeries('{service_name="shop"}', { groupBy: ['pod'], limit }),
    // Grafana versions with the feature toggle for exemplars send an exemplar type.
    async () => selectSeries('{pod=~"a|b"}', { exemplarType }),
    async () => [await selectStacks('{pod="b"}')],
  ];
  const want = [
    ['a 0=5 15=31', 'b 30=7'],
    ['a 0=5 15=31'],
    ['0=5 15=31 30=7'],
    ['total main serve | 0 7 0 0 | 0 7 0 1 | 0 7 7 2'],
  ];
  const panels = 6;
  expectTogether(panels);
  const got = await Promise.all(
    Array.from({ length: panels }, async (_, panel) => {
      const answers: string[][] = [];
      for (let i = 0; i < queries.length; i += 1) {
        answers.push(await queries[(i + panel) % queries.length]());
      }
      return answers;
    }),
  );
  got.forEach((answers, panel) => {
    const turned = want.map((_, i) => want[(i + panel) % want.length]);
    assert.deepEqual(answers, turned, `panel ${panel}`);
  });
  expectTogether(1);
});

/** Makes a call of Drilldown, which goes through Grafana's proxy. */
async function drilldown(path: string, body?: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const asked = body && { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(served.url + path, asked);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text);
}

test('Drilldown: services, panels of each, labels and their values, a diff', async () => {
  const service = '/querier.v1.QuerierService';
  // On load, Drilldown requests settings, onboarding and services at the same time.
  const labelNames = ['service_name', '__profile_type__'];
  const [, stats, services] = await Promise.all([
    drilldown('/settings.v1.SettingsService/Get', {}),
    drilldown(`${service}/GetProfileStats`, {}),
    drilldown(`${service}/Series`, { start, end, labelNames, matchers: [] }),
  ]);
  assert.equal((stats as { dataIngested: boolean }).dataIngested, true);
  const { labelsSet } = services as { labelsSet: { labels: { value: string }[] }[] };
  const pairs = labelsSet.map(({ labels }) => labels.map(({ value }) => value).join(' '));
  assert.deepEqual(pairs.sort(), [`${heap} cart`, `${cpu} shop`]);
  // Each service has a panel, which uses the data source.
  expectTogether(2);
  const panels = await Promise.all([
    selectSeries('{service_name="shop",}'),
    selectSeries('{service_name="cart",}', { profileTypeID: heap }),
  ]);
  assert.deepEqual(panels, [['0=5 15=31 30=7'], ['30=64']]);
  expectTogether(1);
  // Requests the labels of a service, then the values of all labels at once.
  const matchers = [`{__profile_type__="${cpu}",service_name="shop"}`];
  const { names } = (await drilldown(`${service}/LabelNames`, { matchers, start, end })) as {
    names: string[];
  };
  const shown = names.filter((name) => !/^(__.+__|service_name)$/.test(name));
  const values = await Promise.all(
    shown.map((name) => drilldown(`${service}/LabelValues`, { name, matchers, start, end })),
  );
  assert.deepEqual(shown, ['job', 'pod']);
  assert.deepEqual(values, [{ names: ['shop'] }, { names: ['a', 'b'] }]);
  // The diff's query string is made by URLSearchParams, with times in whole seconds.
  const query = `${cpu}{service_name="shop", pod=~"a|b"}`;
  const sides = new URLSearchParams({
    leftQuery: query,
    leftFrom: `${start}`,
    leftUntil: `${start + 10_000}`,
    rightQuery: query,
    rightFrom: `${start + 11_000}`,
    rightUntil: `${end}`,
    'max-nodes': '16384',
  });
  expectTogether(3);
  const [diff, ...lines] = await Promise.all([
    drilldown(`/pyroscope/render-diff?${sides.toString()}`),
    selectSeries('{service_name="shop",pod=~"a|b"}'),
    selectSeries('{service_name="shop",pod=~"a|b"}'),
  ]);
  const { leftTicks, rightTicks } = diff as { leftTicks: number; rightTicks: number };
  assert.deepEqual([leftTicks, rightTicks], [5, 38]);
  assert.deepEqual(lines, [['0=5 15=31 30=7'], ['0=5 15=31 30=7']]);
});
