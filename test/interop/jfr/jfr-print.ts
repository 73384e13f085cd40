// Reads a recording's samples with the JDK's own `jfr print`.
import { execFileSync } from 'node:child_process';
import { formatClassName } from '../../../src/formats/jfr/frames.ts';

interface Frame {
  readonly method: {
    readonly type: { readonly name: string } | null;
    readonly name: string;
  } | null;
  readonly lineNumber: number;
  readonly type: string | null;
}

interface Values {
  readonly [name: string]: unknown;
  readonly stackTrace: { readonly frames: readonly Frame[] } | null;
}

interface Printed {
  readonly recording: {
    readonly events: readonly { readonly type: string; readonly values: Values }[];
  };
}

/** Fields that are added up, in addition to the number of events. */
const weights: Readonly<Record<string, string | undefined>> = {
  'jdk.ExecutionSample': undefined,
  'jdk.NativeMethodSample': undefined,
  'profiler.WallClockSample': 'samples',
  'jdk.ObjectAllocationInNewTLAB': 'tlabSize',
  'jdk.ObjectAllocationOutsideTLAB': 'allocationSize',
  'jdk.ObjectAllocationSample': 'weight',
  'profiler.LiveObject': undefined,
  'profiler.Malloc': 'size',
  'jdk.JavaMonitorEnter': 'duration',
  'jdk.ThreadPark': 'duration',
};

/**
 * Numbers of events, sums of weights, and times in milliseconds since 1970, by event, thread and
 * stack (leaf first).
 */
export type SampleSums = Map<
  string,
  readonly [count: number, weight: number, millis: readonly number[]]
>;

/** Options for interpreting a recording. */
interface Reading {
  /** True if native frames are C functions with files as classes, as async-profiler writes them. */
  readonly isNativeC: boolean;
  /** True if wall-time samples of running threads also count as CPU time. */
  readonly hasCpuOfWall: boolean;
}

/** Prints a recording with the JDK's `jfr`, and adds up its samples. */
export function printedSums(jfr: string, file: string, reading: Reading): SampleSums {
  const events = Object.keys(weights).join(',');
  const options = ['print', '--json', '--stack-depth', '2048', '--events', events, file];
  const text = execFileSync(jfr, options, { maxBuffer: 2 ** 29, encoding: 'utf8' });
  const sums: SampleSums = new Map();
  for (const { type, values } of (JSON.parse(text) as Printed).recording.events) {
    const frames = values.stackTrace?.frames ?? [];
    const stack =
      frames.length === 0
        ? '[unknown]:0'
        : frames.map((one) => printFrame(one, reading.isNativeC)).join(' < ');
    const place = `{${threadName(values)}} ${stack}`;
    const field = weights[type];
    const own = field === undefined ? 0 : toNumber(values[field]);
    const time = Date.parse(String(values['startTime']));
    add(sums, `${type} ${place}`, [1, own, [time]]);
    const isRunning = values['state'] === 'STATE_RUNNABLE';
    if (reading.hasCpuOfWall && type === 'profiler.WallClockSample' && isRunning)
      add(sums, `jdk.ExecutionSample ${place}`, [own, 0, [time]]);
  }
  return sums;
}

type SampleSum = SampleSums extends Map<string, infer Sum> ? Sum : never;

function add(sums: SampleSums, key: string, [count, weight, millis]: SampleSum): void {
  const [counted, weighed, times] = sums.get(key) ?? [0, 0, []];
  sums.set(key, [counted + count, weighed + weight, [...times, ...millis]]);
}

function printFrame({ method, lineNumber, type }: Frame, isNativeC: boolean): string {
  if (method === null) return '[unknown]:0';
  const owner = method.type?.name ?? '';
  const isC = isNativeC && (type === 'Native' || type === 'C++');
  const isPlain = owner === '' || isC || /\.so(\.|$)/.test(owner);
  const name = isPlain ? method.name : `${formatClassName(owner)}.${method.name}`;
  return `${name.replace(/_\[k\]$/, '')}:${Math.max(0, lineNumber)}`;
}

function threadName(values: Values): string {
  const thread = (values['sampledThread'] ?? values['eventThread']) as
    | { readonly osName: string | null; readonly javaName: string | null }
    | null
    | undefined;
  return thread?.javaName || thread?.osName || '';
}

/** Reads a number, or a duration such as PT1.5S in nanoseconds. */
function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  const [, minutes = '0', seconds = '0'] =
    /^PT(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(String(value)) ?? [];
  return Number(minutes) * 60e9 + Math.round(Number(seconds) * 1e9);
}
