// The thread that reads symbol tables: gives it the real disk, and a low priority.
import { createFiles } from '../../src/base/node/files.ts';
import { lowerThreadPriority } from '../../src/base/node/thread-priority.ts';
import { serveTables } from '../../src/symbolize/table-resolver.ts';

lowerThreadPriority('background');
await serveTables(createFiles());
