// A column of sorted strings as bytes: the values of a label.
import type { ByteWriter } from '../../../base/bytes.ts';
import { AppError } from '../../../base/errors.ts';
import { ownedCopy } from '../../../base/owned.ts';
import { readVarints } from '../bytes/varints.ts';

/**
 * Approximate memory in bytes of a column, apart from its strings but with its entry in a cache.
 */
const columnBytes = 600;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Sorted strings, compared by UTF-16 units. Memory: one or two bytes for each character, and four
 * for each string.
 */
export class TextColumn {
  readonly length: number;
  readonly byteLength: number;
  readonly #starts: Uint32Array;
  /**
   * All strings joined into one long string, from which each is sliced; undefined unless all are
   * ASCII.
   */
  readonly #whole: string | undefined;
  readonly #bytes: Uint8Array;

  /** Decodes the strings. Errors: AppError 'data-loss' when there are not `count` strings. */
  constructor(encoded: Uint8Array, count: number) {
    this.#starts = new Uint32Array(count + 1);
    const lengths = this.#starts.subarray(1);
    const at = readVarints(encoded, 0, lengths);
    for (let i = 0; i < count; i += 1) lengths[i] += this.#starts[i];
    const end = this.#starts[count];
    if (at + end !== encoded.length) {
      throw new AppError('data-loss', 'cannot read label values: their lengths are wrong');
    }
    this.length = count;
    this.#bytes = ownedCopy(encoded, at);
    this.byteLength = end * 2 + count * 4 + columnBytes;
    const whole = decoder.decode(this.#bytes);
    this.#whole = whole.length === end ? whole : undefined;
  }

  text(row: number): string {
    const starts = this.#starts;
    const whole = this.#whole;
    if (whole !== undefined) return whole.slice(starts[row], starts[row + 1]);
    return decoder.decode(this.#bytes.subarray(starts[row], starts[row + 1]));
  }

  /** Returns the row of a string; -1 when there is none. */
  find(text: string): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.text(middle) < text) low = middle + 1;
      else high = middle;
    }
    return low < this.length && this.text(low) === text ? low : -1;
  }
}

/** Writes strings in UTF-8: first their lengths, then their bytes. */
export async function encodeTexts(
  writer: ByteWriter,
  count: number,
  bytesAt: (i: number) => Uint8Array,
  pause: () => Promise<void>,
): Promise<void> {
  let total = 0;
  for (let i = 0; i < count; i += 1) {
    const { length } = bytesAt(i);
    writer.varint(length);
    total += length;
    if (i % 8192 === 8191) await pause();
  }
  writer.reserve(total);
  for (let i = 0; i < count; i += 1) {
    writer.raw(bytesAt(i));
    if (i % 8192 === 8191) await pause();
  }
}
