// Digests of many consecutive profiles of a chunk, joined from cached digests of groups.
import { computeDigest, type ProfileDigest } from '../../model/profiles/profile-digest.ts';
import type { ProfileColumns } from '../../model/profiles/profile-columns.ts';
import { columnsIn } from './lazy-columns.ts';

/**
 * Number of profiles in a group. Reading the profiles of a group takes about as long as joining the
 * digests of all groups.
 */
const groupProfiles = 512;

/**
 * Digests of the profiles of one sample type. The digest of a whole group is computed once, so that
 * repeated queries for most of a chunk do not read all of it each time.
 */
export class DigestGroups {
  readonly #columns: ProfileColumns;
  readonly #rowCounts: Uint32Array;
  /**
   * First profile of each group, and after them the end of the last group. Profiles with the same
   * time are in the same group.
   */
  readonly #starts: readonly number[];
  readonly #groups: (ProfileDigest | undefined)[] = [];

  /** Creates groups. Keeps `columns` and `rowCounts`, which must not change. */
  constructor(columns: ProfileColumns, rowCounts: Uint32Array) {
    this.#columns = columns;
    this.#rowCounts = rowCounts;
    this.#starts = groupStarts(columns);
  }

  /** Returns the digest of profiles `first` .. `end`. The range has at least one profile. */
  sumDigests(first: number, end: number): ProfileDigest {
    const starts = this.#starts;
    const from = starts.findIndex((start) => start >= first);
    const to = starts.findLastIndex((start) => start <= end);
    if (from < 0 || to <= from) return this.#compute(first, end);
    const digests: ProfileDigest[] = [];
    if (first < starts[from]) digests.push(this.#compute(first, starts[from]));
    for (let group = from; group < to; group += 1) {
      digests.push((this.#groups[group] ??= this.#compute(starts[group], starts[group + 1])));
    }
    // The last group may be only partly in the range, and then end at the same time as profiles
    // after the range. No two groups share a time.
    if (starts[to] < end) digests.push(this.#compute(starts[to], end));
    return digests.reduce(joinDigests);
  }

  #compute(first: number, end: number): ProfileDigest {
    let rowCount = 0;
    for (let i = first; i < end; i += 1) rowCount += this.#rowCounts[i];
    return computeDigest(columnsIn(this.#columns, first, end), rowCount);
  }
}

function groupStarts({ profileCount, timeNanos }: ProfileColumns): number[] {
  const starts = [0];
  for (let at = groupProfiles; at < profileCount; at += groupProfiles) {
    while (at < profileCount && timeNanos[at] === timeNanos[at - 1]) at += 1;
    if (at < profileCount) starts.push(at);
  }
  starts.push(profileCount);
  return starts;
}

/** Joins the digests `a` and `b`. All profiles of `b` are later than those of `a`. */
export function joinDigests(a: ProfileDigest, b: ProfileDigest): ProfileDigest {
  const spacing = Number(b.firstNanos - a.lastNanos);
  const spacings = [spacing];
  if (a.profileCount > 1) spacings.push(a.spacingMinNanos, a.spacingMaxNanos);
  if (b.profileCount > 1) spacings.push(b.spacingMinNanos, b.spacingMaxNanos);
  const covered = Math.min(Math.max(a.lastDurationNanos, 0), spacing);
  return {
    profileCount: a.profileCount + b.profileCount,
    rowCount: a.rowCount + b.rowCount,
    firstNanos: a.firstNanos,
    lastNanos: b.lastNanos,
    total: BigInt.asIntN(64, a.total + b.total),
    magnitude: a.magnitude + b.magnitude,
    count: a.count + b.count,
    period: a.period === b.period ? a.period : undefined,
    spacingMinNanos: Math.min(...spacings),
    spacingMaxNanos: Math.max(...spacings),
    coveredNanos: a.coveredNanos + covered + b.coveredNanos,
    lastDurationNanos: b.lastDurationNanos,
  };
}
