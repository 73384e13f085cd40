// Spreads large copies over several turns of the event loop: the first write to each page of new
// memory causes a page fault.

/** Number of bytes that all copies together may copy in one turn, which takes 2 to 4 ms. */
const bytesPerTurn = 2 << 20;
/** Smallest share of a turn, in bytes, that one of many copies gets. */
const bytesOfTurnMin = 64 << 10;

/** A copy that is waiting or in progress. */
export interface Copy {
  /** Copies up to `bytesMax` bytes, and returns how many it has copied. */
  copyUpTo(bytesMax: number): number;
  /** Number of bytes still to be copied. */
  readonly waitingBytes: number;
  /** Called in the turn in which the last byte was copied, if it was not the first turn. */
  onCopied(): void;
}

/** Bytes that this turn may still copy. */
let bytesLeft = bytesPerTurn;
let isArmed = false;
/** Copies that wait for a later turn. */
const waiting = new Set<Copy>();

/** Copies as much as this turn allows, and the rest in later turns. */
export function copyInTurns(copy: Copy): void {
  if (waiting.has(copy)) return;
  arm();
  if (waiting.size === 0) bytesLeft -= copy.copyUpTo(bytesLeft);
  if (copy.waitingBytes > 0) waiting.add(copy);
}

/** Schedules another turn, with its own share of bytes. */
function arm(): void {
  if (isArmed) return;
  isArmed = true;
  setImmediate(() => {
    isArmed = false;
    bytesLeft = bytesPerTurn;
    // All copies get equal shares, so that small copies do not wait for large ones.
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
