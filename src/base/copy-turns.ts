// Copies of large memory in turns of the event loop: new memory costs a fault for each page.

/** Bytes that are copied in one turn, by all copies together; they take 2 to 4 ms. */
const bytesPerTurn = 2 << 20;
/** Fewest bytes of one of many copies in a turn. */
const bytesOfTurnMin = 64 << 10;

/** A copy that may have begun. */
export interface Copy {
  /** Copies up to that many bytes, and returns the number of those that it has copied. */
  copyUpTo(bytesMax: number): number;
  /** Number of bytes that wait to be copied. */
  readonly waitingBytes: number;
  /** Called in a turn in which the last waiting byte was copied, if there were later turns. */
  onCopied(): void;
}

/** Bytes that this turn may still copy. */
let bytesLeft = bytesPerTurn;
let isArmed = false;
/** Copies that wait for a later turn. */
const waiting = new Set<Copy>();

/** Copies as much as this turn allows now, and the rest in later turns. */
export function copyInTurns(copy: Copy): void {
  if (waiting.has(copy)) return;
  arm();
  if (waiting.size === 0) bytesLeft -= copy.copyUpTo(bytesLeft);
  if (copy.waitingBytes > 0) waiting.add(copy);
}

/** Begins a turn with bytes of its own after this one. */
function arm(): void {
  if (isArmed) return;
  isArmed = true;
  setImmediate(() => {
    isArmed = false;
    bytesLeft = bytesPerTurn;
    // All copies get equal shares, so that a small one does not wait for large ones.
    const share = Math.max(bytesOfTurnMin, Math.floor(bytesPerTurn / Math.max(1, waiting.size)));
    for (const copy of Array.from(waiting)) {
      if (bytesLeft <= 0) break;
      waiting.delete(copy);
      bytesLeft -= copy.copyUpTo(Math.min(share, bytesLeft));
      if (copy.waitingBytes > 0) waiting.add(copy);
      else copy.onCopied();
    }
    if (waiting.size > 0) arm();
  });
}
