// Tests of service rows: names, cores, changes, memory, health and order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unknownCoverage } from '../format/measure.ts';
import { noPoints } from '../parts/sparkline-path.ts';
import type { MetricsSeries, TargetMessage } from '../rpc/messages.gen.ts';
import {
  arrangeServices,
  computeChange,
  readServices,
  type ServiceAnswers,
  type ServiceRow,
  typesToAsk,
} from './service-rows.ts';
import { sparkPoints } from './service-points.ts';

const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const agent = 'parca_agent:samples:count:cpu:nanoseconds:delta';
const memory = 'memory:inuse_space:bytes:space:bytes';

const pypprof = 'process_cpu:CPU:nanoseconds:CPU:nanoseconds:delta';

/** Creates a series of `cores` with a sample for each second in `values`. */
function series(
  labels: Readonly<Record<string, string>>,
  cores: number,
  values: readonly number[] = [],
  unit = 'nanoseconds',
): MetricsSeries {
  return {
    labelset: { labels: Object.entries(labels).map(([name, value]) => ({ name, value })) },
    samples: values.map((rate, i) => ({
      timestamp: { seconds: BigInt(i), nanos: 0 },
      value: 0n,
      valuePerSecond: 0,
      duration: 0n,
      count: 0,
      rate,
      coveredNanos: 1_000_000_000n,
    })),
    periodType: undefined,
    sampleType: { type: '', unit },
    total: BigInt(Math.round(cores * 1e9)),
    average: cores / 2,
    coveredNanos: 1_000_000_000n,
    snapshots: 0,
  };
}

