// Joins lines that belong together, such as the lines of one service or of one version. Each of
// these may be named by several labels, so the labels are given as lists.
import { int64Max } from '../../base/int64.ts';
import { createLabelSet, labelValue } from '../../model/labels.ts';
import type { LineOverTime, SelectedSeries } from '../../storage/interface.ts';

/**
 * Joins lines. In each of `lists`, only the first label that a line has counts; lines with equal
 * values of these labels become one line. Its buckets are marked as having several times.
 */
export function joinByFirstLabels(
  lines: readonly LineOverTime[],
  lists: readonly (readonly string[])[],
  stepNanos: bigint,
): LineOverTime[] {
  const groups = new Map<string, { labels: LineOverTime['labels']; lines: LineOverTime[] }>();
  for (const line of lines) {
    const found = lists.flatMap((names) => {
      const name = names.find((one) => labelValue(line.labels, one) !== '');
      return name === undefined ? [] : { name, value: labelValue(line.labels, name) };
    });
    const key = JSON.stringify(found);
    const group = groups.get(key) ?? { labels: createLabelSet(found), lines: [] };
    group.lines.push(line);
    groups.set(key, group);
  }
  return Array.from(groups.values(), ({ labels, lines: group }) =>
    group.length === 1 ? { ...group[0], labels } : joined(group, labels, stepNanos),
  );
}

function joined(
  lines: readonly LineOverTime[],
  labels: LineOverTime['labels'],
  stepNanos: bigint,
): LineOverTime {
  const rowByStart = new Map<bigint, number>();
  for (const { startNanos } of lines) {
    for (const start of startNanos)
      if (!rowByStart.has(start)) rowByStart.set(start, rowByStart.size);
  }
  const size = rowByStart.size;
  const sum = {
    startNanos: BigInt64Array.from(rowByStart.keys()),
    firstNanos: new BigInt64Array(size).fill(int64Max),
    isMixed: new Uint8Array(size).fill(1),
    durationNanos: new BigInt64Array(size).fill(stepNanos),
    value: new BigInt64Array(size),
    count: new Uint32Array(size),
    longValue: new BigInt64Array(size),
    longRate: new Float64Array(size),
  };
  const shares = new Map<SelectedSeries, bigint>();
  let total = 0n;
  for (const line of lines) {
    line.startNanos.forEach((start, i) => {
      const row = rowByStart.get(start) ?? 0;
      if (line.firstNanos[i] < sum.firstNanos[row]) sum.firstNanos[row] = line.firstNanos[i];
      sum.value[row] += line.value[i];
      sum.count[row] += line.count[i];
      sum.longValue[row] += line.longValue[i];
      sum.longRate[row] += line.longRate[i];
    });
    total += line.total;
    for (const [series, share] of line.shares) {
      shares.set(series, BigInt.asIntN(64, (shares.get(series) ?? 0n) + share));
    }
  }
  return { labels, ...sum, total: BigInt.asIntN(64, total), shares };
}
