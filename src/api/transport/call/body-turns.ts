// Limits how many bytes of large bodies are read in one turn of the event loop, because each of
// many connections may deliver 2 MiB in one turn. A paused HTTP/1.1 body is not read, so the caller
// waits; for HTTP/2, see connection-turns.ts.

/**
 * Number of bytes of bodies that are read in one turn. With 4 MiB, a probe during eight uploads of
 * 20 MB was answered in 54 ms (p99); with this value, in 20 to 28 ms.
 */
const bytesOfTurnMax = 1 << 20;
/** Number of bodies or connections that continue in one turn. One of them may use up the turn. */
const bodiesOfTurnMax = 2;

let usedBytes = 0;
let isArmed = false;
const waiting = new Set<() => void>();

/** Counts bytes of a body; returns true if this turn has read enough. */
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
