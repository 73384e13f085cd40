// The thread that compacts blocks: gives it the real disk, and a low priority.
import { setPriority, constants } from 'node:os';
import { createFiles } from '../../src/base/node/files.ts';
import { serveCompaction } from '../../src/storage/maintenance/compaction-worker.ts';

// Of this thread alone on Linux; elsewhere it would be that of the whole server.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
await serveCompaction(createFiles());
