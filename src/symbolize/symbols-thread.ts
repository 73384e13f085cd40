// Runs each request for names in a separate thread, with a time limit.
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { workerHeapBytesMax } from '../base/limits.ts';
import { memoryShare } from '../base/memory-limit.ts';
import { tableMillisMax } from './limits.ts';
import { askThread } from '../base/threads/ask-thread.ts';

/**
 * Function that sends a request to a new thread. Errors: AppErrors of the work; AppError
 * 'deadline-exceeded', after which the thread is ended.
 */
export type AskSymbols = <T>(request: object, signal: AbortSignal) => Promise<T>;

/** Creates a function that starts a thread of `script` for each request. */
export function createSymbolsThread(script: URL, clock: Clock): AskSymbols {
  const heapBytesMax = memoryShare('workerHeap', workerHeapBytesMax);
  const whyCancelled = 'cancelled';
  const thread = { script, name: 'symbols', task: 'read symbols', whyCancelled, heapBytesMax };
  return async (request, signal) => {
    const late = new AbortController();
    const timer = clock.setTimer(tableMillisMax, () => late.abort());
    try {
      return await askThread(thread, request, AbortSignal.any([signal, late.signal]));
    } catch (error) {
      if (signal.aborted || !late.signal.aborted) throw error;
      const why = `cannot read symbols: it takes more than ${tableMillisMax} ms`;
      throw new AppError('deadline-exceeded', why, { cause: error });
    } finally {
      timer.cancel();
    }
  };
}
