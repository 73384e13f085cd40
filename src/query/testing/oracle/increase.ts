// Naive evaluation of increases of counters: steps from one time of a series to the next.
import { wholeText, type PlainProfile, type PlainRow } from './plain-data.ts';
import { ascending } from './text-sums.ts';

const hour = 3_600_000_000_000n;

/** Returns the first time that must be read to find the steps that end at `from` or later. */
export function withStart(from: bigint): bigint {
  return from - hour;
}

/**
 * Returns each step that ends at `from` or later, as a profile with the time of the step. The
 * profile has the rows at the end of the step and, negated and marked, the rows at its start.
 * `selected` has only matching rows; `all` has every row.
 */
export function oracleIncrease(
  selected: readonly PlainProfile[],
  all: readonly PlainProfile[],
  from: bigint,
): PlainProfile[] {
  const seriesKey = ({ type, labels }: PlainProfile): string => `${type} ${JSON.stringify(labels)}`;
  return [...Map.groupBy(selected, seriesKey)].flatMap(([key, series]) => {
    const whole = all.filter((one) => seriesKey(one) === key);
    const totalAt = (time: bigint): bigint =>
      whole
        .filter(({ timeNanos }) => timeNanos === time)
        .reduce((sum, { rows }) => rows.reduce((inner, { value }) => inner + value, sum), 0n);
    const times = ascending([...new Set(series.map(({ timeNanos }) => timeNanos))]);
    return times.slice(1).flatMap((end, i) => {
      const start = times[i];
      if (end < from || end - start > hour) return [];
      const rowsAt = (time: bigint): PlainRow[] =>
        series.filter(({ timeNanos }) => timeNanos === time).flatMap(({ rows }) => rows);
      const isReset = totalAt(end) < totalAt(start);
      const lost = rowsAt(start).map((row) => ({ ...row, value: -row.value, isStart: true }));
      const [last, ...others] = series.filter(({ timeNanos }) => timeNanos === end);
      const isOnePeriod = others.every(({ period }) => period === last.period);
      return [
        {
          type: last.type,
          labels: last.labels,
          timeNanos: start,
          durationNanos: end - start,
          period: isOnePeriod ? last.period : 0n,
          rows: isReset ? rowsAt(end) : [...rowsAt(end), ...lost],
        },
      ];
    });
  });
}

/** Merges rows with the same stack and label set; drops rows whose values are all 0. */
export function joinRows(rows: readonly PlainRow[]): PlainRow[] {
  const rowKey = ({ frames, labels }: PlainRow): string =>
    `${frames.map(wholeText).join(';')} ${JSON.stringify(labels)}`;
  return [...Map.groupBy(rows, rowKey).values()]
    .map((same) => ({ ...same[0], value: same.reduce((sum, { value }) => sum + value, 0n) }))
    .filter(({ value }) => value !== 0n);
}
