// Extents: 1, 2, 4, ... rows in a row, cut from fixed segments and joined again (buddy system).
import { assert } from '../../base/assert.ts';

/** Rows of the first segment; each one after it has twice as many, up to the usual number. */
const firstSegmentRows = 64;
/** Free extents of a size that are remembered; others are searched for when these are used up. */
const rememberedMax = 256;

/**
 * Says which rows are taken; the rows themselves are their owner's, segment by segment.
 *
 * An extent is known by its first row: its segment times `segmentRows` plus its row in it. One of
 * more than `segmentRows` rows has a segment to itself.
 */
export class Extents {
  readonly #segmentRows: number;
  readonly #onSegment: (segment: number, rows: number) => void;
  /** By segment and row: 1 + size (as a power of two) of the free extent that starts there. */
  readonly #freeAt: Uint8Array[] = [];
  /** By size: how many extents are free, and some that were lately (checked before use). */
  readonly #freeCount: number[] = [];
  readonly #remembered: number[][] = [];
  /** Segments of single extents that were given back; their rows are gone. */
  readonly #vacant: number[] = [];

  /**
   * `segmentRows`: a power of two. `onSegment` is told to make the rows of a segment, or with 0
   * rows to drop them.
   */
  constructor(segmentRows: number, onSegment: (segment: number, rows: number) => void) {
    this.#segmentRows = segmentRows;
    this.#onSegment = onSegment;
  }

  /** Takes an extent of `rows` (a power of two). */
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

  /** Gives an extent back. */
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
    // As long as the other half of the next larger extent is free too, they become one.
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

  /** Takes a free extent of a size of which there is one. */
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
