// Joins lines over time that have the same labels.
import { labelSetKey } from '../../model/labels.ts';
import type { LineOverTime } from '../../storage/interface.ts';

/**
 * Adds up lines with the same labels, bucket by bucket; other lines stay unchanged, in their order.
 */
export function joinLines(lines: readonly LineOverTime[]): LineOverTime[] {
  const byLabels = Map.groupBy(lines, ({ labels }) => labelSetKey(labels));
  return Array.from(byLabels.values(), addLines);
}

/** Adds up lines with the same labels. */
function addLines(all: readonly LineOverTime[]): LineOverTime {
  const [first] = all;
  if (all.length === 1) return first;
  const starts = [...new Set(all.flatMap(({ startNanos }) => [...startNanos]))];
  const rowByStart = new Map(starts.map((start, row) => [start, row]));
  const sum = {
    labels: first.labels,
    startNanos: BigInt64Array.from(starts),
    firstNanos: new BigInt64Array(starts.length),
    isMixed: new Uint8Array(starts.length),
    durationNanos: new BigInt64Array(starts.length),
    value: new BigInt64Array(starts.length),
    count: new Uint32Array(starts.length),
    longValue: new BigInt64Array(starts.length),
    longRate: new Float64Array(starts.length),
    total: BigInt.asIntN(
      64,
      all.reduce((total, line) => total + line.total, 0n),
    ),
    shares: new Map(all.flatMap(({ shares }) => [...shares])),
  };
  const isFilled = new Uint8Array(starts.length);
  for (const line of all) {
    line.startNanos.forEach((start, bucket) => {
      const row = rowByStart.get(start) ?? 0;
      addTimes(sum, row, line, bucket, isFilled[row] === 1);
      isFilled[row] = 1;
      sum.value[row] += line.value[bucket];
      sum.count[row] += line.count[bucket];
      sum.longValue[row] += line.longValue[bucket];
      sum.longRate[row] += line.longRate[bucket];
    });
  }
  return sum;
}

/** Adds the times of a bucket to a row of the sum. */
function addTimes(
  sum: Pick<LineOverTime, 'firstNanos' | 'isMixed' | 'durationNanos'>,
  row: number,
  line: LineOverTime,
  bucket: number,
  isFilled: boolean,
): void {
  const first = line.firstNanos[bucket];
  const duration = line.durationNanos[bucket];
  if (!isFilled) {
    sum.firstNanos[row] = first;
    sum.isMixed[row] = line.isMixed[bucket];
    sum.durationNanos[row] = duration;
    return;
  }
  if (line.isMixed[bucket] === 1 || first !== sum.firstNanos[row]) sum.isMixed[row] = 1;
  if (first < sum.firstNanos[row]) sum.firstNanos[row] = first;
  if (duration < sum.durationNanos[row]) sum.durationNanos[row] = duration;
}
