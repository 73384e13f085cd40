// The globals of Node that the engine's code uses and a browser lacks, as far as it uses them.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

class Bytes extends Uint8Array {
  /** Returns UTF-8, whatever encoding is requested. */
  override toString(_encoding?: string, start = 0, end = this.length): string {
    return decoder.decode(this.subarray(start, end));
  }
}

/** The few functions of Node's Buffer that are called. */
const bufferLike = {
  poolSize: 0,
  alloc: (length: number): Bytes => new Bytes(length),
  allocUnsafe: (length: number): Bytes => new Bytes(length),
  /** Copies strings and bytes, and shares a whole buffer. */
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

/** Memory that threads would share; here there is one thread. */
const ownMemory = ArrayBuffer;

/** Adds them to the globals of the page. */
export function addNodeGlobals(): void {
  for (const [name, value] of Object.entries({
    Buffer: bufferLike,
    SharedArrayBuffer: ownMemory,
  })) {
    if (!(name in globalThis)) Object.assign(globalThis, { [name]: value });
  }
}
