// Converts the buffers of a batch to vectors. Offsets, sizes, run ends and lengths are checked
// here, only once.
import { inputLimits } from '../../../base/input-limits.ts';
import { badStream } from './bad-stream.ts';
import { overLimit } from './over-limit.ts';
import { errorMessage } from '../../../base/errors.ts';
import { zstdDecompressSync } from '../../../base/threads/zlib.ts';
import { decodeLz4Frame } from './lz4-decode.ts';
import { type EncodedBatch, roundedUp } from './messages.ts';
import { type Field, type FieldType, quoted } from './schema.ts';
import type { IntArray, ListVector, RunsVector, TextVector, Vector } from './vector.ts';

/** Size of a string view, and the length up to which a view contains its string, in bytes. */
const viewBytes = 16;
const inlineBytesMax = 12;

/** Contiguous memory for all buffers of a write, so that each string is a range of it. */
export class BufferMemory {
  readonly bytes: Uint8Array<ArrayBuffer>;
  #used = 0;

  /** Allocates `bytes` bytes: the total of all buffers, each rounded up to a multiple of 8. */
  constructor(bytes: number) {
    this.bytes = new Uint8Array(bytes);
  }

  /** Returns memory for a buffer of `length` bytes, aligned to 8. */
  take(length: number): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.subarray(this.#used, this.#used + length);
    this.#used += roundedUp(length);
    return taken;
  }
}

/**
 * Reads the columns of a batch.
 *
 * Errors: as in badStream and overLimit.
 */
export function readBatch(
  fields: readonly Field[],
  batch: EncodedBatch,
  memory: BufferMemory,
): Vector[] {
  const reader = new BatchReader(batch, memory);
  const vectors = fields.map((field) => reader.vector(field, field.dictionary !== undefined));
  for (const [i, { length }] of vectors.entries()) {
    if (length === batch.length) continue;
    const { name } = fields[i];
    throw badStream(`column ${quoted(name)} has ${length} rows, its batch ${batch.length}`);
  }
  reader.end();
  return vectors;
}

/** Reads the entries of the dictionary of `field`. Errors: as in readBatch. */
export function readEntries(field: Field, batch: EncodedBatch, memory: BufferMemory): Vector {
  const reader = new BatchReader(batch, memory);
  const entries = reader.vector(field, false);
  if (entries.length !== batch.length) {
    throw badStream(`a dictionary has ${entries.length} entries, its batch ${batch.length}`);
  }
  reader.end();
  return entries;
}

/** Decodes a zstd frame whose content has `length` bytes. Errors: as in badStream. */
function decodeZstdFrame(frame: Uint8Array, length: number): Uint8Array {
  let content: Uint8Array;
  try {
    content = zstdDecompressSync(frame, { maxOutputLength: Math.max(1, length) });
  } catch (error) {
    if (error instanceof RangeError) {
      throw badStream(`a frame of zstd has more than the ${length} bytes that it should`);
    }
    throw badStream(`a frame of zstd cannot be read: ${errorMessage(error)}`);
  }
  if (content.length === length) return content;
  throw badStream(`a frame of zstd has ${content.length} bytes, not the ${length} that it should`);
}

/** Reads the nodes and buffers of a batch in the order of the fields. */
class BatchReader {
  readonly #batch: EncodedBatch;
  readonly #buffers: readonly Uint8Array<ArrayBuffer>[];
  #node = 0;
  #buffer = 0;
  #viewColumn = 0;

