// Row memory of a head. It consists of segments that hold runs; a run has the rows of one profile.
import { assert } from '../../base/assert.ts';
import type { RowSegment } from '../selection.ts';

/** Returns the bytes of a run; see RowSegment for its layout. */
export function runBytes(rows: number, valueColumns: number, isLabelled: boolean): number {
  return 8 * Math.ceil((rows * (8 * valueColumns + (isLabelled ? 8 : 4))) / 8);
}

/** Allocates runs. A run that does not fit into a segment gets its own segment. */
export class RowArena {
  readonly segments: RowSegment[] = [];
  /** Memory used by all runs, in bytes. */
  usedBytes = 0;
  /** Position of the last run: its segment, and its start in units of 8 bytes. */
  runSegment = 0;
  runOffset = 0;
  readonly #segmentBytes: number;
  /** The segment that is being filled, and the number of bytes that are used in it. */
  #current = -1;
  #fill = 0;
  #lastBytes = 0;

  constructor(segmentBytes: number) {
    assert(segmentBytes % 8 === 0, 'segments are multiples of 8 bytes');
    this.#segmentBytes = segmentBytes;
  }

  /**
   * Allocates a run of `bytes` bytes, a multiple of 8. Sets `runSegment` and `runOffset` to its
   * position.
   */
  allocate(bytes: number): RowSegment {
    this.usedBytes += bytes;
    this.#lastBytes = bytes;
    if (bytes > this.#segmentBytes) {
      this.runSegment = this.#addSegment(bytes);
      this.runOffset = 0;
      return this.segments[this.runSegment];
    }
    if (this.#current < 0 || this.#fill + bytes > this.#segmentBytes) {
      this.#current = this.#addSegment(this.#segmentBytes);
      this.#fill = 0;
    }
    this.runSegment = this.#current;
    this.runOffset = this.#fill / 8;
    this.#fill += bytes;
    return this.segments[this.#current];
  }

  /** Releases the last run. */
  release(): void {
    this.usedBytes -= this.#lastBytes;
    if (this.runSegment === this.#current) this.#fill -= this.#lastBytes;
    else this.segments.pop();
    this.#lastBytes = 0;
  }

  #addSegment(bytes: number): number {
    const buffer = new SharedArrayBuffer(bytes);
    const words = new Uint32Array(buffer);
    return this.segments.push({ buffer, words, values: new BigInt64Array(buffer) }) - 1;
  }
}
