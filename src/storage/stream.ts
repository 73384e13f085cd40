// One stream: the profiles of one label set and shape, as columns.
import { grown } from '../model/column.ts';
import { formatProfileType, type ProfileType } from '../model/profile-type.ts';
import type { TimeRange } from './interface.ts';
import { profileTypesOf, type StreamKey } from './stream-key.ts';

/** One profile as the columns hold it; its rows are in the arena already. */
export interface StoredProfile {
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
  readonly period: bigint;
  /** In its low 32 bits. */
  readonly contentHash: bigint;
  readonly runSegment: number;
  readonly runOffset: number;
  readonly runRows: number;
  readonly isLabelled: boolean;
}

/** Profiles of one stream, in order of time. Ownership: views, valid until the next await. */
export interface StoredProfiles {
  readonly profileCount: number;
  readonly timeNanos: BigInt64Array;
  readonly durationNanos: BigInt64Array;
  readonly period: BigInt64Array;
  readonly contentHash: Uint32Array;
  /** Segment of the arena, start in units of 8 bytes, and number of rows: see RowSegment. */
  readonly runSegment: Uint32Array;
  readonly runOffset: Uint32Array;
  readonly runRows: Uint32Array;
  readonly runLabelled: Uint8Array;
  readonly planeCount: number;
}

/** Late profiles that may wait behind the sorted ones before the columns are sorted anew. */
const unsortedMax = 64;
const initialProfiles = 4;

/**
 * Shape: every column has `profileCount` used elements, one per profile; `total` and `count` have
 * one column per sample type. Order: of time once `sort` ran, of arrival among equal times.
 * Ownership: used elements never change (sorting makes new columns), so views stay right.
 */
export class Stream {
  readonly ref: number;
  readonly key: StreamKey;
  /** One for each sample type. */
  readonly types: readonly ProfileType[];
  readonly typeTexts: readonly string[];
  profileCount = 0;
  timeNanos = new BigInt64Array(initialProfiles);
  durationNanos = new BigInt64Array(initialProfiles);
  period = new BigInt64Array(initialProfiles);
  /** The low half of what the profile is recognized by. */
  contentHash = new Uint32Array(initialProfiles);
  runSegment = new Uint32Array(initialProfiles);
  runOffset = new Uint32Array(initialProfiles);
  runRows = new Uint32Array(initialProfiles);
  runLabelled = new Uint8Array(initialProfiles);
  readonly total: BigInt64Array[];
  readonly count: Uint32Array[];
  /** SampleLabelsIndex of every row so far. */
  readonly sampleLabels = new Set<number>();
  /** Names of the text labels among them. */
  readonly sampleLabelNames = new Set<string>();
  /** Sequence of the last log segment that defines the stream durably; 0 = none. */
  loggedSegment = 0;
  /** Profiles that are in order of time; those behind arrived late. */
  private sortedCount = 0;

  constructor(ref: number, key: StreamKey) {
    this.ref = ref;
    this.key = key;
    this.types = profileTypesOf(key);
    this.typeTexts = this.types.map(formatProfileType);
    this.total = key.sampleTypes.map(() => new BigInt64Array(initialProfiles));
    this.count = key.sampleTypes.map(() => new Uint32Array(initialProfiles));
  }

  /** Adds a profile; the caller has set `total` and `count` at `profileCount` (see `grow`). */
  push(profile: StoredProfile): void {
    const row = this.profileCount;
    this.timeNanos[row] = profile.timeNanos;
    this.durationNanos[row] = profile.durationNanos;
    this.period[row] = profile.period;
    this.contentHash[row] = Number(BigInt.asUintN(32, profile.contentHash));
    this.runSegment[row] = profile.runSegment;
    this.runOffset[row] = profile.runOffset;
    this.runRows[row] = profile.runRows;
    this.runLabelled[row] = profile.isLabelled ? 1 : 0;
    this.profileCount = row + 1;
    const isInOrder = row === 0 || profile.timeNanos >= this.timeNanos[row - 1];
    if (this.sortedCount === row && isInOrder) this.sortedCount = row + 1;
    else if (row + 1 - this.sortedCount > unsortedMax) this.sort();
  }

