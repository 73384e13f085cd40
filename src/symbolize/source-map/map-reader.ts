// Reads source maps in threads, one map at a time. Callers take turns.
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { FairQueue, type Turn } from '../../base/fair-queue.ts';
import { memoryShare } from '../../base/memory-limit.ts';
import { type AskedThread, askThread } from '../../base/threads/ask-thread.ts';
import {
  sourceMapHeapBytesMax,
  sourceMapMillisMax,
  sourceMapMillisUsual,
  sourceMapsWaitingMax,
  sourceMapWaitMillisMax,
} from '../limits.ts';
import type { SourceFrame } from '../interface.ts';

/** A request to the thread for original positions, or for the content of a source. */
export interface MapRequest {
  readonly path: string;
  readonly places: readonly number[];
  readonly fileName?: string;
}

/** Reply to a request. */
export interface MapReply {
  readonly frames: SourceFrame[][];
  readonly text?: string | undefined;
}

/** Reads maps one at a time, because a large map takes hundreds of megabytes of memory. */
export class MapReader {
  readonly #script: URL;
  readonly #clock: Clock;
  readonly #askThread: typeof askThread<MapReply>;
  readonly #queue: FairQueue;

  /** `script` is a thread that calls `answerByMap`. */
  constructor(script: URL, clock: Clock, ask: typeof askThread<MapReply> = askThread) {
    this.#script = script;
    this.#askThread = ask;
    this.#clock = clock;
    this.#queue = new FairQueue({
      clock,
      limits: {
        runningMax: 1,
        reserved: 0,
        waitingMax: sourceMapsWaitingMax,
        waitingSizeMax: Infinity,
      },
      millisPerSize: sourceMapMillisUsual,
      refuse: ({ waitingCount, retryAfterMillis }) => {
        const why = `${waitingCount} maps wait to be read, most of them yours`;
        return cannotRead('resource-exhausted', why, retryAfterMillis);
      },
    });
  }

  /**
   * Sends a request about a map when it is the caller's turn. Lookups of positions have no caller,
   * because many queries share them. At most two of them wait, and they wait without a time limit.
   *
   * Errors: as in SourceMap; AppError 'resource-exhausted' if too many wait, 'unavailable' if the
   * turn does not come in time, 'deadline-exceeded' if the map takes too long; the reason why the
   * signal was aborted.
   */
  async ask(request: MapRequest, signal: AbortSignal, caller?: string): Promise<MapReply> {
    const turn = await this.#take(signal, caller);
    const start = this.#clock.monotonicMillis();
    try {
      return await this.#read(request, signal);
    } finally {
      turn.end(this.#clock.monotonicMillis() - start);
    }
  }

  #take(signal: AbortSignal, caller: string | undefined): Turn | Promise<Turn> {
    if (caller === undefined) return this.#queue.take('', 1, signal);
    const why = `others took ${sourceMapWaitMillisMax} ms to be read`;
    const late = cannotRead('unavailable', why, sourceMapMillisUsual);
    return this.#within(sourceMapWaitMillisMax, late, signal, async (ending) =>
      this.#queue.take(caller, 1, ending),
    );
  }

  #read(request: MapRequest, signal: AbortSignal): Promise<MapReply> {
    const thread: AskedThread = {
      script: this.#script,
      name: 'source-map',
      task: 'read the source map',
      whyCancelled: 'cancelled',
      heapBytesMax: memoryShare('sourceMapHeap', sourceMapHeapBytesMax),
    };
    const late = cannotRead('deadline-exceeded', `it takes more than ${sourceMapMillisMax} ms`);
    return this.#within(sourceMapMillisMax, late, signal, (ending) =>
      this.#askThread(thread, request, ending),
    );
  }

  /**
   * Runs work. It is ended when the signal is aborted, or after `millisMax` with the error `late`.
   */
  async #within<T>(
    millisMax: number,
    late: AppError,
    signal: AbortSignal,
    work: (ending: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const tooLate = new AbortController();
    const timer = this.#clock.setTimer(millisMax, () => tooLate.abort(late));
    try {
      return await work(AbortSignal.any([signal, tooLate.signal]));
    } catch (error) {
      throw tooLate.signal.aborted && !signal.aborted ? late : error;
    } finally {
      timer.cancel();
    }
  }
}

function cannotRead(
  code: 'resource-exhausted' | 'unavailable' | 'deadline-exceeded',
  why: string,
  retryAfterMillis?: number,
): AppError {
  return new AppError(code, `cannot read the source map: ${why}`, { retryAfterMillis });
}
