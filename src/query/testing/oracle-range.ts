// A second, naive evaluation of values over time.
import { isCountOfSamples, oracleGroups } from './oracle-select.ts';
import type { OracleProfile } from './oracle-select.ts';
import { sumOf } from './oracle.ts';

/** What one series has in one line at one moment. */
interface Point {
  readonly series: string;
  readonly profile: OracleProfile;
  readonly value: bigint;
  readonly rowCount: number;
}

/** `line: time value duration count rate, ...` for each line; sorted. */
export function oracleRange(
  profiles: readonly OracleProfile[],
  stepNanos: bigint,
  sumBy: readonly string[],
): string[] {
  const [, sampleType, sampleUnit, , , delta] = profiles[0]?.type.split(':') ?? [];
  const isDelta = delta === 'delta';
  const isCount = profiles.length > 0 && isCountOfSamples(profiles[0].type);
  const isScaled = isDelta && isCount;
  const isCpuTime = isScaled || (sampleType === 'cpu' && sampleUnit === 'nanoseconds');
  const lines = new Map<string, Map<bigint, Point[]>>();
  const step = stepNanos === 0n ? 1n : stepNanos;
  for (const profile of profiles) {
    const series = JSON.stringify(profile.labels);
    for (const [key, rows] of oracleGroups([profile], sumBy, isScaled)) {
      const line = sumBy.length === 0 && !isDelta ? textOf(profile.labels) : key;
      const buckets = lines.get(line) ?? new Map<bigint, Point[]>();
      lines.set(line, buckets);
      const bucket = (profile.timeNanos / step) * step;
      const points = buckets.get(bucket) ?? [];
      buckets.set(bucket, points);
      points.push({ series, profile, value: sumOf(rows), rowCount: rows.length });
    }
  }
  const texts = [...lines].map(([line, buckets]) => {
    const points = [...buckets]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([start, all]) => (isDelta ? deltaText(start, all, step, isCpuTime) : stateText(all)));
    return `${line}: ${points.join(', ')}`;
  });
  return texts.sort();
}

function deltaText(start: bigint, points: Point[], step: bigint, isCpuTime: boolean): string {
  const value = sumOf(points);
  const isOneMoment = new Set(points.map(({ profile }) => profile.timeNanos)).size === 1;
  const durations = points.map(({ profile }) => profile.durationNanos);
  const duration = isOneMoment ? durations.reduce((a, b) => (a < b ? a : b)) : step;
  const seconds = Number(duration) / (isCpuTime ? 1 : 1e9);
  const rate = seconds === 0 ? 0 : Number(value) / seconds;
  return `${start} ${value} ${duration} ${countOf(points)} ${rate}`;
}

/** The sum of the first state of each series. */
function stateText(points: Point[]): string {
  const firsts = new Map<string, bigint>();
  for (const { series, profile } of points) {
    const first = firsts.get(series) ?? profile.timeNanos;
    firsts.set(series, profile.timeNanos < first ? profile.timeNanos : first);
  }
  const value = sumOf(points.filter((one) => one.profile.timeNanos === firsts.get(one.series)));
  const time = [...firsts.values()].reduce((a, b) => (a < b ? a : b));
  return `${time} ${value} 0 ${countOf(points)} ${Number(value)}`;
}

function countOf(points: readonly Point[]): number {
  return points.reduce((sum, { rowCount }) => sum + rowCount, 0);
}

function textOf(labels: OracleProfile['labels']): string {
  const pairs = Object.entries(labels).map((pair) => pair.join('='));
  return pairs.sort().join(' ');
}
