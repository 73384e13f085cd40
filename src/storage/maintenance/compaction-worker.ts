// The other end of compaction-thread.ts: one compaction in a thread.
import { parentPort } from 'node:worker_threads';
import { errorCode, errorMessage } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import { send } from '../../base/threads/send.ts';
import { threadData } from '../../base/threads/unbroken.ts';
import { compactBlocks } from './compact.ts';
import type { CompactionReply } from './compaction-thread.ts';
import type { CompactionRequest } from './compactor.ts';

/** Carries out the request that the thread was started with, and answers. */
export async function serveCompaction(files: Files): Promise<void> {
  const request = threadData() as CompactionRequest;
  let reply: CompactionReply;
  try {
    reply = { outcome: await compactBlocks(files, request, new AbortController().signal) };
  } catch (error) {
    reply = { code: errorCode(error), message: errorMessage(error) };
  }
  send(parentPort, reply);
  // The owner ends the thread. Until then it can be asked what its CPU time went into.
  parentPort?.on('message', () => undefined);
}
