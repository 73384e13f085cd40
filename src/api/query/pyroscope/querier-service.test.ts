// Tests of Pyroscope's read API against a naive evaluation of the same profiles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Long from 'long';
import { google, querier, types } from '../../../../proto/gen/pyroscope.js';
import { rounds } from '../../../base/testing/rounds.ts';
import { randomBelow, seededRandom } from '../../../base/random.ts';
import { createClock } from '../../../base/node/clock.ts';
import { parseProfileType } from '../../../model/profile-type.ts';
import { rejects } from '../../../query/testing/ask.ts';
import { TestStore } from '../../../query/testing/test-store.ts';
import { querierMethods } from './querier-service.ts';
import { call, pyroscopeEngine } from './testing/ask-pyroscope.ts';
import {
  naiveLabel,
  type NaiveProfile,
  naiveSeries,
  naiveTree,
  treeOfLevels,
} from './testing/naive.ts';

const q = querier.v1;
const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
const heap = 'memory:inuse_space:bytes:space:bytes';
const base = 1_700_000_000_000;
const roundCount = rounds(12, 400);

function createMethods(store: TestStore) {
  return querierMethods({ engine: pyroscopeEngine(store), clock: createClock() });
}

/** Adds a profile to the store under the type `stored`, which by default is its own type. */
function add(store: TestStore, profile: NaiveProfile, stored = profile.type, period = 0n): void {
  const type = parseProfileType(stored);
  const rows = Object.entries(profile.stacks).map(([stack, value]) => `${stack} ${value}`);
  store.add({
    type,
    labels: profile.labels,
    timeNanos: BigInt(profile.timeMillis) * 1_000_000n + 123_456n,
    durationNanos: type.delta ? 10n ** 9n : 0n,
    period,
    rows: rows.join('\n'),
  });
}

const random = seededRandom(39);
const pick = <T>(all: readonly T[]): T => all[randomBelow(random, all.length)];

const labelSets: readonly Readonly<Record<string, string>>[] = [
  { service_name: 'shop', pod: 'a' },
  { service_name: 'shop', job: 'other', pod: 'b' },
  { job: 'shop' },
  { job: 'cart', comm: 'node' },
  { comm: 'bash' },
  { pod: 'c' },
];

function randomProfile(ofWorld: readonly Readonly<Record<string, string>>[]): NaiveProfile {
  const stacks: Record<string, number> = {};
  for (let i = 0; i < 1 + randomBelow(random, 6); i += 1) {
    const depth = 1 + randomBelow(random, 4);
    const frames = Array.from({ length: depth }, () => `f${randomBelow(random, 5)}`);
    stacks[frames.join(';')] = 1 + randomBelow(random, 100);
  }
  const labels = pick(ofWorld);
  const timeMillis = base + randomBelow(random, 60_000);
  return { labels, type: pick([cpu, heap]), timeMillis, stacks };
}

function randomWorld(): { readonly store: TestStore; readonly profiles: NaiveProfile[] } {
  const store = new TestStore();
  // Lines are grouped by different labels, depending on which labels name the services of the
  // series.
  const first = randomBelow(random, labelSets.length);
  const ofWorld = labelSets.slice(first, first + 1 + randomBelow(random, labelSets.length));
  const profiles = Array.from({ length: 30 }, () => randomProfile(ofWorld));
  for (const profile of profiles) {
    if (profile.type === heap) add(store, profile);
    // Profilers have different names for the same type.
    else if (profile.labels.comm === undefined) add(store, profile, `${cpu}:delta`);
    else add(store, profile, 'process_cpu:CPU:nanoseconds:CPU:nanoseconds:delta');
  }
  return { store, profiles };
}

const range = (start: number, end: number) => {
  return { start: Long.fromNumber(start), end: Long.fromNumber(end) };
};

const selectors: readonly [string, (profile: NaiveProfile) => boolean][] = [
  ['{}', () => true],
  ['{service_name="shop"}', (p) => naiveLabel(p, 'service_name') === 'shop'],
  ['{service_name!="shop",}', (p) => naiveLabel(p, 'service_name') !== 'shop'],
  [
    '{ service_name=~"shop|ba.*", "pod"=""}',
    (p) => {
      return /^(shop|ba.*)$/.test(naiveLabel(p, 'service_name')) && p.labels.pod === undefined;
    },
  ],
  ['{service_name="unknown_service"}', (p) => naiveLabel(p, 'service_name') === 'unknown_service'],
  [`{__profile_type__="${cpu}", pod=~".+"}`, (p) => p.type === cpu && p.labels.pod !== undefined],
  ['{__name__="process_cpu"}', (p) => p.type === cpu],
];

