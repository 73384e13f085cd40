// Both ends of compactions in threads. A thread of its own gives all memory back.
import { AppError, errorMessage, type ErrorCode, errorCode } from '../../base/errors.ts';
import { Thread } from '../../base/threads/thread.ts';
import type { CompactionOutcome, CompactionRequest, Compactor } from './compactor.ts';
import { parentPort } from 'node:worker_threads';
import type { Files } from '../../base/files.ts';
import { send } from '../../base/threads/send.ts';
import { threadData } from '../../base/threads/unbroken.ts';
import { compactBlocks } from './compact.ts';

/** The only message of the thread. */
type CompactionReply =
  | { readonly outcome: CompactionOutcome }
  | { readonly code: ErrorCode; readonly message: string };

/**
 * Makes a compactor that starts a thread for each compaction. `script` calls `serveCompaction`. A
 * cancelled compaction ends with its thread.
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

/** Runs the compaction that this thread was started for, and sends its outcome. */
export async function serveCompaction(files: Files): Promise<void> {
  const request = threadData() as CompactionRequest;
  let reply: CompactionReply;
  try {
    reply = { outcome: await compactBlocks(files, request, new AbortController().signal) };
  } catch (error) {
    reply = { code: errorCode(error), message: errorMessage(error) };
  }
  send(parentPort, reply);
  // The main thread ends this one. Until then this thread may be profiled.
  parentPort?.on('message', () => undefined);
}
