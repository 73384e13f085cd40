// The thread that reads symbol tables: gives it the real disk, and a low priority.
import { createFiles } from '../../../src/base/node/files.ts';
import { lowerThreadPriority } from '../../../src/base/node/thread-priority.ts';
import { answerQuestion } from '../../../src/base/threads/ask-thread.ts';
import { resolveByTables, type TableRequest } from '../../../src/symbolize/table-resolver.ts';

lowerThreadPriority('background');
await answerQuestion((request) => {
  const { source, addresses } = request as TableRequest;
  return resolveByTables(createFiles(), source.path, addresses);
});
