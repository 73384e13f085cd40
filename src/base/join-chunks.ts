// Joins the chunks of a body, in slices: new memory costs a fault for each page.
import { asOwned, createOwnedBuffer, isOwnedWhole, type Owned } from './owned.ts';

/** Bytes that are copied in one turn of the event loop, for all bodies together. */
const bytesPerTurn = 2 << 20;

/** Bytes that this turn may still copy. */
let bytesLeft = bytesPerTurn;
let nextTurn: Promise<void> | undefined;

/**
 * Returns the bytes of `chunks` in memory of their own, which may be transferred to a thread.
 * Empties the list.
 */
export async function joinChunks(chunks: Uint8Array[]): Promise<Owned<Uint8Array>> {
  let total = 0;
  for (const { length } of chunks) total += length;
  // Large memory of zeros is not touched until it is written.
  const joined = new Uint8Array(createOwnedBuffer(total));
  let at = 0;
  for (const chunk of chunks) {
    for (let from = 0; from < chunk.length;) {
      while (bytesLeft === 0) await endOfTurn();
      const count = Math.min(chunk.length - from, bytesLeft);
      joined.set(chunk.subarray(from, from + count), at);
      bytesLeft -= count;
      from += count;
      at += count;
    }
  }
  chunks.length = 0;
  return joined;
}

/** Returns the same bytes if they are the whole of transferable memory, else a copy. */
export async function ownedBody(bytes: Uint8Array): Promise<Owned<Uint8Array>> {
  return isOwnedWhole(bytes) ? asOwned(bytes) : joinChunks([bytes]);
}

/** Resolves in the next turn, which may copy as many bytes again. */
function endOfTurn(): Promise<void> {
  nextTurn ??= new Promise((resolve) => {
    setImmediate(() => {
      bytesLeft = bytesPerTurn;
      nextTurn = undefined;
      resolve();
    });
  });
  return nextTurn;
}
