// Tests of the services' rows: names, cores, what changed, memory, health and order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MetricsSeries, TargetMessage } from '../rpc/messages.ts';
import {
  arrangeServices,
  changeOf,
  readServices,
  type ServiceAnswers,
  type ServiceRow,
  sparkPoints,
  timeShareOf,
  typesToAsk,
} from './service-rows.ts';

const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const agent = 'parca_agent:samples:count:cpu:nanoseconds:delta';
const memory = 'memory:inuse_space:bytes:space:bytes';

/** Makes a series with a sample at each second of `values`. */
function series(
  labels: Readonly<Record<string, string>>,
  average: number,
  values: readonly number[] = [],
): MetricsSeries {
  return {
    labelset: { labels: Object.entries(labels).map(([name, value]) => ({ name, value })) },
    samples: values.map((valuePerSecond, i) => ({
      timestamp: { seconds: BigInt(i), nanos: 0 },
      value: 0n,
      valuePerSecond,
      duration: 0n,
      count: 0,
    })),
    periodType: undefined,
    sampleType: undefined,
    average,
  };
}

function target(job: string, health: number, seconds: bigint): TargetMessage {
  return {
    labels: { labels: [{ name: 'job', value: job }] },
    discoveredLabels: undefined,
    lastError: health === 2 ? 'refused' : '',
    lastScrape: { seconds, nanos: 0 },
    lastScrapeDuration: undefined,
    url: 'http://x/debug/pprof/profile',
    health,
  };
}

const nothing: ServiceAnswers = {
  ...{ from: 0, stepMillis: 1_000, cpu: [], memory: [], others: [], targets: new Map() },
};

test('the best type of each profile is asked for', () => {
  const types = [cpu, 'process_cpu:samples:count:cpu:nanoseconds:delta', agent, memory];
  const others = [
    'memory:alloc_space:bytes:space:bytes',
    'mutex:delay:nanoseconds:contentions:count',
  ];
  const options = [...types, ...others].map((value) => ({ value, label: '', group: '' }));
  assert.deepEqual(typesToAsk(options), {
    cpu: [cpu, agent],
    memory: [memory],
    others: [
      'process_cpu:samples:count:cpu:nanoseconds:delta',
      'mutex:delay:nanoseconds:contentions:count',
    ],
  });
});

test('a service whose CPU time is only in the other type of a kind has its cores', () => {
  const samples = 'process_cpu:samples:count:cpu:nanoseconds:delta';
  const options = [cpu, samples].map((value) => ({ value, label: '', group: '' }));
  assert.deepEqual(typesToAsk(options), { cpu: [cpu], memory: [], others: [samples] });
  const [api, batch] = readServices({
    ...nothing,
    cpu: [{ type: cpu, series: [series({ job: 'api' }, 1, [1])], before: [] }],
    others: [
      {
        type: samples,
        series: [series({ job: 'batch' }, 2, [2]), series({ job: 'api' }, 1.01, [1.01])],
        before: [series({ job: 'batch' }, 1, [1])],
      },
    ],
  });
  assert.deepEqual([api.name, api.type, api.cores], ['api', cpu, 1]);
  assert.deepEqual([batch.name, batch.type, batch.cores], ['batch', samples, 2]);
  assert.equal(batch.coresBefore, 1);
  assert.deepEqual(batch.points.slice(0, 2), [2, null]);
});

test('a service that has neither CPU nor memory profiles has a row, and a type to open', () => {
  const pushed = 'process_cpu:samples:count::';
  const options = [cpu, pushed].map((value) => ({ value, label: '', group: '' }));
  assert.deepEqual(typesToAsk(options).others, [pushed]);
  const [api, batch] = readServices({
    ...nothing,
    cpu: [{ type: cpu, series: [series({ job: 'api' }, 1, [1])], before: [] }],
    others: [
      {
        type: pushed,
        series: [series({ job: 'batch' }, 7, [7]), series({ job: 'api' }, 7, [7, 7])],
        before: [],
      },
    ],
  });
  assert.deepEqual([api.name, api.type, api.lastMillis], ['api', cpu, 1_000]);
  assert.deepEqual([batch.name, batch.type, batch.cores], ['batch', pushed, undefined]);
});

test('a service is named by the first label there is, and adds up its series', () => {
  const rows = readServices({
    ...nothing,
    cpu: [
      {
        type: cpu,
        series: [
          series({ job: 'api', service_name: '', app: '', comm: '' }, 1, [1, 3]),
          series({ job: 'api', app: 'front' }, 0.5, [0.5]),
          series({ job: '', comm: 'sshd' }, 0.25, [0, 0.25]),
        ],
        before: [series({ job: 'api' }, 1)],
      },
    ],
  });
  const points = (...values: readonly number[]) =>
    Array.from({ length: sparkPoints }, (_, i) => values[i] ?? null);
  const rest = { type: cpu, bytes: undefined, bytePoints: [], up: 0, down: 0, lastMillis: 1_000 };
  const common = { ...rest, deploy: undefined };
  assert.deepEqual(rows, [
    { ...common, name: 'api', label: 'job', cores: 1.5, coresBefore: 1, points: points(1.5, 3) },
    {
      ...{ ...common, name: 'sshd', label: 'comm', cores: 0.25, coresBefore: undefined },
      points: points(0, 0.25),
    },
  ]);
  assert.deepEqual(rows.map(changeOf), [0.5, undefined]);
});