test('series: sums of the steps that end at start + k * step, by labels', async () => {
  for (let round = 0; round < roundCount; round += 1) {
    const { store, profiles } = randomWorld();
    const [selector, belongs] = pick(selectors);
    const type = pick([cpu, heap]);
    const start = base + randomBelow(random, 30_000);
    const end = start + randomBelow(random, 40_000);
    const stepMillis = pick([1_000, 7_001, 15_000, 90_000]);
    const groupBy = pick([
      [],
      ['service_name'],
      ['pod'],
      ['service_name', 'job'],
      ['__profile_type__'],
    ]);
    const { series } = await call(
      createMethods(store),
      'SelectSeries',
      { request: q.SelectSeriesRequest, response: q.SelectSeriesResponse },
      {
        ...range(start, end),
        profileTypeID: type,
        labelSelector: selector,
        step: stepMillis / 1000,
        groupBy,
      },
    );
    const own = profiles.filter((profile) => profile.type === type && belongs(profile));
    const want = naiveSeries(own, { start, end, stepMillis, groupBy });
    const got = new Map(
      series.map(({ labels, points }) => [
        labels.map(({ name, value }) => `${name}=${value}`).join(','),
        points.map(({ timestamp, value }) => `${timestamp.toString()} ${value}`),
      ]),
    );
    assert.deepEqual(got, want, `${selector} ${groupBy}`);
    const totals = series.map(({ points }) => points.reduce((sum, { value }) => sum + value, 0));
    assert.deepEqual(
      totals,
      totals.toSorted((a, b) => b - a),
    );
  }
});

test('series by service: samples may have the name where their series have a job', async () => {
  const store = new TestStore();
  const type = parseProfileType(`${cpu}:delta`);
  const addRows = (labels: Record<string, string>, rows: string): void =>
    store.add({ type, labels, timeNanos: BigInt(base) * 1_000_000n, durationNanos: 1n, rows });
  addRows({ job: 'cart' }, 'a 5 service_name=shop\na 2\nb 1 comm=node');
  addRows({ job: 'shop' }, 'a 10');
  const lines = async (labelSelector: string): Promise<string[]> => {
    const { series } = await call(
      createMethods(store),
      'SelectSeries',
      { request: q.SelectSeriesRequest, response: q.SelectSeriesResponse },
      {
        ...range(base, base + 15_000),
        profileTypeID: cpu,
        labelSelector,
        step: 15,
        groupBy: ['service_name'],
      },
    );
    return series.map(({ labels, points }) => `${labels[0].value} ${points[0].value}`);
  };
  assert.deepEqual(await lines('{}'), ['shop 15', 'cart 3']);
  assert.deepEqual(await lines('{service_name="shop"}'), ['shop 15']);
  addRows({}, 'a 20 comm=cart\na 50');
  assert.deepEqual(await lines('{}'), ['unknown_service 50', 'cart 23', 'shop 15']);
});

test('flame graphs: bars by name, whole and with a cut', async () => {
  for (let round = 0; round < roundCount; round += 1) {
    const { store, profiles } = randomWorld();
    const [selector, belongs] = pick(selectors);
    const type = pick([cpu, heap]);
    const start = base + randomBelow(random, 30_000);
    const end = start + randomBelow(random, 40_000);
    const maxNodes = pick([1, 3, 8192]);
    const callSite = pick([undefined, [{ name: 'f1' }], [{ name: 'f2' }, { name: 'f0' }]]);
    const { flamegraph } = await call(
      createMethods(store),
      'SelectMergeStacktraces',
      { request: q.SelectMergeStacktracesRequest, response: q.SelectMergeStacktracesResponse },
      {
        ...range(start, end),
        profileTypeID: type,
        labelSelector: selector,
        maxNodes: Long.fromNumber(maxNodes),
        ...(callSite && { stackTraceSelector: { callSite } }),
      },
    );
    const prefix = (callSite ?? []).map(({ name }) => name).join(';');
    const own = profiles
      .filter((one) => one.type === type && belongs(one))
      .filter(({ timeMillis }) => timeMillis >= start && timeMillis <= end)
      .map((one) => {
        const kept = Object.entries(one.stacks).filter(([stack]) => {
          return prefix === '' || stack === prefix || stack.startsWith(`${prefix};`);
        });
        return { ...one, stacks: Object.fromEntries(kept) };
      });
    const whole = naiveTree(own);
    const got = treeOfLevels(flamegraph);
    const total = own.flatMap(({ stacks }) => Object.values(stacks)).reduce((a, b) => a + b, 0);
    assert.equal(flamegraph.total.toNumber(), total);
    checkCut(got, whole, maxNodes);
  }
});

