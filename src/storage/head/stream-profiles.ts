// The profiles of all streams of a head, as extents of shared columns.
import { copyProfiles, ProfilePool, type ProfileSegment } from './profile-pool.ts';
import { SegmentedColumn } from '../../model/column.ts';
import type { TimeRange } from '../interface.ts';
import { StreamSums, summedProfilesMin, type SpanSums } from './stream-sums.ts';

/** A profile whose rows are in the arena. */
interface NewProfile {
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
  readonly period: bigint;
  /** Content hash. Only its low 32 bits are stored. */
  readonly contentHash: bigint;
  readonly runSegment: number;
  readonly runOffset: number;
  readonly runRows: number;
  readonly isLabelled: boolean;
  /** Sum of the values of each sample type, and number of values that are not 0. */
  readonly totals: readonly bigint[];
  readonly counts: readonly number[];
}

/**
 * Maximum number of late profiles that may follow the sorted profiles. A long stream may have more.
 */
const unsortedMax = 64;

/** Profiles of one stream in the order of time: rows `first` .. `end` of the columns. */
export interface ProfileSpan {
  readonly columns: ProfileSegment;
  readonly first: number;
  readonly end: number;
  /**
   * Row of the stream's first profile, and the number of times that its profiles have been sorted.
   */
  readonly start: number;
  readonly order: number;
}

/** Share of a stream's profiles that are in a range. */
export type Presence = 'none' | 'some' | 'all';

/** An extent to be released once the last reader that may have seen it has ended. */
interface Retired {
  readonly pool: ProfilePool;
  readonly extent: number;
  readonly profiles: number;
  /** Number of the last reader that began before the extent was retired. */
  readonly reader: number;
}

/**
 * Layout: the profiles of a stream are in one extent, whose capacity is the next power of two. They
 * are in the order of time, and then of arrival, except for late profiles at the end.
 *
 * Ownership: used rows do not change before the next await. They also do not change while a reader
 * that has pinned them is active. Sorting and growing move a stream to another extent.
 *
 * Growing copies a stream, which takes 1 ms for 65,536 profiles and 4 ms for 262,144. A stream of
 * one head has far fewer profiles.
 */
export class StreamProfiles {
  readonly #extent = new SegmentedColumn();
  readonly #count = new SegmentedColumn();
  /** Number of sorted profiles, by stream ref. Only streams with late profiles have an entry. */
  readonly #sortedCount = new Map<number, number>();
  /**
   * Number of times that the profiles of a stream were sorted, by ref. Streams that were never
   * sorted have no entry.
   */
  readonly #order = new Map<number, number>();
  readonly #sums = new StreamSums();
  /** Pools by number of value columns. */
  readonly #pools: (ProfilePool | undefined)[] = [];
  /** Numbers of the active readers, ascending. */
  readonly #readers = new Set<number>();
  #lastReader = 0;
  /** Extents in the order of retirement. */
  readonly #retired: Retired[] = [];

  /** Reserves space for streams up to `ref`. */
  addStream(ref: number): void {
    this.#extent.reserve(ref + 1);
    this.#count.reserve(ref + 1);
  }

  /** Returns the number of a stream's profiles. */
  count(ref: number): number {
    return this.#count.get(ref);
  }

  /** Adds a profile. */
  push(ref: number, valueColumnCount: number, profile: NewProfile): void {
    const pool = this.#findPool(valueColumnCount);
    const extent = this.#reserve(ref, pool);
    const columns = pool.segment(extent);
    const count = this.#count.get(ref);
    const row = pool.startRow(extent) + count;
    columns.timeNanos[row] = profile.timeNanos;
    columns.durationNanos[row] = profile.durationNanos;
    columns.period[row] = profile.period;
    columns.contentHash[row] = low32(profile.contentHash);
    columns.runSegment[row] = profile.runSegment;
    columns.runOffset[row] = profile.runOffset;
    columns.runRows[row] = profile.runRows;
    columns.runLabelled[row] = profile.isLabelled ? 1 : 0;
    for (let valueColumn = 0; valueColumn < valueColumnCount; valueColumn += 1) {
      columns.total[valueColumn][row] = profile.totals[valueColumn];
      columns.count[valueColumn][row] = profile.counts[valueColumn];
    }
    this.#count.set(ref, count + 1);
    let sorted = this.#sortedCount.get(ref);
    if (sorted === undefined) {
      if (count === 0 || profile.timeNanos >= columns.timeNanos[row - 1]) return;
      sorted = count;
      this.#sortedCount.set(ref, sorted);
    }
    if (count + 1 - sorted > unsortedMax + (sorted >>> 8)) this.#sort(ref, valueColumnCount);
  }

