// Lets callers take turns at a decoder. A caller with many or large writes delays each other caller
// by only one write.
import { assert } from '../base/assert.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { FairQueue, type Refusal } from '../base/fair-queue.ts';
import { memoryShare } from '../base/memory-limit.ts';
import {
  decodeByteMillis,
  decodedHeldBytesMax,
  decodedHeldMax,
  writesWaitingMax,
} from './limits.ts';
import type { Counter, Metrics } from '../base/metrics.ts';
import type { Steps } from '../base/pacer.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { IncomingProfile } from '../storage/interface.ts';
import { decodePendingBytes } from './decode-cost.ts';
import type { DecodedBatch, DecodeOptions, Decoder } from './decoder.ts';
import type { SeriesUpload } from './upload-reader.ts';

/** Decoded batches of a caller that have not been released yet. */
interface HeldBatches {
  count: number;
  /** Functions that end the turns of those batches that exceed the limit. */
  readonly waiting: (() => void)[];
}

/** A decoded batch, which is no longer in memory after its release. */
class HeldBatch implements DecodedBatch {
  readonly heldBytes: number | undefined;
  #batch: DecodedBatch | undefined;
  readonly #onRelease: () => void;

  constructor(batch: DecodedBatch, onRelease: () => void) {
    this.heldBytes = batch.heldBytes;
    this.#batch = batch;
    this.#onRelease = onRelease;
  }

  get target(): Dictionary {
    return this.#held.target;
  }

  get profiles(): DecodedBatch['profiles'] {
    return this.#held.profiles;
  }

  get carry(): DecodedBatch['carry'] {
    return this.#held.carry;
  }

  get waiting(): DecodedBatch['waiting'] {
    return this.#held.waiting;
  }

  appendTo(append: (profile: IncomingProfile) => void): Steps<boolean> {
    return this.#held.appendTo(append);
  }

  release(): void {
    const batch = this.#batch;
    if (batch === undefined) return;
    this.#batch = undefined;
    batch.release?.();
    this.#onRelease();
  }

  get #held(): DecodedBatch {
    assert(this.#batch !== undefined, 'a released batch is not read');
    return this.#batch;
  }
}

export interface FairDecoderOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Number of workers of the decoder. */
  readonly size: number;
  readonly pendingBytesMax?: number;
  readonly heldBytesMax?: number;
}

/**
 * Passes a write to a decoder when it is its caller's turn.
 *
 * A worker cannot be stopped in the middle of an upload. So one caller gets all workers except for
 * one slot, which is kept for callers without a running upload.
 *
 * The main thread may take longer to store a batch than a worker takes to decode it. So a caller's
 * turn ends only when at most `decodedHeldMax` of its batches are unreleased, and all callers'
 * batches have at most `heldBytesMax`; otherwise batches would fill the memory.
 *
 * Errors of `decode`: errors of the decoder; AppError 'resource-exhausted' if too many bytes wait,
 * for the last write of the caller with the most waiting writes; the reason of the signal.
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
  readonly #heldBytesMax: number;
  /** Memory used by all unreleased batches, in bytes. */
  #heldBytes = 0;
  /** Functions that end turns as soon as there is memory for the next batch. */
  readonly #crowded: (() => void)[] = [];

  constructor(decoder: Decoder, options: FairDecoderOptions) {
    const { clock, metrics, size, pendingBytesMax = decodePendingBytes() } = options;
    this.#heldBytesMax = options.heldBytesMax ?? memoryShare('decoded', decodedHeldBytesMax);
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
    metrics.observedGauge(
      'parca_ingest_decoded_bytes',
      'Memory of writes that workers have decoded and that are not stored yet.',
      () => this.#heldBytes,
    );
  }

  async decode(
    uploads: readonly SeriesUpload[],
    findTarget: () => Dictionary,
    options: DecodeOptions = {},
  ): Promise<DecodedBatch> {
    const bytes = uploads.reduce((sum, { profile }) => sum + profile.length, 0);
    const caller = uploads[0]?.caller ?? '';
    const taking = this.#queue.take(caller, bytes, options.signal);
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
      batch = await this.#decoder.decode(uploads, findTarget, options);
    } catch (error) {
      turn.end(spentMillis());
      throw error;
    }
    const spent = spentMillis();
    return this.#hold(batch, caller, () => turn.end(spent));
  }

  /**
   * Calls `endTurn` immediately, or when the caller has at most `decodedHeldMax` batches and there
   * is memory for another one.
   */
  #hold(batch: DecodedBatch, caller: string, endTurn: () => void): DecodedBatch {
    const held = this.#held.get(caller) ?? { count: 0, waiting: [] };
    this.#held.set(caller, held);
    held.count += 1;
    const { heldBytes = 0 } = batch;
    this.#heldBytes += heldBytes;
    if (held.count <= decodedHeldMax) this.#endIfMemory(endTurn);
    else held.waiting.push(endTurn);
    return new HeldBatch(batch, () => {
      held.count -= 1;
      this.#heldBytes -= heldBytes;
      if (held.count === 0) this.#held.delete(caller);
      this.#endIfMemory(held.waiting.shift());
    });
  }

  /** Ends a turn, after those that wait for memory already, if there is memory. */
  #endIfMemory(endTurn: (() => void) | undefined): void {
    if (endTurn !== undefined) this.#crowded.push(endTurn);
    while (this.#heldBytes <= this.#heldBytesMax) {
      const next = this.#crowded.shift();
      if (next === undefined) return;
      next();
    }
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
