// A column of numbers in segments: growing never copies more than one of them.
import { assert } from '../../base/assert.ts';
import { grown } from '../../model/column.ts';

const segmentBits = 16;
const segmentRows = 1 << segmentBits;

/** Numbers of 32 bits by row, 0 until they are set. */
export class SegmentedColumn {
  readonly #segments: Uint32Array[] = [new Uint32Array(64)];

  /** The number of a row for which there is room. */
  get(row: number): number {
    return this.#segments[row >>> segmentBits][row & (segmentRows - 1)];
  }

  /** Sets the number of a row for which there is room. */
  set(row: number, value: number): void {
    this.#segments[row >>> segmentBits][row & (segmentRows - 1)] = value;
  }

  /** Makes room for `rows` rows. */
  reserve(rows: number): void {
    const segments = this.#segments;
    if (segments.length === 1) {
      segments[0] = grown(segments[0], Math.min(rows, segmentRows));
      if (rows <= segmentRows) return;
    }
    while (segments.length * segmentRows < rows) segments.push(new Uint32Array(segmentRows));
    assert(segments[0].length === segmentRows, 'the first of several segments is whole');
  }

  /** Bytes of its segments. */
  get usedBytes(): number {
    const { length } = this.#segments;
    return length === 1 ? this.#segments[0].byteLength : 4 * length * segmentRows;
  }
}
