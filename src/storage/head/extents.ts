// Extents: 1, 2, 4, ... neighbouring rows. They are split from segments, and joined again when
// freed (buddy system).
import { assert } from '../../base/assert.ts';

/** Rows of the first segment. Each later segment has twice as many, up to `segmentRows`. */
const firstSegmentRows = 64;
/**
 * Maximum number of free extents of a size that are remembered. When they are used up, a search
 * finds more.
 */
const rememberedMax = 256;

/** Tracks which rows are taken. The owner keeps the rows themselves, in segments. */
export class Extents {
  readonly #segmentRows: number;
  readonly #onSegment: (segment: number, rows: number) => void;
  /** 1 + log2 of the size of the free extent that starts at a row of a segment; 0 = none. */
  readonly #freeAt: Uint8Array[] = [];
  /** Number of free extents, by log2 of their size. */
  readonly #freeCount: number[] = [];
  readonly #remembered: number[][] = [];
  /** Segments of large extents that were released. They have no rows. */
  readonly #vacant: number[] = [];

  /**
   * Creates a tracker without segments. `segmentRows` must be a power of two. `onSegment` must
   * allocate the rows of a segment; if it is called with 0 rows, it must drop them.
   */
  constructor(segmentRows: number, onSegment: (segment: number, rows: number) => void) {
    this.#segmentRows = segmentRows;
    this.#onSegment = onSegment;
  }

  /** Allocates an extent of `rows` rows (a power of two). */
  allocate(rows: number): number {
    if (rows > this.#segmentRows) return this.#addSegment(this.#vacant.pop(), rows);
    const size = 31 - Math.clz32(rows);
    let found = size;
    while (found < this.#freeCount.length && this.#freeCount[found] === 0) found += 1;
    let extent: number;
    if (found < this.#freeCount.length) extent = this.#takeFree(found);
    else {
      const usual = firstSegmentRows * 2 ** Math.min(20, this.#freeAt.length);
      const added = Math.max(rows, Math.min(usual, this.#segmentRows));
      extent = this.#addSegment(undefined, added);
      found = 31 - Math.clz32(added);
    }
    for (; found > size; found -= 1) this.#put(extent + 2 ** (found - 1), found - 1);
    return extent;
  }

  /** Releases an extent. */
  release(extent: number, rows: number): void {
    const segment = Math.floor(extent / this.#segmentRows);
    if (rows > this.#segmentRows) {
      this.#onSegment(segment, 0);
      this.#vacant.push(segment);
      return;
    }
    const freeAt = this.#freeAt[segment];
    let row = extent % this.#segmentRows;
    let size = 31 - Math.clz32(rows);
    // The extent is joined with its buddy as long as the buddy is free.
    for (; 2 ** size < freeAt.length; size += 1) {
      const other = row ^ (1 << size);
      if (freeAt[other] !== size + 1) break;
      freeAt[other] = 0;
      this.#freeCount[size] -= 1;
      row &= ~(1 << size);
    }
    this.#put(segment * this.#segmentRows + row, size);
  }

  #addSegment(vacant: number | undefined, rows: number): number {
    const segment = vacant ?? this.#freeAt.length;
    if (vacant === undefined) this.#freeAt.push(new Uint8Array(Math.min(rows, this.#segmentRows)));
    this.#onSegment(segment, rows);
    return segment * this.#segmentRows;
  }

  #put(extent: number, size: number): void {
    while (this.#freeCount.length <= size) {
      this.#freeCount.push(0);
      this.#remembered.push([]);
    }
    this.#freeAt[Math.floor(extent / this.#segmentRows)][extent % this.#segmentRows] = size + 1;
    this.#freeCount[size] += 1;
    if (this.#remembered[size].length < rememberedMax) this.#remembered[size].push(extent);
  }

  /** Takes a free extent of size `size`, given as log2. There must be one. */
  #takeFree(size: number): number {
    const remembered = this.#remembered[size];
    for (;;) {
      if (remembered.length === 0) this.#remember(size);
      const extent = remembered.pop() ?? 0;
      const freeAt = this.#freeAt[Math.floor(extent / this.#segmentRows)];
      const row = extent % this.#segmentRows;
      if (freeAt[row] !== size + 1) continue;
      freeAt[row] = 0;
      this.#freeCount[size] -= 1;
      return extent;
    }
  }

  #remember(size: number): void {
    const remembered = this.#remembered[size];
    for (const [segment, freeAt] of this.#freeAt.entries()) {
      let row = freeAt.indexOf(size + 1);
      while (row >= 0) {
        remembered.push(segment * this.#segmentRows + row);
        if (remembered.length === rememberedMax) return;
        row = freeAt.indexOf(size + 1, row + 1);
      }
    }
    assert(remembered.length > 0, 'a free extent is found');
  }
}
