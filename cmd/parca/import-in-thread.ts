// Imports text files in threads with fair queueing, because a large file takes seconds and a lot of
// memory.
import type { Clock } from '../../src/base/clock.ts';
import { AppError } from '../../src/base/errors.ts';
import { FairQueue, type FairQueueLimits } from '../../src/base/fair-queue.ts';
import { inputLimits } from '../../src/base/input-limits.ts';
import {
  importByteMillis,
  importHeapBytesMax,
  importsRunningMax,
  importsWaitingBytesMax,
  importsWaitingMax,
  importThreadIdleMillis,
  smallImportBytesMax,
  smallImportsWaitingMax,
} from '../../src/base/limits.ts';
import { ownedBody } from '../../src/base/join-chunks.ts';
import { memoryShare } from '../../src/base/memory-limit.ts';
import { askThread } from '../../src/base/threads/ask-thread.ts';
import { KeptThread } from '../../src/base/threads/kept-thread.ts';
import {
  importedBytes,
  type ImportedFile,
  type ImportInThread,
} from '../../src/formats/import/import-file.ts';

const script = new URL('./workers/import-worker.ts', import.meta.url);
const smallScript = new URL('./workers/small-import-worker.ts', import.meta.url);

/** Options of the threads for large files and for small files. */
const importTask = { task: 'read profile', whyCancelled: 'it takes too long' } as const;

/**
 * Creates a function that imports files in threads. A large file has its own thread, and its memory
 * is released when that thread ends. Small files are read one after another in a thread that is
 * kept, because starting a thread takes longer than reading a small file.
 */
export function createThreadImport(clock: Clock): ImportInThread {
  const large = createQueue(clock, {
    runningMax: importsRunningMax,
    reserved: 1,
    waitingMax: importsWaitingMax,
    waitingSizeMax: memoryShare('importTexts', importsWaitingBytesMax),
  });
  const small = createQueue(clock, {
    runningMax: 1,
    reserved: 0,
    waitingMax: smallImportsWaitingMax,
    waitingSizeMax: Infinity,
  });
  const heapBytesMax = memoryShare('importHeap', importHeapBytesMax);
  const kept = new KeptThread(clock, {
    ...importTask,
    script: smallScript,
    name: 'import small',
    heapBytesMax,
    idleMillis: importThreadIdleMillis,
  });
  return async (file, signal, caller = '') => {
    const bytes = importedBytes(file);
    const isSmall = bytes <= smallImportBytesMax;
    const turn = await (isSmall ? small : large).take(caller, bytes, signal);
    const startMillis = clock.monotonicMillis();
    try {
      const owned = await ownedBody(file.content);
      const question = { file: { ...file, content: owned }, limits: { ...inputLimits } };
      if (isSmall) return await kept.ask<ImportedFile>(question, [owned], signal);
      const thread = { ...importTask, script, name: 'import', moved: [owned], heapBytesMax };
      return await askThread<ImportedFile>(thread, question, signal);
    } finally {
      turn.end(clock.monotonicMillis() - startMillis);
    }
  };
}

function createQueue(clock: Clock, limits: FairQueueLimits): FairQueue {
  return new FairQueue({
    clock,
    limits,
    millisPerSize: importByteMillis,
    refuse: ({ waitingCount, retryAfterMillis }) => {
      const why = `${waitingCount} files wait, most of them yours`;
      return new AppError('resource-exhausted', `cannot read profile: ${why}`, {
        retryAfterMillis,
      });
    },
  });
}
