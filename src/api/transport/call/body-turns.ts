// Turns of the event loop in which large bodies of HTTP/1.1 are read: each of many connections may
// bring 2 MiB in one turn. A connection that pauses is not read, so the caller waits. (A stream of
// HTTP/2 would still receive all of its window.)

/** Bytes of large bodies that are read in one turn; they take 2 to 5 ms. */
const bytesOfTurnMax = 4 << 20;
/** Bodies that go on in one turn: one of them may use all of it. */
const bodiesOfTurnMax = 2;

let usedBytes = 0;
let isArmed = false;
const waiting = new Set<() => void>();

/** Counts bytes of a large body; returns true if this turn has read enough. */
export function isTurnSpent(bytes: number): boolean {
  arm();
  usedBytes += bytes;
  return usedBytes > bytesOfTurnMax;
}

/** Calls `goOn` in a later turn. Returns a function that cancels this. */
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
