// What profiles say together, computed from their columns.
import { numberAt, wordsOf } from '../base/int64.ts';
import { sumMagnitude, sumValues } from '../model/merge.ts';
import type { PieceDigest, ProfileColumns } from './selection.ts';

/** The digest of at least one profile in order of time, `rowCount` rows in all; about 10 ns each. */
export function digestOf(columns: ProfileColumns, rowCount: number): PieceDigest {
  const { profileCount, timeNanos, period, total, count: counts } = columns;
  let count = 0;
  for (let i = 0; i < profileCount; i += 1) count += counts[i];
  return {
    profileCount,
    rowCount,
    firstNanos: timeNanos[0],
    lastNanos: timeNanos[profileCount - 1],
    total: sumValues(total),
    magnitude: sumMagnitude(total),
    count,
    period: commonValue(period),
    ...digestOfTimes(columns),
  };
}

/** The facts about times and durations. */
export type TimesDigest = Pick<
  PieceDigest,
  'spacingMinNanos' | 'spacingMaxNanos' | 'coveredNanos' | 'lastDurationNanos'
>;

export function digestOfTimes({
  profileCount,
  timeNanos,
  durationNanos,
}: Pick<ProfileColumns, 'profileCount' | 'timeNanos' | 'durationNanos'>): TimesDigest {
  const times = wordsOf(timeNanos);
  const durations = wordsOf(durationNanos);
  let spacingMinNanos = profileCount < 2 ? 0 : Number.POSITIVE_INFINITY;
  let spacingMaxNanos = 0;
  let coveredNanos = 0;
  // Of profiles at one moment the longest covers what follows.
  let lastDurationNanos = numberAt(durations, 0);
  for (let i = 1; i < profileCount; i += 1) {
    const spacing =
      (times[i * 2 + 1] - times[i * 2 - 1]) * 0x1_0000_0000 +
      ((times[i * 2] >>> 0) - (times[i * 2 - 2] >>> 0));
    const duration = numberAt(durations, i);
    if (spacing < spacingMinNanos) spacingMinNanos = spacing;
    if (spacing > spacingMaxNanos) spacingMaxNanos = spacing;
    if (lastDurationNanos > 0) {
      coveredNanos += lastDurationNanos < spacing ? lastDurationNanos : spacing;
    }
    if (spacing > 0 || duration > lastDurationNanos) lastDurationNanos = duration;
  }
  return { spacingMinNanos, spacingMaxNanos, coveredNanos, lastDurationNanos };
}

/** The value that all elements share. */
function commonValue(values: BigInt64Array): bigint | undefined {
  const words = wordsOf(values);
  for (let i = 2; i < words.length; i += 2) {
    if (words[i] !== words[0] || words[i + 1] !== words[1]) return undefined;
  }
  return values[0];
}
