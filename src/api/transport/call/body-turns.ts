// Limits how many bytes of large bodies are read in one turn of the event loop, because each of
// many connections may deliver 2 MiB in a turn. While an HTTP/1.1 body is paused, it is not read,
// so its caller waits; for HTTP/2, see connection-turns.ts.

/**
 * Maximum number of bytes of bodies that are read in one turn. With 4 MiB, a probe during eight
 * uploads of 20 MB was answered in 54 ms (p99); with this value, in 20 to 28 ms.
 */
const bytesOfTurnMax = 1 << 20;
/**
 * Maximum number of bodies or connections that continue in one turn; a single one may already use
 * up the turn's bytes.
 */
const bodiesOfTurnMax = 2;

let usedBytes = 0;
let isArmed = false;
const waiting = new Set<() => void>();

/** Counts bytes of a body; returns true if enough bytes have been read in this turn. */
export function isTurnSpent(bytes: number): boolean {
  arm();
  usedBytes += bytes;
  return usedBytes > bytesOfTurnMax;
}

/** Calls `goOn` in a later turn. Returns a function that cancels the call. */
export function inLaterTurn(goOn: () => void): () => void {
  arm();
  waiting.add(goOn);
  return () => void waiting.delete(goOn);
}

function arm(): void {
  if (isArmed) return;
  isArmed = true;
  setImmediate(() => {
    isArmed = false;
    usedBytes = 0;
    let count = 0;
    for (const goOn of waiting) {
      if (count === bodiesOfTurnMax) break;
      count += 1;
      waiting.delete(goOn);
      goOn();
    }
    if (waiting.size > 0) arm();
  });
}
