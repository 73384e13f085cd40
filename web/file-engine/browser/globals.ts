// Replaces the Node globals that browsers lack, with only those functions that the engine uses.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

class Bytes extends Uint8Array {
  /** Returns UTF-8, regardless of the requested encoding. */
  override toString(_encoding?: string, start = 0, end = this.length): string {
    return decoder.decode(this.subarray(start, end));
  }
}

/** Functions of Node's Buffer that the engine calls. */
const bufferLike = {
  poolSize: 0,
  alloc: (length: number): Bytes => new Bytes(length),
  allocUnsafe: (length: number): Bytes => new Bytes(length),
  /** Copies strings and bytes; shares complete buffers. */
  from(source: string | Uint8Array | ArrayBuffer): Bytes {
    if (typeof source === 'string') return new Bytes(encoder.encode(source));
    return source instanceof ArrayBuffer ? new Bytes(source) : new Bytes(source);
  },
  byteLength: (text: string): number => encoder.encode(text).length,
  concat(pieces: readonly Uint8Array[]): Bytes {
    const all = new Bytes(pieces.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const piece of pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  },
  compare(a: Uint8Array, b: Uint8Array): number {
    const shared = Math.min(a.length, b.length);
    for (let i = 0; i < shared; i += 1) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
    return Math.sign(a.length - b.length);
  },
};

/** Replaces shared memory, because there is only one thread. */
const ownMemory = ArrayBuffer;

/** Adds the replacements to the worker's globals. */
export function addNodeGlobals(): void {
  for (const [name, value] of Object.entries({
    Buffer: bufferLike,
    SharedArrayBuffer: ownMemory,
  })) {
    if (!(name in globalThis)) Object.assign(globalThis, { [name]: value });
  }
}