function heap(labels: Readonly<Record<string, string>>, bytes: number): MetricsSeries {
  const states = { total: BigInt(bytes) * 3n, coveredNanos: 0n, snapshots: 3 };
  return { ...series(labels, 0, [bytes], 'bytes'), ...states };
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

/** Deploy of version v2 at the third second. */
const deployOfV2 = { label: 'version', before: 'v1', value: 'v2', since: 2_000, point: 2 };

const nothing: ServiceAnswers = {
  from: 0,
  stepMillis: 1_000,
  cpu: [],
  memory: [],
  others: [],
  targets: new Map(),
};

test('every type of CPU time is asked for, and the best type of other profiles', () => {
  const samples = 'process_cpu:samples:count:cpu:nanoseconds:delta';
  const types = [cpu, samples, agent, memory, pypprof];
  const others = [
    'memory:alloc_space:bytes:space:bytes',
    'mutex:delay:nanoseconds:contentions:count',
    'process_cpu:sample:count:CPU:nanoseconds:delta',
    'wall:wall:nanoseconds:wall:nanoseconds:delta',
    'mutex:contentions:count:contentions:count',
  ];
  const options = [...types, ...others].map((value) => ({ value, label: '', group: '' }));
  assert.deepEqual(typesToAsk(options), {
    cpu: [cpu, samples, agent, pypprof],
    memory: [memory],
    others: [
      'mutex:contentions:count:contentions:count',
      'wall:wall:nanoseconds:wall:nanoseconds:delta',
    ],
  });
});

test('a service whose CPU time is in another type has its cores, never a count as time', () => {
  const samples = 'process_cpu:samples:count:cpu:nanoseconds:delta';
  const rows = readServices({
    ...nothing,
    cpu: [
      { type: cpu, series: [series({ job: 'api' }, 1, [1])], before: [] },
      {
        type: samples,
        series: [
          series({ job: 'batch' }, 2, [2]),
          series({ job: 'api' }, 1.01, [1.01]),
          series({ job: 'unknown' }, 7, [7], 'count'),
        ],
        before: [series({ job: 'batch' }, 1, [1])],
      },
      { type: pypprof, series: [series({ job: 'etl' }, 0.125, [0.125e9])], before: [] },
    ],
  });
  const [api, batch, etl, unknown] = rows;
  assert.deepEqual([api.name, api.type, api.cores], ['api', cpu, 1]);
  assert.deepEqual([batch.name, batch.type, batch.cores], ['batch', samples, 2]);
  assert.equal(batch.coresBefore, 1);
  assert.deepEqual(batch.points.values.slice(0, 2), [2, null]);
  assert.deepEqual([etl.name, etl.type, etl.cores], ['etl', pypprof, 0.125]);
  assert.equal(etl.points.values[0], 0.125);
  assert.deepEqual([unknown.name, unknown.type, unknown.cores], ['unknown', samples, undefined]);
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

test('a service is named by the first label there is; its cores are by its own time', () => {
  const rows = readServices({
    ...nothing,
    cpu: [
      {
        type: cpu,
        series: [series({ job: 'api' }, 1.5, [1.5, 3]), series({ comm: 'sshd' }, 0.25, [0, 0.25])],
        before: [series({ job: 'api' }, 1)],
      },
    ],
  });
  const points = (...values: readonly number[]) => ({
    values: Array.from({ length: sparkPoints }, (_, i) => values[i] ?? null),
    covered: Array.from({ length: sparkPoints }, (_, i) => (i < values.length ? 1e9 : null)),
  });
  const coverage = { seconds: 1, snapshots: 0, samples: 0, period: 0 };
  const rest = { type: cpu, bytes: undefined, up: 0, down: 0, lastMillis: 1_000 };
  const noMemory = { memoryType: '', memoryPoints: noPoints };
  const common = { ...rest, ...noMemory, deploy: undefined, coverage };
  assert.deepEqual(rows, [
    {
      ...common,
      name: 'api',
      label: 'job',
      cores: 1.5,
      coresBefore: 1,
      coresOfAll: 0.75,
      points: points(1.5, 3),
    },
    {
      ...common,
      name: 'sshd',
      label: 'comm',
      cores: 0.25,
      coresBefore: undefined,
      coresOfAll: 0.125,
      points: points(0, 0.25),
    },
  ]);
  assert.deepEqual(rows.map(computeChange), [0.5, undefined]);
});

test('a job and a program of its name are two rows, and a row keeps its source', () => {
  const answers = (agentCores: number): ServiceAnswers => ({
    ...nothing,
    cpu: [
      {
        type: cpu,
        series: [series({ job: 'shop' }, 0.5, [0.5, 1.15])],
        before: [series({ job: 'shop' }, 0.5)],
      },
      {
        type: agent,
        series: [
          series({ executable: 'shop' }, agentCores, [agentCores]),
          series({ job: 'shop' }, agentCores, [agentCores]),
          series({ executable: 'node' }, 0.1, [0.1]),
        ],
        before: [series({ executable: 'shop' }, 0.01)],
      },
    ],
  });
  for (const agentCores of [0.1, 4]) {
    const rows = readServices(answers(agentCores)).map(({ label, name, type, cores }) => {
      return [label, name, type, cores];
    });
    assert.deepEqual(rows, [
      ['executable', 'node', agent, 0.1],
      ['job', 'shop', cpu, 0.5],
      ['executable', 'shop', agent, agentCores],
    ]);
  }
  const [, job, program] = readServices(answers(4));
  assert.deepEqual([computeChange(job), computeChange(program)], [0, 399]);
});

test('a service changes since its last deploy', () => {
  const steps = Array.from({ length: sparkPoints }, (_, i) => i);
  const shop = { job: 'shop' };
  const oldOne = series({ ...shop, version: 'v1' }, 1, [2, 2, 2, 2]);
  const later = series({ ...shop, version: 'v2' }, 1, [0, 0, 3, 3]);
  const newOne = { ...later, samples: later.samples.slice(2) };
  const [api, found] = readServices({
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
  assert.deepEqual(found.deploy, { ...deployOfV2, cores: 3, coresBefore: 2 });
  assert.equal(computeChange(found), 0.5);
  assert.equal(api.deploy, undefined);
});

test('points and a change since a deploy are by the time that profiles cover', () => {
  const covering = (of: MetricsSeries, seconds: readonly number[]): MetricsSeries => ({
    ...of,
    samples: of.samples.map((sample, i) => {
      return { ...sample, coveredNanos: BigInt(seconds[i] * 1e9) };
    }),
  });
  const shop = { job: 'shop' };
  const second = series({ ...shop, version: 'v2' }, 1, [0, 0, 3, 9]);
  const [found] = readServices({
    ...nothing,
    // The first point contains the first two buckets.
    from: 500,
    stepMillis: 1_000,
    cpu: [
      {
        type: cpu,
        series: [covering(series(shop, 2.5, [8, 2, 2, 4, 8]), [0.5, 1, 1, 1, 0.25])],
        before: [],
        versions: {
          label: 'version',
          series: [
            series({ ...shop, version: 'v1' }, 1, [2]),
            { ...second, samples: second.samples.slice(3) },
          ],
        },
      },
    ],
  });
  const { values, covered } = found.points;
  assert.deepEqual(values.slice(0, 5), [4, 2, 4, 8, null]);
  assert.deepEqual(covered.slice(0, 5), [1.5e9, 1e9, 1e9, 0.25e9, null]);
  assert.deepEqual(found.deploy, { ...deployOfV2, since: 3_000, cores: 4.8, coresBefore: 3.2 });
});

test('memory is the average of the profiles, for programs in Go and in Node', () => {
  const node = 'memory:inuse_space:bytes:inuse_space:bytes';
  const objects = ['memory:inuse_objects:count:space:bytes', 'memory:space:bytes:space:bytes'];
  const options = [node, memory, ...objects].map((value) => ({ value, label: '', group: '' }));
  assert.deepEqual(typesToAsk(options).memory, [node, memory]);
  const rows = readServices({
    ...nothing,
    memory: [
      { type: node, series: [heap({ job: 'feed' }, 13)], before: [] },
      { type: memory, series: [heap({ job: 'feed' }, 99), heap({ job: 'shop' }, 7)], before: [] },
    ],
  });
  assert.deepEqual(
    rows.map(({ name, memoryType, bytes, memoryPoints }) => {
      return [name, memoryType, bytes, memoryPoints.values[0]];
    }),
    [
      ['feed', node, 13, 13],
      ['shop', memory, 7, 7],
    ],
  );
});

test('a service that is gone is there with the time before, and one with only targets, too', () => {
  const rows = readServices({
    ...nothing,
    cpu: [{ type: cpu, series: [], before: [series({ job: 'old' }, 2)] }],
    memory: [{ type: memory, series: [heap({ job: 'cache' }, 4_096)], before: [] }],
    targets: new Map([
      ['cache', [target('cache', 1, 7n), target('cache', 2, 9n)]],
      ['new', [target('new', 0, 0n)]],
    ]),
  });
  assert.deepEqual(
    rows.map(({ name, type, cores, bytes, up, down, lastMillis }) => [
      name,
      type,
      cores,
      bytes,
      up,
      down,
      lastMillis,
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
    name,
    label: 'job',
    type: cpu,
    cores,
    coresBefore,
    bytes,
    memoryType: '',
    memoryPoints: noPoints,
    points: noPoints,
    deploy: undefined,
    up: 0,
    down: 0,
    lastMillis: 0,
    coresOfAll: 0,
    coverage: unknownCoverage,
  });
  const rows = [row('a', 1, 1, 3), row('b', 3, 2.9, 1), row('Ab', 2, 4, 2)];
  const names = (search: string, order: Parameters<typeof arrangeServices>[2]) =>
    arrangeServices(rows, search, order).map(({ name }) => name);
  assert.deepEqual(names('', 'cores'), ['b', 'Ab', 'a']);
  assert.deepEqual(names('', 'change'), ['Ab', 'b', 'a']);
  assert.deepEqual(names('', 'memory'), ['a', 'Ab', 'b']);
  assert.deepEqual(names('A', 'name'), ['Ab', 'a']);
});
