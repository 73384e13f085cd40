// Chunks of a body in order. Tiny chunks are joined, because each chunk takes a hundred bytes of
// memory in addition to its content.

/** Chunks below this size are tiny. */
const tinyBytes = 256;
/** Maximum number of successive tiny chunks that are joined into one. */
const tinyChunksMax = 256;

export class ChunkList {
  #chunks: Uint8Array[] = [];
  #tinyCount = 0;

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#tinyCount = chunk.length < tinyBytes ? this.#tinyCount + 1 : 0;
    if (this.#tinyCount < tinyChunksMax) return;
    this.#tinyCount = 0;
    this.#chunks.push(Buffer.concat(this.#chunks.splice(-tinyChunksMax)));
  }

  /** Removes all chunks, and returns them. */
  takeList(): Uint8Array[] {
    const all = this.#chunks;
    this.#chunks = [];
    this.#tinyCount = 0;
    return all;
  }

  /** Removes all chunks, and returns their bytes; a single chunk is not copied. */
  takeAll(): Uint8Array {
    const chunks = this.takeList();
    return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
  }
}