/** Checks that each bar named "other" has exactly the sum that was trimmed below its parent. */
function checkCut(got: Map<string, string>, whole: Map<string, string>, maxNodes: number): void {
  const readTotal = (text = '0 0'): number => Number(text.split(' ')[0]);
  const totals = [...whole.values()].map(readTotal).sort((a, b) => b - a);
  const least = totals[maxNodes - 1] ?? 0;
  const want = new Map<string, string>();
  const cut = new Map<string, number>();
  for (const [path, text] of whole) {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf(';')));
    if (readTotal(text) >= least) want.set(path, text);
    else if (parent === '' || readTotal(whole.get(parent)) >= least) {
      cut.set(parent, (cut.get(parent) ?? 0) + readTotal(text));
    }
  }
  for (const [parent, sum] of cut) {
    want.set(parent === '' ? 'other' : `${parent};other`, `${sum} ${sum}`);
  }
  assert.deepEqual(got, want);
}

test('types, names and values of labels, series', async () => {
  const store = new TestStore();
  const at = { timeMillis: base, stacks: { a: 1 } };
  add(store, { labels: { service_name: 'shop', pod: 'a' }, type: cpu, ...at }, `${cpu}:delta`);
  add(store, { labels: { job: 'cart' }, type: heap, ...at });
  const methods = createMethods(store);
  const when = range(base - 1, base + 1);
  const { profileTypes } = await call(
    methods,
    'ProfileTypes',
    { request: q.ProfileTypesRequest, response: q.ProfileTypesResponse },
    when,
  );
  assert.deepEqual(
    profileTypes.map(({ ID }) => ID),
    [heap, cpu],
  );
  const names = { request: types.v1.LabelNamesRequest, response: types.v1.LabelNamesResponse };
  const values = { request: types.v1.LabelValuesRequest, response: types.v1.LabelValuesResponse };
  const typeNames = ['__name__', '__period_type__', '__period_unit__', '__profile_type__'];
  const derived = [...typeNames, '__service_name__', '__type__', '__unit__'];
  const all = await call(methods, 'LabelNames', names, when);
  assert.deepEqual(all.names, [...derived, 'job', 'pod', 'service_name']);
  const some = { ...when, matchers: [`{__profile_type__="${heap}"}`] };
  assert.deepEqual((await call(methods, 'LabelNames', names, some)).names, [
    ...derived,
    'job',
    'service_name',
  ]);
  const askForValues = async (name: string, matchers: string[] = []) =>
    (await call(methods, 'LabelValues', values, { ...when, name, matchers })).names;
  assert.deepEqual(await askForValues('service_name'), ['cart', 'shop']);
  assert.deepEqual(await askForValues('service_name', ['{pod="a"}']), ['shop']);
  assert.deepEqual(await askForValues('pod', ['{service_name="shop"}']), ['a']);
  assert.deepEqual(await askForValues('pod', ['{service_name="cart"}']), []);
  assert.deepEqual(await askForValues('__profile_type__', ['{service_name="cart"}']), [heap]);
  assert.deepEqual(await askForValues('__name__'), ['memory', 'process_cpu']);
  const { labelsSet } = await call(
    methods,
    'Series',
    { request: q.SeriesRequest, response: q.SeriesResponse },
    { ...when, labelNames: ['service_name', '__profile_type__'] },
  );
  assert.deepEqual(
    labelsSet.map(({ labels }) => labels.map(({ value }) => value).join(' ')),
    [`${heap} cart`, `${cpu} shop`].sort(),
  );
});

