// Memory with one owner, which is the only memory that may be transferred to another thread.
//
// A transfer takes the memory away from all arrays that refer to it. A slice of a Node Buffer,
// which is also a Uint8Array, may share memory with other arrays. So buffers that may be
// transferred are made here, have their own type, and are checked at the transfer.
import { assert } from './assert.ts';

declare const owned: unique symbol;

/** A buffer that was made in this file; only arrays of its creator refer to it. */
export type OwnedBuffer = ArrayBuffer & { readonly [owned]: true };

/** Typed arrays of any element type. */
export type Elements<B extends ArrayBufferLike = ArrayBufferLike> =
  | Int8Array<B>
  | Uint8Array<B>
  | Int16Array<B>
  | Uint16Array<B>
  | Int32Array<B>
  | Uint32Array<B>
  | Float64Array<B>
  | BigInt64Array<B>
  | BigUint64Array<B>;

/** A typed array that owns its memory. */
export type Owned<A extends Elements> = A extends Uint8Array
  ? Uint8Array<OwnedBuffer>
  : A & { readonly buffer: OwnedBuffer };

const made = new WeakSet<ArrayBufferLike>();

/** Returns a buffer of zeros that may be transferred. */
export function createOwnedBuffer(byteLength: number): OwnedBuffer {
  const buffer = new ArrayBuffer(byteLength) as OwnedBuffer;
  made.add(buffer);
  return buffer;
}

/** Returns a copy of the elements `from` .. `to` in its own memory; never a Node Buffer. */
export function ownedCopy<A extends Elements>(
  elements: A,
  from = 0,
  to: number = elements.length,
): Owned<A> {
  const source = elements instanceof Uint8Array ? asBytes(elements) : elements;
  const copy = source.slice(from, to);
  made.add(copy.buffer);
  return copy as Owned<A>;
}

/** Returns the same bytes if they fill a buffer that may be transferred, otherwise a copy. */
export function asOwned(bytes: Uint8Array): Owned<Uint8Array> {
  const { buffer } = bytes;
  if (!isOwned(buffer) || !isOwnedWhole(bytes)) return ownedCopy(bytes);
  return new Uint8Array(buffer);
}

/** Returns true if the bytes fill a buffer that may be transferred. */
export function isOwnedWhole({ buffer, byteLength }: Uint8Array): boolean {
  return isOwned(buffer) && byteLength === buffer.byteLength;
}

/** Returns the same memory without the methods of a Node Buffer, so that `slice` copies. */
export function asBytes<B extends ArrayBufferLike>(bytes: Uint8Array<B>): Uint8Array<B> {
  if (Object.getPrototypeOf(bytes) === Uint8Array.prototype) return bytes;
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Returns the distinct buffers of arrays that are transferred together.
 *
 * Errors: AssertionFailure if other arrays may refer to a buffer, or it was already transferred.
 */
export function transferList(arrays: Iterable<Elements>): OwnedBuffer[] {
  const buffers = new Set<OwnedBuffer>();
  for (const { buffer } of arrays) {
    assert(isOwned(buffer), 'memory that is transferred has one owner');
    assert(!buffer.detached, 'memory is transferred once');
    buffers.add(buffer);
  }
  return [...buffers];
}

function isOwned(buffer: ArrayBufferLike): buffer is OwnedBuffer {
  return made.has(buffer);
}
