// Times of samples in a pprof message: fields of Sample that this program adds to the format.
//
// repeated int64 time_offset_nanos = 1001 [packed];  // after the profile's time_nanos
//   repeated int64 timed_values      = 1002 [packed];  // for each offset, a value of each type
//
// and a field of Profile, for formats with too many or unusable times:
//
// bytes times_lost = 1003;  // any
//
// pprof readers skip unknown fields; the package pprof-format only skips fields that have a
// length. Without timed values, each offset has an equal share of the values of its sample.
import { sampleTimesMax } from '../../model/limits.ts';
import { grown } from '../../model/column.ts';
import type { WireReader } from '../wire-reader.ts';

export const offsetsField = 1001;
export const timedValuesField = 1002;
export const timesLostField = 1003;

/** The bytes of the field tags: 1001 * 8 + 2, 1002 * 8 + 2 and 1003 * 8 + 2. */
export const tagStart = { offsets: 0xca, values: 0xd2, lost: 0xda, second: 0x3e } as const;

/**
 * Offsets of the samples that have offsets, as rows 0 .. count.
 *
 * Shape: row `row` has the offsets, or the values, `xStart[row] .. xStart[row + 1]`.
 */
export class SampleOffsets {
  count = 0;
  /** Number of the sample that a row belongs to, ascending. */
  sample = new Uint32Array(0);
  offsetStart = new Uint32Array(1);
  valueStart = new Uint32Array(1);
  /** Nanoseconds after the start of the profile; may be negative. */
  offsets = new Float64Array(0);
  values = new BigInt64Array(0);
  /** True if there are more offsets than the limit allows. In that case, all are dropped. */
  areTooMany = false;

  clear(): void {
    this.count = 0;
    this.areTooMany = false;
  }

  /** Number of offsets of all samples. */
  get offsetCount(): number {
    return this.count === 0 ? 0 : this.offsetStart[this.count];
  }

  /** Memory used by the columns, in bytes, including space that is not in use. */
  get byteLength(): number {
    return this.sample.length * 12 + this.offsets.length * 8 + this.values.length * 8;
  }

  /** Reads a list of offsets of a sample. Errors: those of the reader. */
  readOffsets(reader: WireReader, sample: number, end: number): void {
    const row = this.#row(sample);
    let at = this.offsetStart[row + 1];
    while (reader.pos < end) {
      reader.varint();
      if (at >= sampleTimesMax) this.areTooMany = true;
      if (this.areTooMany) continue;
      this.offsets = grown(this.offsets, at + 1);
      this.offsets[at] = reader.high * 0x1_0000_0000 + (reader.low >>> 0);
      at += 1;
    }
    reader.endMessage(end);
    this.offsetStart[row + 1] = at;
  }

  /** Reads a list of values of a sample. Errors: those of the reader. */
  readValues(reader: WireReader, sample: number, end: number): void {
    const row = this.#row(sample);
    let at = this.valueStart[row + 1];
    while (reader.pos < end) {
      const value = reader.int64();
      if (this.areTooMany) continue;
      this.values = grown(this.values, at + 1);
      this.values[at] = value;
      at += 1;
    }
    reader.endMessage(end);
    this.valueStart[row + 1] = at;
  }

  /** Returns the row of a sample, which is the last row or a new row. */
  #row(sample: number): number {
    const last = this.count - 1;
    if (last >= 0 && this.sample[last] === sample) return last;
    const row = this.count;
    this.sample = grown(this.sample, row + 1);
    this.offsetStart = grown(this.offsetStart, row + 2);
    this.valueStart = grown(this.valueStart, row + 2);
    this.sample[row] = sample;
    this.offsetStart[row + 1] = row === 0 ? 0 : this.offsetStart[row];
    this.valueStart[row + 1] = row === 0 ? 0 : this.valueStart[row];
    this.count = row + 1;
    return row;
  }
}