test('counters become increases, counts of samples become time', async () => {
  const store = new TestStore();
  const allocated = 'memory:alloc_space:bytes:space:bytes';
  const counts = [5, 12, 40];
  counts.forEach((value, i) => {
    const timeMillis = base + i * 10_000;
    add(store, { labels: { job: 'a' }, type: allocated, timeMillis, stacks: { f: value } });
  });
  // The deltas of another sender have the same type name.
  const sent = { labels: { job: 'b' }, type: allocated, timeMillis: base + 20_000 };
  add(store, { ...sent, stacks: { f: 100, g: 1 } }, `${allocated}:delta`);
  const agent = 'parca_agent:samples:count:cpu:nanoseconds:delta';
  add(store, { labels: {}, type: cpu, timeMillis: base, stacks: { f: 3 } }, agent, 10n);
  const methods = createMethods(store);
  const graph = async (profileTypeID: string, start: number, end: number) => {
    const { flamegraph } = await call(
      methods,
      'SelectMergeStacktraces',
      { request: q.SelectMergeStacktracesRequest, response: q.SelectMergeStacktracesResponse },
      { ...range(start, end), profileTypeID, labelSelector: '{}' },
    );
    return Object.fromEntries(treeOfLevels(flamegraph));
  };
  const late = await graph(allocated, base + 1, base + 20_000);
  assert.deepEqual(late, { f: '135 135', g: '1 1' });
  assert.deepEqual(await graph(allocated, base + 15_000, base + 19_000), {});
  assert.deepEqual(await graph(cpu, base, base), { f: '30 30' });
  const { series } = await call(
    methods,
    'SelectSeries',
    { request: q.SelectSeriesRequest, response: q.SelectSeriesResponse },
    {
      ...range(base, base + 20_000),
      profileTypeID: allocated,
      labelSelector: '{}',
      step: 10,
      groupBy: ['service_name'],
    },
  );
  const lines = series.map(({ labels, points }) => [
    labels[0].value,
    ...points.map(({ value }) => value),
  ]);
  assert.deepEqual(lines, [
    ['b', 101],
    ['a', 7, 28],
  ]);
});

test('CPU and wall time of Node.js have the names that Pyroscope gives to them', async () => {
  const store = new TestStore();
  for (const sample of ['cpu', 'wall']) {
    const type = `process_cpu:${sample}:nanoseconds:wall:nanoseconds`;
    const profile = { labels: { job: 'a' }, type, timeMillis: base, stacks: { [sample]: 3 } };
    add(store, profile, `${type}:delta`);
  }
  const methods = createMethods(store);
  const { profileTypes } = await call(
    methods,
    'ProfileTypes',
    { request: q.ProfileTypesRequest, response: q.ProfileTypesResponse },
    range(base, base),
  );
  const names = profileTypes.map(({ ID }) => ID).sort();
  assert.deepEqual(names, [
    'wall:cpu:nanoseconds:wall:nanoseconds',
    'wall:wall:nanoseconds:wall:nanoseconds',
  ]);
  for (const [labelSelector, want] of [
    ['{}', { wall: '3 3' }],
    ['{__name__="wall"}', { wall: '3 3' }],
    ['{__name__="process_cpu"}', {}],
  ] as const) {
    const { flamegraph } = await call(
      methods,
      'SelectMergeStacktraces',
      { request: q.SelectMergeStacktracesRequest, response: q.SelectMergeStacktracesResponse },
      { ...range(base, base), profileTypeID: names[1], labelSelector },
    );
    assert.deepEqual(Object.fromEntries(treeOfLevels(flamegraph)), want, labelSelector);
  }
});

test('diff: both sides of each bar, and what was cut', async () => {
  const store = new TestStore();
  const add1 = (timeMillis: number, stacks: Record<string, number>): void =>
    add(store, { labels: {}, type: cpu, timeMillis, stacks }, `${cpu}:delta`);
  add1(base, { 'a;b': 4, 'a;c': 1, d: 2 });
  add1(base + 10, { 'a;b': 1, a: 6, 'a;c': 2 });
  const side = (at: number) => {
    const maxNodes = Long.fromNumber(2);
    return { ...range(at, at), profileTypeID: cpu, labelSelector: '{}', maxNodes };
  };
  const { flamegraph } = await call(
    createMethods(store),
    'Diff',
    { request: q.DiffRequest, response: q.DiffResponse },
    { left: side(base), right: side(base + 10) },
  );
  assert.deepEqual(flamegraph.names, ['total', 'a', 'other', 'b']);
  assert.deepEqual(
    flamegraph.levels.map(({ values }) => values.join(' ')),
    ['0 7 0 0 9 0 0', '0 5 0 0 9 6 1 0 2 2 0 0 0 2', '0 4 4 0 1 1 3 0 1 1 0 2 2 2'],
  );
  assert.equal(`${flamegraph.leftTicks} ${flamegraph.rightTicks} ${flamegraph.total}`, '7 9 16');
});

