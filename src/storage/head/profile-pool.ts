// Columns of profiles. All streams of a head that have the same number of value columns share them.
import { Extents } from './extents.ts';

/** Number of profiles in a segment. A stream with more profiles has its own segments. */
const segmentProfiles = 16_384;

/**
 * Columns of the profiles of several streams. `total` and `count` have one array for each value
 * column.
 */
export interface ProfileSegment {
  readonly timeNanos: BigInt64Array;
  readonly durationNanos: BigInt64Array;
  readonly period: BigInt64Array;
  readonly total: readonly BigInt64Array[];
  /** Number of nonzero rows of each profile. */
  readonly count: readonly Uint32Array[];
  /** Low half of the content hash of each profile, used to recognize retries. */
  readonly contentHash: Uint32Array;
  /**
   * Position of the rows of each profile: segment of the arena, start in units of 8 bytes, and
   * number of rows; see RowSegment.
   */
  readonly runSegment: Uint32Array;
  readonly runOffset: Uint32Array;
  readonly runRows: Uint32Array;
  readonly runLabelled: Uint8Array;
}

/** Allocates extents of profiles. */
export class ProfilePool {
  /** Memory used by all segments, in bytes. */
  usedBytes = 0;
  readonly #segments: (ProfileSegment | undefined)[] = [];
  readonly #sizes: number[] = [];
  readonly #extents: Extents;

  constructor(valueColumnCount: number) {
    this.#extents = new Extents(segmentProfiles, (segment, profiles) => {
      this.usedBytes -= this.#sizes[segment] ?? 0;
      this.#sizes[segment] = profiles * profileBytes(valueColumnCount);
      this.usedBytes += this.#sizes[segment];
      this.#segments[segment] =
        profiles === 0 ? undefined : createSegment(profiles, valueColumnCount);
    });
  }

  allocate(profiles: number): number {
    return this.#extents.allocate(profiles);
  }

  release(extent: number, profiles: number): void {
    this.#extents.release(extent, profiles);
  }

  /** Returns the columns of an extent. */
  segment(extent: number): ProfileSegment {
    const segment = this.#segments[Math.floor(extent / segmentProfiles)];
    if (segment === undefined) throw new Error('the extent was given back');
    return segment;
  }

  /** Returns the row at which an extent begins in its segment. */
  startRow(extent: number): number {
    return extent % segmentProfiles;
  }
}

/**
 * Returns the number of bytes that one profile takes, including its byte in the map of free rows
 * that Extents keeps.
 */
function profileBytes(valueColumnCount: number): number {
  return 3 * 8 + 4 * 4 + 2 + 12 * valueColumnCount;
}

/** Copies `profiles` profiles. */
export function copyProfiles(
  from: ProfileSegment,
  fromRow: number,
  to: ProfileSegment,
  toRow: number,
  profiles: number,
): void {
  const end = fromRow + profiles;
  to.timeNanos.set(from.timeNanos.subarray(fromRow, end), toRow);
  to.durationNanos.set(from.durationNanos.subarray(fromRow, end), toRow);
  to.period.set(from.period.subarray(fromRow, end), toRow);
  to.contentHash.set(from.contentHash.subarray(fromRow, end), toRow);
  to.runSegment.set(from.runSegment.subarray(fromRow, end), toRow);
  to.runOffset.set(from.runOffset.subarray(fromRow, end), toRow);
  to.runRows.set(from.runRows.subarray(fromRow, end), toRow);
  to.runLabelled.set(from.runLabelled.subarray(fromRow, end), toRow);
  for (let valueColumn = 0; valueColumn < from.total.length; valueColumn += 1) {
    to.total[valueColumn].set(from.total[valueColumn].subarray(fromRow, end), toRow);
    to.count[valueColumn].set(from.count[valueColumn].subarray(fromRow, end), toRow);
  }
}

/** Creates the columns of a segment in one buffer. Columns of wide elements come first. */
function createSegment(profiles: number, valueColumnCount: number): ProfileSegment {
  const buffer = new ArrayBuffer(profiles * (profileBytes(valueColumnCount) - 1));
  let at = 0;
  const take = (bytes: number): number => {
    at += bytes * profiles;
    return at - bytes * profiles;
  };
  const wide = (): BigInt64Array => new BigInt64Array(buffer, take(8), profiles);
  const narrow = (): Uint32Array => new Uint32Array(buffer, take(4), profiles);
  return {
    timeNanos: wide(),
    durationNanos: wide(),
    period: wide(),
    total: Array.from({ length: valueColumnCount }, wide),
    count: Array.from({ length: valueColumnCount }, narrow),
    contentHash: narrow(),
    runSegment: narrow(),
    runOffset: narrow(),
    runRows: narrow(),
    runLabelled: new Uint8Array(buffer, take(1), profiles),
  };
}
