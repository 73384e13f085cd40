// Writes the flatbuffers that Arrow's messages are made of: tables, vectors, strings, structs.

/** Position of a written element, in bytes from the end of the buffer. */
export type Offset = number;

/**
 * Builds one flatbuffer backwards, from its last byte to its first, because a target must be
 * written before the references to it.
 *
 * Use: write strings, vectors and inner tables first, then `startTable`, the fields, `endTable`.
 * Source: https://flatbuffers.dev/internals/
 */
export class FlatbufferWriter {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  /** Position of the first used byte. */
  #head = this.#bytes.length;
  #largestAlignment = 1;
  #fields: Offset[] = [];
  #tableEnd: Offset = 0;

  /** Writes a UTF-8 string with its length and a terminating zero. */
  string(text: string): Offset {
    const encoded = new TextEncoder().encode(text);
    this.#align(4, encoded.length + 1);
    this.#head -= 1;
    this.#head -= encoded.length;
    this.#bytes.set(encoded, this.#head);
    this.#putInt32(encoded.length);
    return this.#offset();
  }

  /** Writes a vector of references. */
  offsets(targets: readonly Offset[]): Offset {
    this.#align(4, targets.length * 4);
    for (let i = targets.length - 1; i >= 0; i -= 1) this.#putOffset(targets[i]);
    this.#putInt32(targets.length);
    return this.#offset();
  }

  /** Writes a vector of int64. */
  int64s(values: readonly number[]): Offset {
    this.#align(4, values.length * 8);
    this.#align(8, values.length * 8);
    for (let i = values.length - 1; i >= 0; i -= 1) this.#putInt64(values[i]);
    this.#putInt32(values.length);
    return this.#offset();
  }

  /** Writes a vector of structs with two int64 fields; both columns must have the same length. */
  int64Pairs(first: readonly number[], second: readonly number[]): Offset {
    this.#align(4, first.length * 16);
    this.#align(8, first.length * 16);
    for (let i = first.length - 1; i >= 0; i -= 1) {
      this.#putInt64(second[i]);
      this.#putInt64(first[i]);
    }
    this.#putInt32(first.length);
    return this.#offset();
  }

  startTable(): void {
    this.#fields = [];
    this.#tableEnd = this.#offset();
  }

  int8(field: number, value: number): void {
    this.#align(1, 0);
    this.#head -= 1;
    this.#view.setInt8(this.#head, value);
    this.#fields[field] = this.#offset();
  }

  int16(field: number, value: number): void {
    this.#align(2, 0);
    this.#head -= 2;
    this.#view.setInt16(this.#head, value, true);
    this.#fields[field] = this.#offset();
  }

  int32(field: number, value: number): void {
    this.#align(4, 0);
    this.#putInt32(value);
    this.#fields[field] = this.#offset();
  }

  /** Sets a field to an int64, which must be an integer within 2^53. */
  int64(field: number, value: number): void {
    this.#align(8, 0);
    this.#putInt64(value);
    this.#fields[field] = this.#offset();
  }

  reference(field: number, target: Offset): void {
    this.#align(4, 0);
    this.#putOffset(target);
    this.#fields[field] = this.#offset();
  }

  /** Writes the table's vtable; equal vtables are not shared, because schemas are small. */
  endTable(): Offset {
    const fields = this.#fields;
    const tableEnd = this.#tableEnd;
    this.#align(4, 0);
    this.#putInt32(0);
    const table = this.#offset();
    this.#align(2, fields.length * 2 + 4);
    for (let i = fields.length - 1; i >= 0; i -= 1) {
      const at = fields[i];
      this.#putInt16(at === undefined ? 0 : table - at);
    }
    this.#putInt16(table - tableEnd);
    this.#putInt16(fields.length * 2 + 4);
    this.#view.setInt32(this.#bytes.length - table, this.#offset() - table, true);
    return table;
  }

  /** Returns the finished buffer with `root` as its root table; its length is a multiple of 8. */
  finish(root: Offset): Uint8Array {
    this.#align(Math.max(8, this.#largestAlignment), 4);
    this.#putOffset(root);
    return this.#bytes.subarray(this.#head);
  }

  #offset(): Offset {
    return this.#bytes.length - this.#head;
  }

  /** Pads so that a value of `size` bytes is aligned after `more` bytes, and reserves space. */
  #align(size: number, more: number): void {
    this.#largestAlignment = Math.max(this.#largestAlignment, size);
    const padding = -(this.#offset() + more) & (size - 1);
    // The extra 16 bytes are for the value and for the length that precedes a vector.
    while (this.#head < padding + more + 16) this.#grow();
    this.#head -= padding;
  }

  #grow(): void {
    const used = this.#bytes.subarray(this.#head);
    const bigger = new Uint8Array(this.#bytes.length * 2);
    bigger.set(used, bigger.length - used.length);
    this.#head = bigger.length - used.length;
    this.#bytes = bigger;
    this.#view = new DataView(bigger.buffer);
  }

  #putInt16(value: number): void {
    this.#head -= 2;
    this.#view.setInt16(this.#head, value, true);
  }

  #putInt32(value: number): void {
    this.#head -= 4;
    this.#view.setInt32(this.#head, value, true);
  }

  #putInt64(value: number): void {
    this.#head -= 8;
    this.#view.setUint32(this.#head, value >>> 0, true);
    this.#view.setInt32(this.#head + 4, Math.floor(value / 0x1_0000_0000), true);
  }

  /** Writes a reference, which is relative to its own position. */
  #putOffset(target: Offset): void {
    this.#putInt32(this.#offset() + 4 - target);
  }
}
