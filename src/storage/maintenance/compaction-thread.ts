// Runs each compaction in a thread of its own, which leaves no memory behind.
import { AppError, errorMessage, type ErrorCode, errorCode } from '../../base/errors.ts';
import { Thread } from '../../base/threads/thread.ts';
import type { CompactionOutcome, CompactionRequest, Compactor } from './compactor.ts';
import { parentPort } from 'node:worker_threads';
import type { Files } from '../../base/files.ts';
import { send } from '../../base/threads/send.ts';
import { threadData } from '../../base/threads/unbroken.ts';
import { compactBlocks } from './compact.ts';

/** What the thread sends, once. */
export type CompactionReply =
  | { readonly outcome: CompactionOutcome }
  | { readonly code: ErrorCode; readonly message: string };

/**
 * Compacts in threads that run `script`, which calls `serveCompaction` with the files of this
 * machine. A compaction that is cancelled ends with its thread.
 */
export function createCompactionThreads(script: URL): Compactor {
  return {
    compact: (request, signal) => runThread(script, request, signal),
  };
}

async function runThread(
  script: URL,
  request: CompactionRequest,
  signal: AbortSignal,
): Promise<CompactionOutcome> {
  if (signal.aborted) throw cancelled();
  const thread = new Thread(script, { name: 'compaction', data: request });
  const onAbort = (): void => void thread.terminate();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const reply = await new Promise<CompactionReply>((resolve, reject) => {
      thread.on('message', resolve);
      thread.on('error', (error) => reject(deathOf(errorMessage(error))));
      thread.on('exit', (code) => {
        reject(signal.aborted ? cancelled() : deathOf(`it exited with code ${code}`));
      });
    });
    if ('outcome' in reply) return reply.outcome;
    throw new AppError(reply.code, reply.message);
  } finally {
    signal.removeEventListener('abort', onAbort);
    await thread.terminate();
  }
}

function cancelled(): AppError {
  return new AppError('cancelled', 'cannot compact blocks: the store is busy or closing');
}

function deathOf(why: string): AppError {
  return new AppError('internal', `cannot compact blocks: the thread died: ${why}`);
}

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
