// Follows the log of a head in another process, and applies its records as they arrive.
import type { Clock } from '../../base/clock.ts';
import { joinChunks } from '../../base/join-chunks.ts';
import type { Logger } from '../../base/logger.ts';
import { finishPausing, Pacer } from '../../base/pacer.ts';
import { createLostRows, type LostRows } from '../../model/dictionaries/dictionary-codec.ts';
import type { Head } from '../head/head.ts';
import type { LogPlace, LogStretch } from '../part-source.ts';
import { applyRecord } from './apply-record.ts';
import { segmentHeaderBytes } from './format.ts';
import type { AppliedCounts } from './profiles-record.ts';
import { scanSegment } from './scan-segment.ts';

/** A copy of a head, built from the bytes of the head's log. */
export class LogFollower {
  readonly epoch: number;
  readonly head: Head;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #lostRows: LostRows = createLostRows();
  /** Sequence number of the segment that is being read. */
  #sequence = 0;
  /** Offset in the segment of the first byte that has not been applied. */
  #applied = 0;
  /** Bytes that were received but not applied, starting at offset `#applied`. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** True if a part of the log was damaged, so the copy is incomplete. */
  hasLost = false;

  /** Creates a copy without profiles. `head` must be empty. */
  constructor(epoch: number, head: Head, clock: Clock, logger: Logger) {
    this.epoch = epoch;
    this.head = head;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Position of the next byte. */
  get place(): LogPlace {
    const offset = this.#applied + this.#pendingBytes;
    return { epoch: this.epoch, sequence: this.#sequence, offset };
  }

  /**
   * Adds bytes that follow the bytes received so far. Ignores bytes at any other position. When the
   * segment has been received up to its current end, which is the end of a record, applies the
   * records in slices. Only one call may run at a time.
   *
   * Errors: AppError 'data-loss' if records contradict each other.
   */
  async add({ sequence, salt, offset, bytes, end }: LogStretch): Promise<void> {
    if (sequence > this.#sequence) {
      this.#sequence = sequence;
      this.#applied = 0;
      this.#pending = [];
      this.#pendingBytes = 0;
    }
    if (sequence !== this.#sequence || offset !== this.place.offset) return;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#applied + this.#pendingBytes < end) return;
    const content = await joined(this.#pending);
    const start = this.#applied;
    const counts: AppliedCounts = { stored: 0, known: 0, lost: 0 };
    const to = {
      head: this.head,
      lostRows: this.#lostRows,
      logger: this.#logger,
      onLostSymbols: () => (this.hasLost = true),
    };
    const pacer = new Pacer(this.#clock);
    await scanSegment({
      file: {
        read: async (into, at) => {
          const part = content.subarray(at - start, at - start + into.length);
          into.set(part);
          return part.length;
        },
      },
      salt,
      end,
      isLast: false,
      pacer,
      from: Math.max(start, segmentHeaderBytes),
      onRecord: ({ type }, payload, at) => {
        const record = { sequence, offset: at, type, payload };
        return finishPausing(applyRecord(to, record, counts), pacer);
      },
      onDamage: () => void (this.hasLost = true),
    });
    if (counts.lost > 0) this.hasLost = true;
    this.#applied = end;
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

async function joined(parts: readonly Uint8Array[]): Promise<Uint8Array> {
  return parts.length === 1 ? parts[0] : joinChunks([...parts]);
}
