// Digests of long runs of a chunk's profiles, joined from digests of groups that are kept.
import { digestOf, type ProfileDigest } from '../../model/profiles/profile-digest.ts';
import type { ProfileColumns } from '../../model/profiles/profile-columns.ts';
import { joinDigests } from './join-digests.ts';
import { columnsIn } from './lazy-columns.ts';

/** Profiles of a group. Reading them takes about as long as joining the digests of all groups. */
const groupProfiles = 512;

/**
 * Digests of the profiles of one plane. What a range has of whole groups is computed once, so that
 * asking for most of a chunk again and again does not look at all of it.
 */
export class DigestGroups {
  readonly #columns: ProfileColumns;
  readonly #rowCounts: Uint32Array;
  /** Where groups start, and where the last one ends: no moment is in two of them. */
  readonly #starts: readonly number[];
  readonly #groups: (ProfileDigest | undefined)[] = [];

  /** Borrows the columns, and the number of rows of each profile. */
  constructor(columns: ProfileColumns, rowCounts: Uint32Array) {
    this.#columns = columns;
    this.#rowCounts = rowCounts;
    this.#starts = groupStarts(columns);
  }

  /** Returns the digest of profiles first .. end, at least one. */
  digestOf(first: number, end: number): ProfileDigest {
    const starts = this.#starts;
    const from = starts.findIndex((start) => start >= first);
    const to = starts.findLastIndex((start) => start <= end);
    if (from < 0 || to <= from) return this.#compute(first, end);
    const digests: ProfileDigest[] = [];
    if (first < starts[from]) digests.push(this.#compute(first, starts[from]));
    for (let group = from; group < to; group += 1) {
      digests.push((this.#groups[group] ??= this.#compute(starts[group], starts[group + 1])));
    }
    // A last group in part may have the moment that the range ends in, but none of another group.
    if (starts[to] < end) digests.push(this.#compute(starts[to], end));
    return digests.reduce(joinDigests);
  }

  #compute(first: number, end: number): ProfileDigest {
    let rowCount = 0;
    for (let i = first; i < end; i += 1) rowCount += this.#rowCounts[i];
    return digestOf(columnsIn(this.#columns, first, end), rowCount);
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