  constructor(batch: EncodedBatch, memory: BufferMemory) {
    this.#batch = batch;
    this.#buffers = batch.buffers.map(({ bytes, codec, length }) => {
      const plain = memory.take(length);
      if (codec === 'lz4') decodeLz4Frame(bytes, plain);
      else plain.set(codec === 'zstd' ? decodeZstdFrame(bytes, length) : bytes);
      return plain;
    });
  }

  /** Checks that every node and buffer was used. The rest would belong to unknown fields. */
  end(): void {
    const { nodes, buffers } = this.#batch;
    if (this.#node * 2 === nodes.length && this.#buffer === buffers.length) return;
    throw badStream(
      `a batch has ${nodes.length / 2} nodes and ${buffers.length} buffers, ` +
        `its schema wants ${this.#node} and ${this.#buffer}`,
    );
  }

  vector(field: Field, isDictionary: boolean): Vector {
    const { nodes } = this.#batch;
    if (this.#node * 2 >= nodes.length) throw badStream('a batch has too few nodes');
    const length = nodes[this.#node * 2];
    const nulls = nodes[this.#node * 2 + 1];
    this.#node += 1;
    if (length > inputLimits.arrowItems) {
      throw overLimit('arrowItems', `values of field ${quoted(field.name)}`, length);
    }
    if (nulls > length) throw badStream(`${length} values have ${nulls} nulls`);
    if (field.type.kind === 'runs' && !isDictionary) return this.#runs(field, length);
    const valid = this.#validity(length, nulls);
    if (field.dictionary !== undefined && isDictionary) {
      const { id, indices } = field.dictionary;
      return { kind: 'dictionary', length, valid, id, indices: this.#ints(indices, length) };
    }
    return this.#plain(field, length, valid);
  }

  #plain(field: Field, length: number, valid: Uint8Array | undefined): Vector {
    const { type } = field;
    switch (type.kind) {
      case 'int':
        return { kind: 'int', length, valid, values: this.#ints(type, length) };
      case 'timestamp': {
        const int64 = { kind: 'int', bits: 64, isSigned: true } as const;
        return { kind: 'int', length, valid, values: this.#ints(int64, length) };
      }
      case 'bool':
        return { kind: 'bool', length, valid, bits: this.#take(Math.ceil(length / 8)) };
      case 'text':
        return this.#text(length, valid);
      case 'text-view':
        return this.#views(length, valid);
      case 'fixed':
        return this.#fixed(type.width, length, valid);
      case 'list':
      case 'list-view':
        return this.#list(field, length, valid);
      case 'struct':
        return this.#struct(field, length, valid);
      case 'runs':
        break;
    }
    throw badStream('a dictionary has entries in runs');
  }

  #child(field: Field): Vector {
    return this.vector(field, field.dictionary !== undefined);
  }

  #next(): Uint8Array<ArrayBuffer> {
    const buffer = this.#buffers[this.#buffer];
    if (buffer === undefined) throw badStream('a batch has too few buffers');
    this.#buffer += 1;
    return buffer;
  }

  /** Returns the next buffer, which must have at least `bytes`. */
  #take(bytes: number): Uint8Array<ArrayBuffer> {
    const buffer = this.#next();
    if (buffer.length >= bytes) return buffer;
    throw badStream(`a buffer has ${buffer.length} bytes, not the ${bytes} of its values`);
  }

  #validity(length: number, nulls: number): Uint8Array | undefined {
    const bits = this.#next();
    if (nulls === 0) return undefined;
    if (bits.length * 8 >= length) return bits;
    throw badStream(`${length} values with nulls have ${bits.length} bytes of validity`);
  }

  #ints({ bits, isSigned }: FieldType & { kind: 'int' }, length: number): IntArray {
    const { buffer, byteOffset } = this.#take((length * bits) / 8);
    switch (bits) {
      case 8:
        return new (isSigned ? Int8Array : Uint8Array)(buffer, byteOffset, length);
      case 16:
        return new (isSigned ? Int16Array : Uint16Array)(buffer, byteOffset, length);
      case 32:
        return new (isSigned ? Int32Array : Uint32Array)(buffer, byteOffset, length);
      default:
        return new (isSigned ? BigInt64Array : BigUint64Array)(buffer, byteOffset, length);
    }
  }

  #int32s(length: number): Int32Array {
    const { buffer, byteOffset } = this.#take(length * 4);
    return new Int32Array(buffer, byteOffset, length);
  }

  /** Reads the `length + 1` offsets of `length` values. */
  #offsets(length: number): Int32Array {
    // A column without values may have no offsets.
    if (length === 0) {
      this.#next();
      return new Int32Array(1);
    }
    return this.#int32s(length + 1);
  }

  #text(length: number, valid: Uint8Array | undefined): TextVector {
    const offsets = this.#offsets(length);
    const data = this.#next();
    requireRising(offsets, data.length);
    const starts = new Uint32Array(length);
    const ends = new Uint32Array(length);
    for (let i = 0; i < length; i += 1) {
      starts[i] = data.byteOffset + offsets[i];
      ends[i] = data.byteOffset + offsets[i + 1];
    }
    return { kind: 'text', length, valid, starts, ends };
  }

  #fixed(width: number, length: number, valid: Uint8Array | undefined): TextVector {
    const { byteOffset } = this.#take(width * length);
    const starts = Uint32Array.from({ length }, (_, i) => byteOffset + width * i);
    return { kind: 'text', length, valid, starts, ends: starts.map((start) => start + width) };
  }

  #views(length: number, valid: Uint8Array | undefined): TextVector {
    const views = this.#take(length * viewBytes);
    const column = this.#viewColumn;
    this.#viewColumn += 1;
    const count = this.#batch.viewBuffers[column] ?? 0;
    const data = Array.from({ length: Math.min(count, this.#buffers.length) }, () => this.#next());
    const words = new DataView(views.buffer, views.byteOffset, views.length);
    const starts = new Uint32Array(length);
    const ends = new Uint32Array(length);
    for (let i = 0; i < length; i += 1) {
      if (valid !== undefined && ((valid[i >> 3] >> (i & 7)) & 1) === 0) continue;
      const at = i * viewBytes;
      const bytes = words.getInt32(at, true);
      let start = views.byteOffset + at + 4;
      if (bytes < 0) throw badStream(`a view has a length of ${bytes}`);
      if (bytes > inlineBytesMax) {
        const buffer = data[words.getInt32(at + 8, true)];
        const offset = words.getInt32(at + 12, true);
        if (buffer === undefined || offset < 0 || bytes > buffer.length - offset) {
          throw badStream(`a view of ${bytes} bytes at ${offset} is outside of its buffer`);
        }
        start = buffer.byteOffset + offset;
      }
      starts[i] = start;
      ends[i] = start + bytes;
    }
    return { kind: 'text', length, valid, starts, ends };
  }

  #list(field: Field, length: number, valid: Uint8Array | undefined): ListVector {
    if (field.type.kind === 'list') {
      const offsets = this.#offsets(length);
      const items = this.#child(field.children[0]);
      requireRising(offsets, items.length);
      const starts = offsets.subarray(0, length);
      return { kind: 'list', length, valid, starts, ends: offsets.subarray(1), items };
    }
    const starts = this.#int32s(length);
    const sizes = this.#int32s(length);
    const items = this.#child(field.children[0]);
    const ends = new Int32Array(length);
    for (let i = 0; i < length; i += 1) {
      // The start and the size of a null list are arbitrary.
      if (valid !== undefined && ((valid[i >> 3] >> (i & 7)) & 1) === 0) starts[i] = sizes[i] = 0;
      const start = starts[i];
      const size = sizes[i];
      if (start < 0 || size < 0 || start + size > items.length) {
        throw badStream(
          `list ${i} of field ${quoted(field.name)} has ${size} items from ${start}, ` +
            `of ${items.length}`,
        );
      }
      ends[i] = start + size;
    }
    return { kind: 'list', length, valid, starts, ends, items };
  }

  #struct(field: Field, length: number, valid: Uint8Array | undefined): Vector {
    const children = new Map<string, Vector>();
    for (const child of field.children) {
      const vector = this.#child(child);
      if (vector.length < length) {
        throw badStream(
          `field ${quoted(child.name)} has ${vector.length} values, its struct ${length}`,
        );
      }
      if (children.has(child.name)) throw badStream(`field ${quoted(child.name)} occurs twice`);
      children.set(child.name, vector);
    }
    return { kind: 'struct', length, valid, children };
  }

  #runs(field: Field, length: number): RunsVector {
    const ends = this.vector(field.children[0], false);
    const values = this.#child(field.children[1]);
    const runEnds = new Int32Array(ends.length);
    if (ends.kind !== 'int' || ends.valid !== undefined) throw badStream('run ends have nulls');
    if (values.length < ends.length) {
      throw badStream(`${ends.length} runs have ${values.length} values`);
    }
    let last = 0;
    for (let i = 0; i < ends.length; i += 1) {
      const end = Number(ends.values[i]);
      if (end <= last) {
        throw badStream(
          `run ${i} of field ${quoted(field.name)} ends at ${end}, not after ${last}`,
        );
      }
      // The runs of a slice may be longer than the slice.
      runEnds[i] = Math.min(end, length);
      last = end;
    }
    if (last < length) {
      throw badStream(`the runs of field ${quoted(field.name)} end at ${last}, not at ${length}`);
    }
    return { kind: 'runs', length, valid: undefined, runEnds, values };
  }
}

function requireRising(offsets: Int32Array, end: number): void {
  let last = 0;
  for (const offset of offsets) {
    if (offset < last) throw badStream(`an offset of ${offset} comes after ${last}`);
    last = offset;
  }
  if (last > end) throw badStream(`an offset of ${last} is past the end, ${end}`);
}