  /** Makes room for one more profile in every column. */
  grow(): void {
    const rows = this.profileCount + 1;
    if (rows <= this.timeNanos.length) return;
    this.timeNanos = grown(this.timeNanos, rows);
    this.durationNanos = grown(this.durationNanos, rows);
    this.period = grown(this.period, rows);
    this.contentHash = grown(this.contentHash, rows);
    this.runSegment = grown(this.runSegment, rows);
    this.runOffset = grown(this.runOffset, rows);
    this.runRows = grown(this.runRows, rows);
    this.runLabelled = grown(this.runLabelled, rows);
    for (let i = 0; i < this.total.length; i += 1) {
      this.total[i] = grown(this.total[i], rows);
      this.count[i] = grown(this.count[i], rows);
    }
  }

  /** Whether the profile with this time and content is stored. */
  has(timeNanos: bigint, contentHash: bigint): boolean {
    const hash = Number(BigInt.asUintN(32, contentHash));
    for (let row = this.firstAt(timeNanos); row < this.sortedCount; row += 1) {
      if (this.timeNanos[row] !== timeNanos) break;
      if (this.contentHash[row] === hash) return true;
    }
    for (let row = this.sortedCount; row < this.profileCount; row += 1) {
      if (this.timeNanos[row] === timeNanos && this.contentHash[row] === hash) return true;
    }
    return false;
  }

  /** The profiles in a range: rows first .. end, in order of time. */
  rowsIn(range: TimeRange): { readonly first: number; readonly end: number } {
    this.sort();
    return { first: this.firstAt(range.from), end: this.firstAt(range.to + 1n) };
  }

  /** The profiles in a range as columns of their own. */
  profilesIn(range: TimeRange): StoredProfiles {
    const { first, end } = this.rowsIn(range);
    return {
      profileCount: end - first,
      timeNanos: this.timeNanos.subarray(first, end),
      durationNanos: this.durationNanos.subarray(first, end),
      period: this.period.subarray(first, end),
      contentHash: this.contentHash.subarray(first, end),
      runSegment: this.runSegment.subarray(first, end),
      runOffset: this.runOffset.subarray(first, end),
      runRows: this.runRows.subarray(first, end),
      runLabelled: this.runLabelled.subarray(first, end),
      planeCount: this.types.length,
    };
  }

  /** The first of the sorted rows at or after a time. */
  private firstAt(timeNanos: bigint): number {
    const { timeNanos: times } = this;
    let low = 0;
    let high = this.sortedCount;
    if (high === 0 || times[high - 1] < timeNanos) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (times[middle] < timeNanos) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Puts all profiles in order of time, into new columns. */
  private sort(): void {
    const { profileCount, timeNanos: times } = this;
    if (this.sortedCount === profileCount) return;
    const order = new Uint32Array(profileCount);
    for (let i = 0; i < profileCount; i += 1) order[i] = i;
    order.sort((a, b) => (times[a] < times[b] ? -1 : times[a] > times[b] ? 1 : a - b));
    this.timeNanos = permuted64(this.timeNanos, order);
    this.durationNanos = permuted64(this.durationNanos, order);
    this.period = permuted64(this.period, order);
    this.contentHash = permuted32(this.contentHash, order);
    this.runSegment = permuted32(this.runSegment, order);
    this.runOffset = permuted32(this.runOffset, order);
    this.runRows = permuted32(this.runRows, order);
    const labelled = new Uint8Array(this.runLabelled.length);
    for (let i = 0; i < order.length; i += 1) labelled[i] = this.runLabelled[order[i]];
    this.runLabelled = labelled;
    for (let i = 0; i < this.total.length; i += 1) {
      this.total[i] = permuted64(this.total[i], order);
      this.count[i] = permuted32(this.count[i], order);
    }
    this.sortedCount = profileCount;
  }
}

function permuted64(column: BigInt64Array, order: Uint32Array): BigInt64Array<ArrayBuffer> {
  const result = new BigInt64Array(column.length);
  for (let i = 0; i < order.length; i += 1) result[i] = column[order[i]];
  return result;
}

function permuted32(column: Uint32Array, order: Uint32Array): Uint32Array<ArrayBuffer> {
  const result = new Uint32Array(column.length);
  for (let i = 0; i < order.length; i += 1) result[i] = column[order[i]];
  return result;
}
