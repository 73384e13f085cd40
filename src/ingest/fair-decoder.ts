// Lets callers take turns at a decoder. A caller with many or large writes delays each other caller
// by only one write.
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { FairQueue, type Refusal } from '../base/fair-queue.ts';
import { decodeByteMillis, decodedHeldMax, writesWaitingMax } from './limits.ts';
import type { Counter, Metrics } from '../base/metrics.ts';
import type { Dictionary } from '../model/dictionary.ts';
import { decodePendingBytes } from './decode-cost.ts';
import type { DecodedBatch, Decoder } from './decoder.ts';
import type { SeriesUpload } from './upload-reader.ts';

/** Decoded batches of a caller that have not been released yet. */
interface HeldBatches {
  count: number;
  /** Functions that end the turns of those batches that exceed the limit. */
  readonly waiting: (() => void)[];
}

export interface FairDecoderOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Number of workers of the decoder. */
  readonly size: number;
  readonly pendingBytesMax?: number;
}

/**
 * Passes a write to a decoder when it is its caller's turn.
 *
 * A worker cannot be stopped in the middle of an upload. So one caller gets all workers except for
 * one slot, which is kept for callers without a running upload.
 *
 * The main thread may take longer to store a batch than a worker takes to decode it. So a turn ends
 * only when at most `decodedHeldMax` batches of the caller are not released yet; otherwise batches
 * would fill the memory.
 *
 * Errors of `decode`: errors of the decoder; AppError 'resource-exhausted' if too many bytes wait,
 * which is thrown for the last write of the caller with the most waiting writes.
 */
export class FairDecoder implements Decoder {
  readonly #decoder: Decoder;
  readonly #clock: Clock;
  readonly #queue: FairQueue;
  readonly #refusals: Counter;
  /** Monotonic time at which the last decoding ended. */
  #lastEndMillis = 0;
  /** Unreleased batches of each caller, and the turns that wait for their release. */
  readonly #held = new Map<string, HeldBatches>();

  constructor(decoder: Decoder, options: FairDecoderOptions) {
    const { clock, metrics, size, pendingBytesMax = decodePendingBytes() } = options;
    this.#decoder = decoder;
    this.#clock = clock;
    this.#refusals = metrics.counter(
      'parca_ingest_writes_refused_total',
      'Writes refused because their caller had the most of too many that waited.',
    );
    this.#queue = new FairQueue({
      clock,
      limits: {
        runningMax: size + 1,
        reserved: 1,
        waitingMax: writesWaitingMax,
        waitingSizeMax: pendingBytesMax,
      },
      millisPerSize: decodeByteMillis,
      refuse: (refusal) => this.#refuse(refusal),
    });
    metrics.observedGauge(
      'parca_ingest_writes_waiting',
      'Writes that wait for the turn of their caller.',
      () => this.#queue.waitingCount,
    );
  }

  async decode(
    uploads: readonly SeriesUpload[],
    findTarget: () => Dictionary,
    isLarge?: boolean,
  ): Promise<DecodedBatch> {
    const bytes = uploads.reduce((sum, { profile }) => sum + profile.length, 0);
    const caller = uploads[0]?.caller ?? '';
    const taking = this.#queue.take(caller, bytes);
    const turn = taking instanceof Promise ? await taking : taking;
    const startMillis = this.#clock.monotonicMillis();
    const spentMillis = (): number => {
      const endMillis = this.#clock.monotonicMillis();
      // Until the previous upload ended, the worker was busy with it.
      const spent = endMillis - Math.max(startMillis, this.#lastEndMillis);
      this.#lastEndMillis = endMillis;
      return spent;
    };
    let batch: DecodedBatch;
    try {
      batch = await this.#decoder.decode(uploads, findTarget, isLarge);
    } catch (error) {
      turn.end(spentMillis());
      throw error;
    }
    const spent = spentMillis();
    return this.#hold(batch, caller, () => turn.end(spent));
  }

  /**
   * Calls `endTurn` at once if the caller holds at most `decodedHeldMax` batches, and otherwise
   * when a batch is released.
   */
  #hold(batch: DecodedBatch, caller: string, endTurn: () => void): DecodedBatch {
    const held = this.#held.get(caller) ?? { count: 0, waiting: [] };
    this.#held.set(caller, held);
    held.count += 1;
    if (held.count <= decodedHeldMax) endTurn();
    else held.waiting.push(endTurn);
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      batch.release?.();
      held.count -= 1;
      held.waiting.shift()?.();
      if (held.count === 0) this.#held.delete(caller);
    };
    const { target, profiles, carry, waiting } = batch;
    return {
      target,
      profiles,
      carry,
      waiting,
      release,
      appendTo: (append) => batch.appendTo(append),
    };
  }

  close(): Promise<void> {
    return this.#decoder.close();
  }

  #refuse({ waitingCount, waitingSize, retryAfterMillis }: Refusal): AppError {
    this.#refusals.add();
    const what = `${waitingCount} writes of ${waitingSize} bytes wait, most of them yours`;
    return new AppError('resource-exhausted', `cannot store profiles: ${what}`, {
      retryAfterMillis,
    });
  }
}
