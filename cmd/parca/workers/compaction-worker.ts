// Thread with low priority that compacts blocks on the real disk.
import { createFiles } from '../../../src/base/node/files.ts';
import { lowerThreadPriority } from '../../../src/base/node/thread-priority.ts';
import { answerQuestion } from '../../../src/base/threads/ask-thread.ts';
import { compactBlocks } from '../../../src/storage/maintenance/compact.ts';
import type { CompactionRequest } from '../../../src/storage/maintenance/compactor.ts';

lowerThreadPriority('background');
await answerQuestion((request) =>
  compactBlocks(createFiles(), request as CompactionRequest, new AbortController().signal),
);
