// Memory for the columns of one piece of work, such as the making of a report.

/** The element types that tables use. */
export type ColumnArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

/** Constructor of columns of one type. */
export interface ColumnKind<A extends ColumnArray> {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): A;
  new (buffer: ArrayBuffer, byteOffset: number, length: number): A;
}

/** Gives columns their memory. */
export interface ColumnMemory {
  /** Returns a column of `length` zeros. */
  take<A extends ColumnArray>(kind: ColumnKind<A>, length: number): A;
}

/** Gives each column memory of its own, which lasts as long as the column. */
export const ownMemory: ColumnMemory = { take: (kind, length) => new kind(length) };

/** Smallest chunk; a longer column has a chunk of its own size. */
const chunkBytesMin = 1_048_576;

/**
 * Gives all columns of one piece of work memory that the next one uses again.
 *
 * V8 sees arrays only as small objects with memory elsewhere, and collects all that is old for
 * them: the 6 MB of a flame graph of 18,000 rows had one full collection in six graphs, and a graph
 * of such columns took 1.3 to 1.4 times the CPU.
 */
export class ReusedMemory implements ColumnMemory {
  readonly #bytesMax: number;
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];
  /** Bytes of all chunks. */
  #bytes = 0;
  /** Chunk that gives memory now, and its bytes that are in use. */
  #at = 0;
  #usedBytes = 0;

  /** Reuses up to `bytesMax` bytes; columns that have no room there have memory of their own. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Returns a column that lasts until `reuse`. */
  take<A extends ColumnArray>(kind: ColumnKind<A>, length: number): A {
    const bytes = length * kind.BYTES_PER_ELEMENT;
    const chunk = this.#chunkFor(bytes);
    if (chunk === undefined) return new kind(length);
    const from = this.#usedBytes;
    // The next column starts at a multiple of 8, for elements of all types.
    this.#usedBytes = from + ((bytes + 7) & ~7);
    chunk.fill(0, from, from + bytes);
    return new kind(chunk.buffer, from, length);
  }

  /**
   * Gives the memory of all columns so far to the next columns; nobody may read the old ones by
   * then.
   */
  reuse(): void {
    this.#at = 0;
    this.#usedBytes = 0;
  }

  #chunkFor(bytes: number): Uint8Array<ArrayBuffer> | undefined {
    while (this.#at < this.#chunks.length) {
      const chunk = this.#chunks[this.#at];
      if (this.#usedBytes + bytes <= chunk.length) return chunk;
      this.#at += 1;
      this.#usedBytes = 0;
    }
    const size = Math.max(chunkBytesMin, bytes);
    if (this.#bytes + size > this.#bytesMax) return undefined;
    const chunk = new Uint8Array(size);
    this.#chunks.push(chunk);
    this.#bytes += size;
    return chunk;
  }
}
