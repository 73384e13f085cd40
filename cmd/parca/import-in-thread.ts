// Imports large text files in threads, with callers taking turns: each import takes seconds and
// much memory.
import type { Clock } from '../../src/base/clock.ts';
import { AppError } from '../../src/base/errors.ts';
import { FairQueue } from '../../src/base/fair-queue.ts';
import { inputLimits } from '../../src/base/input-limits.ts';
import {
  importByteMillis,
  importHeapBytesMax,
  importsRunningMax,
  importsWaitingBytesMax,
  importsWaitingMax,
} from '../../src/base/limits.ts';
import { ownedBody } from '../../src/base/join-chunks.ts';
import { memoryShare } from '../../src/base/memory-limit.ts';
import { askThread } from '../../src/base/threads/ask-thread.ts';
import type {
  FileImport,
  ImportedFile,
  ImportInThread,
} from '../../src/formats/import/import-file.ts';

const script = new URL('./workers/import-worker.ts', import.meta.url);

/** Creates a function that imports files in threads. */
export function createThreadImport(clock: Clock): ImportInThread {
  const queue = new FairQueue({
    clock,
    limits: {
      runningMax: importsRunningMax,
      reserved: 1,
      waitingMax: importsWaitingMax,
      waitingSizeMax: memoryShare('importTexts', importsWaitingBytesMax),
    },
    millisPerSize: importByteMillis,
    refuse: ({ waitingCount, retryAfterMillis }) => {
      const why = `${waitingCount} files wait, most of them yours`;
      return new AppError('resource-exhausted', `cannot read profile: ${why}`, {
        retryAfterMillis,
      });
    },
  });
  return async (file, signal, caller = '') => {
    const turn = await queue.take(caller, file.content.length, signal);
    const startMillis = clock.monotonicMillis();
    try {
      return await importFileInThread(file, signal);
    } finally {
      turn.end(clock.monotonicMillis() - startMillis);
    }
  };
}

/**
 * Imports a file in a thread, which takes over its memory. Errors: those of importFile;
 * 'cancelled', 'internal'.
 */
async function importFileInThread(file: FileImport, signal: AbortSignal): Promise<ImportedFile> {
  const content = await ownedBody(file.content);
  const thread = {
    script,
    name: 'import',
    task: 'read profile',
    whyCancelled: 'it takes too long',
    moved: [content],
    heapBytesMax: memoryShare('importHeap', importHeapBytesMax),
  };
  const question = { file: { ...file, content }, limits: { ...inputLimits } };
  return askThread<ImportedFile>(thread, question, signal);
}
