// The names that Pyroscope gives to profile types, and how their values are converted.
import { isCpuTime, describeTime } from '../../model/profile-meaning.ts';
import { formatProfileType, parseProfileType, type ProfileType } from '../../model/profile-type.ts';

/**
 * Conversion of stored values. Counts that represent time are multiplied by the period of their
 * profile. Counters become increases, as in the data of Pyroscope's senders.
 */
export type ValueChange = 'none' | 'times period' | 'increase';

/** A type as Pyroscope's clients see it. */
export interface ShownType {
  /**
   * Type as clients see it. It always has `delta`, because values are plain sums; Pyroscope's names
   * do not include it.
   */
  readonly shown: ProfileType;
  readonly change: ValueChange;
  /** True if the type is used only where no other type with the same shown name has profiles. */
  readonly isFallback: boolean;
}

const wallName = 'wall';
const cpu = parseProfileType('process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta');

/** Returns the names of a stored type, at least one. */
export function listShownTypes(type: ProfileType): readonly ShownType[] {
  const { name, period } = type;
  const change = describeTime(type) === 'counts' ? 'increase' : 'none';
  const shownName = isOfWallTime(type) ? wallName : name;
  const own: ShownType = {
    shown: { ...type, name: shownName, delta: true },
    change,
    isFallback: false,
  };
  const isOfCpu = period.type.toLowerCase() === 'cpu' && period.unit === 'nanoseconds';
  if (!isOfCpu || !type.delta) return [own];
  // Some Python profilers spell "cpu" as "CPU".
  const isCpuOfProcess = name === cpu.name && isCpuTime(type) && type.sample.unit === 'nanoseconds';
  if (isCpuOfProcess) return [{ ...own, shown: cpu }];
  const isCounted = type.sample.type === 'samples' && type.sample.unit === 'count';
  if (!isCounted) return [own];
  const scaled: ShownType = { shown: cpu, change: 'times period', isFallback: false };
  if (name === 'parca_agent') return [scaled];
  // OpenTelemetry profilers send only counts; Go sends them in addition to the time.
  return name === cpu.name ? [own, { ...scaled, isFallback: true }] : [own];
}

/**
 * Returns true for profiles with both CPU time and wall time, which the SDK for Node.js pushes.
 * Pyroscope names both types after the wall time.
 *
 * Source: `metricName` in pkg/og/convert/pprof/profile.go of Pyroscope.
 */
function isOfWallTime({ name, period }: ProfileType): boolean {
  return name === cpu.name && period.type === wallName;
}

/** Returns the name in Pyroscope's notation, which has five parts. */
function pyroscopeId(shown: ProfileType): string {
  return formatProfileType({ ...shown, delta: false });
}

/** Labels that Pyroscope derives from the type of a profile. */
export const typeLabels: ReadonlyMap<string, (shown: ProfileType) => string> = new Map([
  ['__name__', ({ name }: ProfileType) => name],
  ['__period_type__', ({ period }: ProfileType) => period.type],
  ['__period_unit__', ({ period }: ProfileType) => period.unit],
  ['__profile_type__', pyroscopeId],
  ['__type__', ({ sample }: ProfileType) => sample.type],
  ['__unit__', ({ sample }: ProfileType) => sample.unit],
]);
