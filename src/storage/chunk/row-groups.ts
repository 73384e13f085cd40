// The rows of a chunk as they are written: whole profiles, or changes from the previous profile.
import type { SortedRows } from './sort-rows.ts';
import { grown } from '../../model/column.ts';

/**
 * Rows of consecutive profiles that are all stored in the same way, whole or as changes. `labels`
 * is set if each row has its own labels.
 */
export interface RowGroup {
  /** Number of rows of each profile. */
  counts: Uint32Array;
  profileCount: number;
  entries: Uint32Array;
  labels: Uint32Array | undefined;
  /** Values, by stored value column. */
  values: BigInt64Array[];
  rowCount: number;
}

/**
 * Consecutive profiles that are all whole, or all stored as changes. Reading can start at any page.
 */
export interface RowPage {
  readonly isChanges: boolean;
  readonly profiles: number;
  readonly rows: number;
}

export interface GroupedRows {
  readonly full: RowGroup;
  /** Changes; undefined if every profile is whole. */
  readonly changes: RowGroup | undefined;
  readonly pages: readonly RowPage[];
}

/** Ratio of changed rows to all rows up to which storing changes saves space. */
const changedRowsMax = 1.2;
/** Number of pairs of profiles that are compared to estimate whether changes save space. */
const pairsTried = 8;

/** Usual number of profiles in a page. Pages have more profiles if these have few rows. */
const pageProfiles = 64;
const pageProfilesMax = 1024;
const pageRowsMin = 1024;
const pageRowsMax = 8192;

/** Returns pages of whole profiles. */
export function wholeProfiles(
  sorted: SortedRows,
  values: BigInt64Array[],
  labels: Uint32Array | undefined,
): GroupedRows {
  const { rowStart, entries } = sorted;
  const profileCount = rowStart.length - 1;
  const counts = new Uint32Array(profileCount);
  const pages: RowPage[] = [];
  let from = 0;
  for (let profile = 0; profile < profileCount; profile += 1) {
    const end = rowStart[profile + 1];
    counts[profile] = end - rowStart[profile];
    const profiles = profile + 1 - from;
    const rows = end - rowStart[from];
    const isEnough = profiles >= pageProfiles && rows >= pageRowsMin;
    const isFull = isEnough || profiles === pageProfilesMax || rows >= pageRowsMax;
    if (!isFull && profile + 1 < profileCount) continue;
    pages.push({ isChanges: false, profiles, rows });
    from = profile + 1;
  }
  const rowCount = entries.length;
  const full = { counts, profileCount, entries, labels, values, rowCount };
  return { full, changes: undefined, pages };
}

/**
 * Returns pages in which the first profile is whole and the others are changes; undefined if this
 * probably does not save space.
 */
export function changedProfiles(
  sorted: SortedRows,
  values: readonly BigInt64Array[],
): GroupedRows | undefined {
  const { rowStart } = sorted;
  const profileCount = rowStart.length - 1;
  if (!seemsToChangeLittle(sorted, values)) return undefined;
  const full = emptyGroup(values.length);
  const changes = emptyGroup(values.length);
  const pages: RowPage[] = [];
  for (let first = 0; first < profileCount; first += pageProfiles) {
    const end = Math.min(profileCount, first + pageProfiles);
    const rows = rowStart[first + 1] - rowStart[first];
    appendWhole(full, sorted, values, first);
    pages.push({ isChanges: false, profiles: 1, rows });
    if (end === first + 1) continue;
    const before = changes.rowCount;
    for (let profile = first + 1; profile < end; profile += 1) {
      appendChanges(changes, sorted, values, profile);
    }
    const changed = changes.rowCount - before;
    pages.push({ isChanges: true, profiles: end - first - 1, rows: changed });
    if (full.rowCount + changes.rowCount > rowStart[end] * changedRowsMax) return undefined;
  }
  return { full, changes, pages };
}

/** Compares a few profiles with their predecessors, and returns true if few rows have changed. */
function seemsToChangeLittle(sorted: SortedRows, values: readonly BigInt64Array[]): boolean {
  const { rowStart } = sorted;
  const profileCount = rowStart.length - 1;
  const tried = emptyGroup(values.length);
  let rows = 0;
  const stride = Math.max(1, Math.floor(profileCount / pairsTried));
  for (let profile = 1; profile < profileCount; profile += stride) {
    appendChanges(tried, sorted, values, profile);
    rows += rowStart[profile + 1] - rowStart[profile];
  }
  return tried.rowCount <= rows * changedRowsMax;
}

function emptyGroup(valueColumns: number): RowGroup {
  return {
    counts: new Uint32Array(0),
    profileCount: 0,
    entries: new Uint32Array(0),
    labels: undefined,
    values: Array.from({ length: valueColumns }, () => new BigInt64Array(0)),
    rowCount: 0,
  };
}

/** Reserves space for another profile of `rows` rows. */
function reserve(group: RowGroup, rows: number): void {
  group.counts = grown(group.counts, group.profileCount + 1);
  group.entries = grown(group.entries, group.rowCount + rows);
  group.values = group.values.map((valueColumn) => grown(valueColumn, group.rowCount + rows));
}

function endProfile(group: RowGroup, rows: number): void {
  group.counts[group.profileCount] = rows;
  group.profileCount += 1;
  group.rowCount += rows;
}

function appendWhole(
  group: RowGroup,
  { rowStart, entries }: SortedRows,
  values: readonly BigInt64Array[],
  profile: number,
): void {
  const from = rowStart[profile];
  const to = rowStart[profile + 1];
  reserve(group, to - from);
  group.entries.set(entries.subarray(from, to), group.rowCount);
  values.forEach((valueColumn, i) =>
    group.values[i].set(valueColumn.subarray(from, to), group.rowCount),
  );
  endProfile(group, to - from);
}

/**
 * Walks the rows of two profiles together. A row that only one profile has counts as 0 in the other
 * profile.
 */
function appendChanges(
  group: RowGroup,
  { rowStart, entries }: SortedRows,
  values: readonly BigInt64Array[],
  profile: number,
): void {
  let old = rowStart[profile - 1];
  let now = rowStart[profile];
  const oldEnd = now;
  const nowEnd = rowStart[profile + 1];
  reserve(group, oldEnd - old + (nowEnd - now));
  const words = values.map(
    (valueColumn) => new Int32Array(valueColumn.buffer, valueColumn.byteOffset),
  );
  let at = group.rowCount;
  while (old < oldEnd || now < nowEnd) {
    const oldEntry = old < oldEnd ? entries[old] : Infinity;
    const nowEntry = now < nowEnd ? entries[now] : Infinity;
    const isOld = oldEntry <= nowEntry;
    const isNow = nowEntry <= oldEntry;
    if (!isOld || !isNow || differs(words, old, now)) {
      group.entries[at] = isOld ? oldEntry : nowEntry;
      for (let valueColumn = 0; valueColumn < values.length; valueColumn += 1) {
        const into = group.values[valueColumn];
        into[at] = 0n;
        if (isNow) into[at] += values[valueColumn][now];
        if (isOld) into[at] -= values[valueColumn][old];
      }
      at += 1;
    }
    if (isOld) old += 1;
    if (isNow) now += 1;
  }
  endProfile(group, at - group.rowCount);
}

function differs(words: readonly Int32Array[], a: number, b: number): boolean {
  for (const valueColumn of words) {
    if (
      valueColumn[a * 2] !== valueColumn[b * 2] ||
      valueColumn[a * 2 + 1] !== valueColumn[b * 2 + 1]
    )
      return true;
  }
  return false;
}
