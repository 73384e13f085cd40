// Parses relabeling rules that a user wants to try, and prints them. It does so in a thread that is
// kept, because 16 KiB of YAML take up to a second.
import type { Clock } from '../../src/base/clock.ts';
import { AppError } from '../../src/base/errors.ts';
import { FairQueue } from '../../src/base/fair-queue.ts';
import {
  importThreadIdleMillis,
  rulesHeapBytesMax,
  rulesTextMillis,
  rulesTextsWaitingMax,
} from '../../src/base/limits.ts';
import { memoryShare } from '../../src/base/memory-limit.ts';
import { KeptThread } from '../../src/base/threads/kept-thread.ts';
import type { ReadRules } from '../../src/scrape/interface.ts';

const script = new URL('./workers/rules-worker.ts', import.meta.url);

/** Creates a function that reads rules for one caller at a time. */
export function createRulesThread(clock: Clock): ReadRules {
  const thread = new KeptThread(clock, {
    script,
    name: 'rules',
    task: 'test relabeling',
    whyCancelled: 'it takes too long',
    heapBytesMax: memoryShare('importHeap', rulesHeapBytesMax),
    idleMillis: importThreadIdleMillis,
  });
  const queue = new FairQueue({
    clock,
    limits: {
      runningMax: 1,
      reserved: 0,
      waitingMax: rulesTextsWaitingMax,
      waitingSizeMax: Infinity,
    },
    millisPerSize: rulesTextMillis,
    refuse: ({ waitingCount, retryAfterMillis }) =>
      new AppError('resource-exhausted', `cannot test relabeling: ${waitingCount} others wait`, {
        retryAfterMillis,
      }),
  });
  return async (yaml, { caller, signal }) => {
    const turn = await queue.take(caller, 1, signal);
    const startMillis = clock.monotonicMillis();
    try {
      return await thread.ask(yaml, [], signal);
    } finally {
      turn.end(clock.monotonicMillis() - startMillis);
    }
  };
}