test('a service changes since its last deploy, and says in how much of the time it was there', () => {
  const steps = Array.from({ length: sparkPoints }, (_, i) => i);
  const shop = { job: 'shop' };
  const oldOne = series({ ...shop, version: 'v1' }, 1, [2, 2, 2, 2]);
  const later = series({ ...shop, version: 'v2' }, 1, [0, 0, 3, 3]);
  const newOne = { ...later, samples: later.samples.slice(2) };
  const rows = readServices({
    ...nothing,
    cpu: [
      {
        type: cpu,
        series: [series(shop, 2.5, [2, 2, 3, 3]), series({ job: 'api' }, 1, steps)],
        before: [series(shop, 10)],
        versions: { label: 'version', series: [newOne, oldOne] },
      },
    ],
  });
  const [api, found] = rows;
  assert.deepEqual(found.deploy, { version: 'v2', point: 2, cores: 3, coresBefore: 2 });
  assert.equal(changeOf(found), 0.5);
  assert.equal(api.deploy, undefined);
  assert.deepEqual(
    rows.map((row) => timeShareOf(row, rows)),
    [1, 4 / sparkPoints],
  );
});

test('a service that is profiled once a minute is there all the time', () => {
  const every = (step: number) =>
    Array.from({ length: sparkPoints }, (_, i) => (i % step === 0 ? 1 : null));
  const [row] = readServices({
    ...nothing,
    cpu: [{ type: cpu, series: [series({ job: 'api' }, 1)], before: [] }],
  });
  const [often, seldom] = [
    { ...row, points: every(1) },
    { ...row, points: every(2) },
  ];
  assert.equal(timeShareOf(seldom, [often, seldom]), (sparkPoints - 1) / sparkPoints);
  assert.equal(timeShareOf(often, [often, seldom]), 1);
});

test('memory of programs in Go and in Node is asked for, though their profiles have one name', () => {
  const node = 'memory:inuse_space:bytes:inuse_space:bytes';
  const objects = ['memory:inuse_objects:count:space:bytes', 'memory:space:bytes:space:bytes'];
  const options = [node, memory, ...objects].map((value) => ({ value, label: '', group: '' }));
  assert.deepEqual(typesToAsk(options).memory, [node, memory]);
});

test('memory that was profiled for a while is there for its share of the time', () => {
  const answer = (job: string, values: number[]) => series({ job }, 5, values);
  const rows = readServices({
    ...nothing,
    memory: [
      { type: memory, series: [answer('old', [1, 1, 1, 1]), answer('new', [2])], before: [] },
    ],
  });
  assert.deepEqual(
    rows.map((row) => [row.name, timeShareOf(row, rows, 'bytePoints'), timeShareOf(row, rows)]),
    [
      ['new', 1 / 4, 1],
      ['old', 1, 1],
    ],
  );
});

test('of two types that see one service, the one that sees more counts', () => {
  const answer = (type: string, cores: number) => ({
    ...{ type, series: [series({ job: 'api' }, cores)], before: [] },
  });
  const rows = readServices({ ...nothing, cpu: [answer(cpu, 0.5), answer(agent, 0.75)] });
  assert.deepEqual(
    rows.map(({ type, cores }) => [type, cores]),
    [[agent, 0.75]],
  );
});

test('a service that is gone is there with the time before, and one with only targets, too', () => {
  const rows = readServices({
    ...nothing,
    cpu: [{ type: cpu, series: [], before: [series({ job: 'old' }, 2)] }],
    memory: [{ type: memory, series: [series({ job: 'cache' }, 4_096, [1])], before: [] }],
    targets: new Map([
      ['cache', [target('cache', 1, 7n), target('cache', 2, 9n)]],
      ['new', [target('new', 0, 0n)]],
    ]),
  });
  assert.deepEqual(
    rows.map(({ name, type, cores, bytes, up, down, lastMillis }) => [
      ...[name, type, cores, bytes, up, down, lastMillis],
    ]),
    [
      ['cache', memory, undefined, 4_096, 1, 1, 7_000],
      ['new', '', undefined, undefined, 0, 0, 0],
      ['old', cpu, 0, undefined, 0, 0, 0],
    ],
  );
});

test('rows are searched and sorted', () => {
  const row = (name: string, cores: number, coresBefore: number, bytes: number): ServiceRow => ({
    ...{ name, label: 'job', type: cpu, cores, coresBefore, bytes },
    ...{ points: [], bytePoints: [], deploy: undefined, up: 0, down: 0, lastMillis: 0 },
  });
  const rows = [row('a', 1, 1, 3), row('b', 3, 2.9, 1), row('Ab', 2, 4, 2)];
  const names = (search: string, order: Parameters<typeof arrangeServices>[2]) =>
    arrangeServices(rows, search, order).map(({ name }) => name);
  assert.deepEqual(names('', 'cores'), ['b', 'Ab', 'a']);
  assert.deepEqual(names('', 'change'), ['Ab', 'b', 'a']);
  assert.deepEqual(names('', 'memory'), ['a', 'Ab', 'b']);
  assert.deepEqual(names('A', 'name'), ['Ab', 'a']);
});
