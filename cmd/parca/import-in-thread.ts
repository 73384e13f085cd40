// Imports of large text files in a thread, one after the other: each takes seconds and memory.
import { inputLimits } from '../../src/base/input-limits.ts';
import { importHeapBytesMax } from '../../src/base/limits.ts';
import { Slots } from '../../src/base/slots.ts';
import { askThread } from '../../src/base/threads/ask-thread.ts';
import type { FileImport, ImportedFile } from '../../src/formats/import/import-file.ts';

const script = new URL('./workers/import-worker.ts', import.meta.url);
const slots = new Slots(1);

/** Imports a file in a thread. Errors: those of importFile; 'cancelled', 'internal'. */
export function importInThread(file: FileImport, signal: AbortSignal): Promise<ImportedFile> {
  const thread = {
    ...{ script, name: 'import', task: 'read profile', whyCancelled: 'it takes too long' },
    heapBytesMax: importHeapBytesMax,
  };
  const question = { file, limits: { ...inputLimits } };
  return slots.run(() => askThread<ImportedFile>(thread, question, signal));
}
