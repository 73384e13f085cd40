// The kinds of profiles that are made from events: which events and which of their fields they
// use, and Pyroscope's names for the profiles. Source: https://github.com/grafana/jfr-parser
import type { ValueType } from '../../model/profile-type.ts';

const count = 'count';
const cpu: ValueType = { type: 'cpu', unit: 'nanoseconds' };
const wall: ValueType = { type: 'wall', unit: 'nanoseconds' };
const space: ValueType = { type: 'space', unit: 'bytes' };

/** A kind of profile that recordings contain. */
export interface JfrKind {
  /** Value of `__name__`. */
  readonly name: string;
  readonly sampleTypes: readonly ValueType[];
  readonly periodType?: ValueType;
  /** Kind of time that a sample represents; absent if values are not samples. */
  readonly sampled?: 'cpu' | 'wall';
  /** True if values describe a state at the end, such as memory in use, and not events. */
  readonly isState?: true;
  /** Value of the label `jfr_event`, for a second profile with the same name. */
  readonly event?: string;
}

/** Kinds of profiles, by our own names for them. */
export const kinds = {
  cpu: { name: 'process_cpu', sampleTypes: [cpu], periodType: cpu, sampled: 'cpu' },
  wall: { name: 'wall', sampleTypes: [wall], periodType: wall, sampled: 'wall' },
  cpuTime: { name: 'process_cpu', sampleTypes: [cpu], periodType: cpu, event: 'cpu_time' },
  native: { name: 'native', sampleTypes: [{ type: 'samples', unit: count }] },
  inTlab: allocations('alloc_in_new_tlab'),
  outsideTlab: allocations('alloc_outside_tlab'),
  allocSample: allocations('alloc_sample'),
  malloc: { name: 'memory', sampleTypes: amounts('malloc') },
  live: {
    name: 'memory',
    sampleTypes: [{ type: 'live', unit: count }],
    periodType: { type: 'objects', unit: count },
    isState: true,
  },
  mutex: waiting('mutex'),
  block: waiting('block'),
} as const satisfies Readonly<Record<string, JfrKind>>;

export type JfrKindName = keyof typeof kinds;

/** Use of the events of one type. */
export interface JfrEventUse {
  readonly kind: JfrKindName;
  /** Field with the second value; the first is a count. Durations are converted to nanoseconds. */
  readonly weight?: string;
  /** Field with the number of samples; if absent, an event is one sample. */
  readonly samples?: string;
}

/** Uses of events, by the name of their type. */
export const eventUses: ReadonlyMap<string, JfrEventUse> = new Map<string, JfrEventUse>([
  ['jdk.ExecutionSample', { kind: 'cpu' }],
  ['jdk.CPUTimeSample', { kind: 'cpuTime', samples: 'samplingPeriod' }],
  ['jdk.NativeMethodSample', { kind: 'native' }],
  ['profiler.WallClockSample', { kind: 'wall', samples: 'samples' }],
  ['jdk.ObjectAllocationInNewTLAB', { kind: 'inTlab', weight: 'tlabSize' }],
  ['jdk.ObjectAllocationOutsideTLAB', { kind: 'outsideTlab', weight: 'allocationSize' }],
  ['jdk.ObjectAllocationSample', { kind: 'allocSample', weight: 'weight' }],
  ['profiler.Malloc', { kind: 'malloc', weight: 'size' }],
  ['profiler.LiveObject', { kind: 'live' }],
  ['jdk.JavaMonitorEnter', { kind: 'mutex', weight: 'duration' }],
  ['jdk.ThreadPark', { kind: 'block', weight: 'duration' }],
]);

function allocations(prefix: string): JfrKind {
  return { name: 'memory', sampleTypes: amounts(prefix), periodType: space };
}

function amounts(prefix: string): readonly ValueType[] {
  return [
    { type: `${prefix}_objects`, unit: count },
    { type: `${prefix}_bytes`, unit: 'bytes' },
  ];
}

function waiting(name: string): JfrKind {
  return {
    name,
    sampleTypes: [
      { type: 'contentions', unit: count },
      { type: 'delay', unit: 'nanoseconds' },
    ],
    periodType: { type: name, unit: count },
  };
}