  /** Returns true if a stream has a profile with this time and content hash. */
  has(ref: number, valueColumnCount: number, timeNanos: bigint, contentHash: bigint): boolean {
    const count = this.#count.get(ref);
    if (count === 0) return false;
    const { columns, start } = this.#locate(ref, valueColumnCount);
    const { timeNanos: times, contentHash: hashes } = columns;
    const hash = low32(contentHash);
    const sortedEnd = start + (this.#sortedCount.get(ref) ?? count);
    for (let row = firstAt(times, start, sortedEnd, timeNanos); row < sortedEnd; row += 1) {
      if (times[row] !== timeNanos) break;
      if (hashes[row] === hash) return true;
    }
    for (let row = sortedEnd; row < start + count; row += 1) {
      if (times[row] === timeNanos && hashes[row] === hash) return true;
    }
    return false;
  }

  /** Returns the profiles of a stream in a range; undefined when there are none. */
  spanIn(ref: number, valueColumnCount: number, range: TimeRange): ProfileSpan | undefined {
    const count = this.#count.get(ref);
    if (count === 0) return undefined;
    if (this.#sortedCount.has(ref)) this.#sort(ref, valueColumnCount);
    const { columns, start } = this.#locate(ref, valueColumnCount);
    const first = firstAt(columns.timeNanos, start, start + count, range.from);
    const end = firstAt(columns.timeNanos, first, start + count, range.to + 1n);
    const order = this.#order.get(ref) ?? 0;
    return first < end ? { columns, first, end, start, order } : undefined;
  }

  /**
   * Returns running sums over the profiles of a span, for one sample type. Undefined if the span
   * has few profiles, or if they have been reordered since the span was made. Ownership: views,
   * valid until the next call.
   */
  spanSums(ref: number, span: ProfileSpan, valueColumn: number): SpanSums | undefined {
    const { columns, first, end, start, order } = span;
    if (end - first < summedProfilesMin || order !== (this.#order.get(ref) ?? 0)) return undefined;
    return this.#sums.of(ref, valueColumn, columns, start, first - start, end - start);
  }

  /**
   * Returns 'none', 'some' or 'all', depending on how many profiles of a stream are in a range.
   * Does not sort late profiles.
   */
  presenceIn(ref: number, valueColumnCount: number, { from, to }: TimeRange): Presence {
    const count = this.#count.get(ref);
    if (count === 0) return 'none';
    const { columns, start } = this.#locate(ref, valueColumnCount);
    const { timeNanos: times } = columns;
    const sortedEnd = start + (this.#sortedCount.get(ref) ?? count);
    let hasSome = false;
    let hasAll = from <= times[start] && times[sortedEnd - 1] <= to;
    for (let row = sortedEnd; row < start + count; row += 1) {
      const isIn = from <= times[row] && times[row] <= to;
      hasSome ||= isIn;
      hasAll &&= isIn;
    }
    if (hasAll) return 'all';
    if (hasSome) return 'some';
    const first = firstAt(times, start, sortedEnd, from);
    return first < sortedEnd && times[first] <= to ? 'some' : 'none';
  }

  /**
   * Starts a reader. The profiles that it can see do not change until it calls the returned
   * function, which it must call once.
   */
  pin(): () => void {
    this.#lastReader += 1;
    const reader = this.#lastReader;
    this.#readers.add(reader);
    return () => {
      this.#readers.delete(reader);
      this.#releaseRetired();
    };
  }

  get usedBytes(): number {
    let bytes = this.#extent.usedBytes + this.#count.usedBytes + this.#sums.usedBytes;
    for (const pool of this.#pools) bytes += pool?.usedBytes ?? 0;
    return bytes;
  }

  /** Returns the stream's extent, with space for one more profile. */
  #reserve(ref: number, pool: ProfilePool): number {
    const count = this.#count.get(ref);
    const extent = this.#extent.get(ref);
    if (count === 0) {
      const first = pool.allocate(1);
      this.#extent.set(ref, first);
      return first;
    }
    if ((count & (count - 1)) !== 0) return extent;
    const next = pool.allocate(count * 2);
    const to = pool.segment(next);
    copyProfiles(pool.segment(extent), pool.startRow(extent), to, pool.startRow(next), count);
    this.#moveTo(ref, pool, next);
    return next;
  }

  #locate(
    ref: number,
    valueColumnCount: number,
  ): { readonly columns: ProfileSegment; readonly start: number } {
    const pool = this.#findPool(valueColumnCount);
    const extent = this.#extent.get(ref);
    return { columns: pool.segment(extent), start: pool.startRow(extent) };
  }

  #findPool(valueColumnCount: number): ProfilePool {
    let pool = this.#pools[valueColumnCount];
    if (pool === undefined) {
      pool = new ProfilePool(valueColumnCount);
      this.#pools[valueColumnCount] = pool;
    }
    return pool;
  }

  /** Moves a stream to another extent, into which its profiles have been copied. */
  #moveTo(ref: number, pool: ProfilePool, extent: number): void {
    const profiles = nextCapacity(this.#count.get(ref));
    const old = this.#extent.get(ref);
    this.#extent.set(ref, extent);
    if (this.#readers.size === 0) pool.release(old, profiles);
    else this.#retired.push({ pool, extent: old, profiles, reader: this.#lastReader });
  }

  #releaseRetired(): void {
    let oldest = Infinity;
    for (const reader of this.#readers) {
      oldest = reader;
      break;
    }
    let released = 0;
    for (const { pool, extent, profiles, reader } of this.#retired) {
      if (reader >= oldest) break;
      pool.release(extent, profiles);
      released += 1;
    }
    if (released > 0) this.#retired.splice(0, released);
  }

  /** Sorts all profiles of a stream by time, and copies them into another extent. */
  #sort(ref: number, valueColumnCount: number): void {
    const pool = this.#findPool(valueColumnCount);
    const count = this.#count.get(ref);
    const { columns: from, start } = this.#locate(ref, valueColumnCount);
    const { timeNanos: times } = from;
    const sortedEnd = start + (this.#sortedCount.get(ref) ?? count);
    const late = Uint32Array.from({ length: start + count - sortedEnd }, (_, i) => sortedEnd + i);
    late.sort((a, b) => (times[a] < times[b] ? -1 : times[a] > times[b] ? 1 : a - b));
    const next = pool.allocate(nextCapacity(count));
    const to = pool.segment(next);
    let toRow = pool.startRow(next);
    let fromRow = start;
    for (const row of late) {
      const end = firstAt(times, fromRow, sortedEnd, times[row] + 1n);
      copyProfiles(from, fromRow, to, toRow, end - fromRow);
      toRow += end - fromRow;
      fromRow = end;
      copyProfiles(from, row, to, toRow, 1);
      toRow += 1;
    }
    copyProfiles(from, fromRow, to, toRow, sortedEnd - fromRow);
    this.#moveTo(ref, pool, next);
    this.#sortedCount.delete(ref);
    this.#order.set(ref, (this.#order.get(ref) ?? 0) + 1);
    this.#sums.forget(ref);
  }
}

/**
 * Returns the first row in `first` to `end` whose time is not before `timeNanos`. The rows must be
 * sorted.
 */
function firstAt(times: BigInt64Array, first: number, end: number, timeNanos: bigint): number {
  if (first === end || times[end - 1] < timeNanos) return end;
  let low = first;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle] < timeNanos) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the capacity of the extent for a stream with `count` profiles (at least one). */
function nextCapacity(count: number): number {
  return 2 ** (32 - Math.clz32(count - 1));
}

function low32(contentHash: bigint): number {
  return Number(BigInt.asUintN(32, contentHash));
}
