// The thread that compacts blocks: gives it the real disk, and a low priority.
import { createFiles } from '../../src/base/node/files.ts';
import { lowerThreadPriority } from '../../src/base/node/thread-priority.ts';
import { serveCompaction } from '../../src/storage/maintenance/compaction-thread.ts';

lowerThreadPriority('background');
await serveCompaction(createFiles());
