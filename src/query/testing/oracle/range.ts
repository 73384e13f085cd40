// Naive evaluation of values over time.
import { oracleSelect, oracleSteps } from './select.ts';
import {
  isCountOfSamples,
  labelsText,
  valueUnit,
  type PlainProfile,
  type PlainRange,
} from './plain-data.ts';
import { roundRate } from '../print-report.ts';
import { ascending } from './text-sums.ts';

/** A line of a graph, its largest value and the sum of all its values. */
export interface OracleLine {
  /** `labels: time value duration count rate, ... = total`. */
  readonly text: string;
  readonly largest: bigint;
}

export function oracleRange(
  profiles: readonly PlainProfile[],
  { selection, stepNanos, offsetNanos, sumBy }: PlainRange,
): OracleLine[] {
  const { type, steps, isIncrease, except } = selection;
  const isDelta = type.endsWith(':delta') || isIncrease;
  const isCpuTime = valueUnit(type, true) === 'nanoseconds';
  const step = stepNanos === 0n ? 1n : stepNanos;
  // Values of each row, by line.
  const points = oracleSelect(profiles, selection).flatMap((profile) => {
    const names = sumBy.length === 0 && !isDelta ? Object.keys(profile.labels).sort() : sumBy;
    // A step counts at its end time.
    const end = profile.timeNanos + (isIncrease ? profile.durationNanos : 0n);
    const time = end + offsetNanos;
    const bucket = time - (((time % step) + step) % step);
    // After an excluded time, a bucket of states begins again.
    const isAfter = !isDelta && except !== undefined && profile.timeNanos > except.to;
    const key = `${bucket} ${isAfter}`;
    const factor = isDelta && isCountOfSamples(type) ? profile.period : 1n;
    return profile.rows.map((row) => {
      const isLeft = oracleSteps(row.frames, steps) !== undefined;
      const [line, series] = [labelsText(names, profile, row), JSON.stringify(profile.labels)];
      const value = isLeft ? row.value * factor : 0n;
      const count = isLeft && row.isStart !== true ? 1 : 0;
      return { line, bucket, key, series, time, duration: profile.durationNanos, value, count };
    });
  });
  return [...Map.groupBy(points, ({ line }) => line)].map(([line, all]) => {
    const buckets = [...Map.groupBy(all, ({ key }) => key).values()];
    buckets.sort(([a], [b]) =>
      a.bucket === b.bucket ? Number(a.time - b.time) : Number(a.bucket - b.bucket),
    );
    const shown = buckets.map((inside) => {
      const [{ bucket: start }] = inside;
      const [first] = ascending(inside.map(({ time }) => time));
      const isFirstOfSeries = ({ series, time }: (typeof all)[number]): boolean =>
        !inside.some((other) => other.series === series && other.time < time);
      const counted = isDelta ? inside : inside.filter(isFirstOfSeries);
      const value = counted.reduce((sum, one) => sum + one.value, 0n);
      const isOneMoment = inside.every(({ time }) => time === first);
      const lasts = isOneMoment ? ascending(inside.map(({ duration }) => duration))[0] : step;
      const count = inside.reduce((sum, one) => sum + one.count, 0);
      const seconds = Number(lasts) / (isCpuTime ? 1 : 1e9);
      const rate = isIncrease
        ? rateOfSteps(inside, step) * (isCpuTime ? 1 : 1e9)
        : seconds === 0
          ? 0
          : Number(value) / seconds;
      const rest = isDelta ? `${lasts} ${count} ${roundRate(rate)}` : `0 ${count} ${Number(value)}`;
      return { value, text: `${isDelta ? start : first} ${value} ${rest}` };
    });
    const total = all.reduce((sum, { value }) => sum + value, 0n);
    const text = `${line}: ${shown.map((point) => point.text).join(', ')} = ${total}`;
    return { text, largest: ascending(shown.map(({ value }) => value))[shown.length - 1] };
  });
}

/** Returns the value of a step per nanosecond of the step or of the bucket, whichever is longer. */
function rateOfSteps(
  rows: readonly { readonly value: bigint; readonly duration: bigint }[],
  bucket: bigint,
): number {
  return [...Map.groupBy(rows, ({ duration }) => duration)].reduce((rate, [duration, same]) => {
    const value = same.reduce((sum, one) => sum + one.value, 0n);
    return rate + Number(value) / Number(duration > bucket ? duration : bucket);
  }, 0);
}
