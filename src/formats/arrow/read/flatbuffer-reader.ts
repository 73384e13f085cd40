// Reads the flatbuffers that Arrow's messages are made of; every position is checked before use.
//
// Source: https://flatbuffers.dev/internals/
import { badStream } from './bad-stream.ts';

const decoder = new TextDecoder();

/** A table of a flatbuffer. For a field that is absent, readers return the fallback value. */
export class FlatTable {
  readonly #view: DataView;
  readonly #at: number;
  readonly #vtable: number;
  readonly #vtableBytes: number;

  private constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
    need(view, at, 4);
    this.#vtable = at - view.getInt32(at, true);
    need(view, this.#vtable, 4);
    this.#vtableBytes = view.getUint16(this.#vtable, true);
    need(view, this.#vtable, this.#vtableBytes);
  }

  /** Returns the root table of a buffer. Errors: as in badStream, also in all other methods. */
  static root(bytes: Uint8Array): FlatTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new FlatTable(view, target(view, 0));
  }

  int8(field: number, fallback: number): number {
    const at = this.#place(field, 1);
    return at === 0 ? fallback : this.#view.getInt8(at);
  }

  int16(field: number, fallback: number): number {
    const at = this.#place(field, 2);
    return at === 0 ? fallback : this.#view.getInt16(at, true);
  }

  int32(field: number, fallback: number): number {
    const at = this.#place(field, 4);
    return at === 0 ? fallback : this.#view.getInt32(at, true);
  }

  /** Reads an int64, which must be from 0 to 2^53; 0 if it is absent. */
  count(field: number): number {
    const at = this.#place(field, 8);
    return at === 0 ? 0 : countAt(this.#view, at);
  }

  table(field: number): FlatTable | undefined {
    const at = this.#place(field, 4);
    return at === 0 ? undefined : new FlatTable(this.#view, target(this.#view, at));
  }

  text(field: number): string {
    const at = this.#place(field, 4);
    if (at === 0) return '';
    const { start, length } = this.#vector(at, 1);
    return decoder.decode(new Uint8Array(this.#view.buffer, this.#view.byteOffset + start, length));
  }

  tables(field: number): FlatTable[] {
    const at = this.#place(field, 4);
    if (at === 0) return [];
    const { start, length } = this.#vector(at, 4);
    return Array.from({ length }, (_, i) => {
      return new FlatTable(this.#view, target(this.#view, start + 4 * i));
    });
  }

  /**
   * Reads a vector of int64 from 0 to 2^53, or of structs with `width` such numbers, as one list.
   */
  counts(field: number, width = 1): Float64Array {
    const at = this.#place(field, 4);
    if (at === 0) return new Float64Array(0);
    const { start, length } = this.#vector(at, 8 * width);
    const counts = new Float64Array(length * width);
    for (let i = 0; i < counts.length; i += 1) counts[i] = countAt(this.#view, start + 8 * i);
    return counts;
  }

  /** Returns the position of a field; 0 if the table lacks it. */
  #place(field: number, bytes: number): number {
    const entry = 4 + 2 * field;
    if (entry + 2 > this.#vtableBytes) return 0;
    const offset = this.#view.getUint16(this.#vtable + entry, true);
    if (offset === 0) return 0;
    need(this.#view, this.#at + offset, bytes);
    return this.#at + offset;
  }

  #vector(at: number, elementBytes: number): { readonly start: number; readonly length: number } {
    const start = target(this.#view, at);
    need(this.#view, start, 4);
    const length = this.#view.getUint32(start, true);
    need(this.#view, start + 4, length * elementBytes);
    return { start: start + 4, length };
  }
}

/** Returns the position that a reference at `at` points to, which must be a later position. */
function target(view: DataView, at: number): number {
  need(view, at, 4);
  return at + view.getUint32(at, true);
}

function countAt(view: DataView, at: number): number {
  const high = view.getInt32(at + 4, true);
  if (high < 0 || high >= 2 ** 21) throw badStream(`metadata has a count of 2^53 at byte ${at}`);
  return high * 2 ** 32 + view.getUint32(at, true);
}

function need(view: DataView, at: number, bytes: number): void {
  if (at >= 0 && bytes <= view.byteLength - at) return;
  throw badStream(`metadata of ${view.byteLength} bytes refers to byte ${at}, ${bytes} bytes`);
}
