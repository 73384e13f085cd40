// A naive evaluation of values over time.
import { oracleSelect, oracleSteps } from './oracle-select.ts';
import { isCountOfSamples, labelsText, unitOf } from './plain-data.ts';
import type { PlainProfile, PlainRange } from './plain-data.ts';

/** A line of a graph, and its largest value. */
export interface OracleLine {
  /** `labels: time value duration count rate, ...`. */
  readonly text: string;
  readonly largest: bigint;
}

export function oracleRange(
  profiles: readonly PlainProfile[],
  { selection, stepNanos, offsetNanos, sumBy }: PlainRange,
): OracleLine[] {
  const { type, steps } = selection;
  const isDelta = type.endsWith(':delta');
  const isCpuTime = unitOf(type, true) === 'nanoseconds';
  const step = stepNanos === 0n ? 1n : stepNanos;
  // What each profile has in each line.
  const points = oracleSelect(profiles, selection).flatMap((profile) => {
    const names = sumBy.length === 0 && !isDelta ? Object.keys(profile.labels).sort() : sumBy;
    const time = profile.timeNanos + offsetNanos;
    const bucket = time - (((time % step) + step) % step);
    const factor = isDelta && isCountOfSamples(type) ? profile.period : 1n;
    return [...Map.groupBy(profile.rows, (row) => labelsText(names, profile, row))].map(
      ([line, rows]) => {
        const left = rows.filter(({ frames }) => oracleSteps(frames, steps) !== undefined);
        const value = left.reduce((sum, row) => sum + row.value * factor, 0n);
        const series = JSON.stringify(profile.labels);
        const { durationNanos: duration } = profile;
        return { line, bucket, series, time, duration, value, count: left.length };
      },
    );
  });
  return [...Map.groupBy(points, ({ line }) => line)].map(([line, all]) => {
    const buckets = [...Map.groupBy(all, ({ bucket }) => bucket)];
    const shown = buckets.toSorted(byNumber).map(([start, inside]) => {
      const first = least(inside.map(({ time }) => time));
      const isFirstOfSeries = ({ series, time }: (typeof all)[number]): boolean =>
        !inside.some((other) => other.series === series && other.time < time);
      const counted = isDelta ? inside : inside.filter(isFirstOfSeries);
      const value = counted.reduce((sum, one) => sum + one.value, 0n);
      const isOneMoment = inside.every(({ time }) => time === first);
      const lasts = isOneMoment ? least(inside.map(({ duration }) => duration)) : step;
      const count = inside.reduce((sum, one) => sum + one.count, 0);
      const seconds = Number(lasts) / (isCpuTime ? 1 : 1e9);
      const rate = seconds === 0 ? 0 : Number(value) / seconds;
      const rest = isDelta ? `${lasts} ${count} ${rate}` : `0 ${count} ${Number(value)}`;
      return { value, text: `${isDelta ? start : first} ${value} ${rest}` };
    });
    const text = `${line}: ${shown.map((point) => point.text).join(', ')}`;
    return { text, largest: -least(shown.map(({ value }) => -value)) };
  });
}

function byNumber([a]: readonly [bigint, unknown], [b]: readonly [bigint, unknown]): number {
  return a < b ? -1 : 1;
}

function least(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (a < b ? a : b));
}