test('a whole profile, a tree of bytes, a graph in DOT, and spans', async () => {
  const store = new TestStore();
  const type = parseProfileType(`${cpu}:delta`);
  const rows = 'a;b 5 span_id=00000000000000ab\na;c 2 profile_id=00000000000000cd\na 1';
  store.add({ type, timeNanos: BigInt(base) * 1_000_000n, durationNanos: 1n, rows });
  const methods = createMethods(store);
  const asked = { ...range(base, base), profileTypeID: cpu, labelSelector: '{}' };
  const profile = await call(
    methods,
    'SelectMergeProfile',
    { request: q.SelectMergeProfileRequest, response: google.v1.Profile },
    asked,
  );
  const values = profile.sample.map(({ value }) => value.join());
  assert.deepEqual(values.sort(), ['1', '2', '5']);
  const stacks = {
    request: q.SelectMergeStacktracesRequest,
    response: q.SelectMergeStacktracesResponse,
  };
  const ask = (more: object) =>
    call(methods, 'SelectMergeStacktraces', stacks, { ...asked, ...more });
  const { PROFILE_FORMAT_TREE, PROFILE_FORMAT_DOT, PROFILE_FORMAT_PPROF } = q.ProfileFormat;
  const { tree } = await ask({ format: PROFILE_FORMAT_TREE });
  assert.equal(Buffer.from(tree).toString('latin1'), '\0\0\x01\x01a\x01\x02\x01c\x02\0\x01b\x05\0');
  const { dot } = await ask({ format: PROFILE_FORMAT_DOT });
  assert.match(dot, /^digraph "cpu" \{[^]*N1 \[label="a\\n1 \(12\.50%\)\\nof 8[^]*N1 -> N2/);
  const { pprof } = await ask({ format: PROFILE_FORMAT_PPROF });
  assert.deepEqual(
    google.v1.Profile.encode(pprof.profile).finish(),
    google.v1.Profile.encode(profile).finish(),
  );
  const spans = async (spanSelector: string[]) => {
    const answer = await call(
      methods,
      'SelectMergeSpanProfile',
      { request: q.SelectMergeSpanProfileRequest, response: q.SelectMergeSpanProfileResponse },
      { ...asked, spanSelector },
    );
    return Object.fromEntries(treeOfLevels(answer.flamegraph));
  };
  assert.deepEqual(await spans(['00000000000000AB']), { a: '5 0', 'a;b': '5 5' });
  assert.deepEqual(await spans(['00000000000000ab', '00000000000000cd']), {
    a: '7 0',
    'a;b': '5 5',
    'a;c': '2 2',
  });
  await rejects(spans(['x']), 'invalid-argument', /expected 16 hexadecimal digits/);
});

test('requests that are refused', async () => {
  const methods = createMethods(new TestStore());
  const types1 = { request: q.SelectSeriesRequest, response: q.SelectSeriesResponse };
  const asked = { ...range(base, base + 1), profileTypeID: cpu, labelSelector: '{}', step: 15 };
  const refused = (more: object, message: RegExp) =>
    rejects(
      call(methods, 'SelectSeries', types1, { ...asked, ...more }),
      'invalid-argument',
      message,
    );
  await refused({ start: Long.ZERO }, /missing time range/);
  await refused(range(base, base - 1), /end must not be before start/);
  await refused({ step: 0 }, /step must be at least a millisecond/);
  await refused({ step: -1 }, /step/);
  await refused({ step: NaN }, /step/);
  await refused({ labelSelector: '' }, /it is empty/);
  await refused({ labelSelector: '{a="b"' }, /expected "," or "}"/);
  await refused({ labelSelector: '{a=~"("}' }, /a/);
  await refused({ profileTypeID: 'cpu' }, /invalid profile type "cpu"/);
  assert.deepEqual((await call(methods, 'SelectSeries', types1, asked)).series, []);
  const stacks = {
    request: q.SelectMergeStacktracesRequest,
    response: q.SelectMergeStacktracesResponse,
  };
  const graph = (more: object) =>
    call(methods, 'SelectMergeStacktraces', stacks, { ...asked, ...more });
  await rejects(graph({ maxNodes: Long.fromNumber(-1) }), 'invalid-argument', /max nodes -1/);
  await rejects(graph({ maxNodes: Long.fromNumber(2_000_000) }), 'invalid-argument', /max nodes/);
  const { flamegraph } = await graph({});
  assert.deepEqual(flamegraph.names, ['total']);
  assert.deepEqual(
    flamegraph.levels.map(({ values }) => values.join()),
    ['0,0,0,0'],
  );
});
