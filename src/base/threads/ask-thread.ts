// Sends one question to a thread that is started only for this question. When the thread ends, all
// of its memory is released.
import { parentPort } from 'node:worker_threads';
import { AppError, type ErrorCode, errorCode, errorMessage } from '../errors.ts';
import type { Elements } from '../owned.ts';
import { send } from './send.ts';
import { codeOfDeath, Thread } from './thread.ts';
import { threadData } from './unbroken.ts';

/** Answer of a thread, or the error of its work. */
export type Reply<T> =
  | { readonly answer: T }
  | { readonly code: ErrorCode; readonly message: string; readonly limit?: string | undefined };

/** A thread to start: its script calls `answerQuestion`. */
export interface AskedThread {
  readonly script: URL;
  readonly name: string;
  /** Verb and object for error messages, such as "read symbols". */
  readonly task: string;
  /** Reason in the error of a cancelled question. */
  readonly whyCancelled: string;
  /** Arrays within the question whose memory is transferred and can no longer be used here. */
  readonly moved?: readonly Elements[];
  /** Heap limit above which the thread dies; Node's default if absent. */
  readonly heapBytesMax?: number;
}

/**
 * Starts a thread with a question, and returns its answer.
 *
 * Errors: AppError of the thread's work; 'cancelled' when the signal is aborted; 'internal' when
 * the thread dies; 'resource-exhausted', which names the memory limit, when its heap is too large.
 */
export async function askThread<T>(
  { script, name, task, whyCancelled, ...limits }: AskedThread,
  question: unknown,
  signal: AbortSignal,
): Promise<T> {
  if (signal.aborted) throw threadError(task, 'cancelled', whyCancelled);
  const thread = new Thread(script, { name, data: question, ...limits });
  const onAbort = (): void => void thread.terminate();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const reply = await new Promise<Reply<T>>((resolve, reject) => {
      const die = (why: string, code: ErrorCode = 'internal'): void => {
        if (signal.aborted) reject(threadError(task, 'cancelled', whyCancelled));
        else reject(threadError(task, code, `the thread died: ${why}`));
      };
      thread.on('message', resolve);
      thread.on('error', (error) => die(errorMessage(error), codeOfDeath(error)));
      thread.on('exit', (code) => die(`it exited with code ${code}`));
    });
    if ('answer' in reply) return reply.answer;
    throw new AppError(reply.code, reply.message, { limit: reply.limit });
  } finally {
    signal.removeEventListener('abort', onAbort);
    await thread.terminate();
  }
}

/**
 * Returns the error of a task whose thread died or was ended. For a full heap, the error names the
 * memory limit.
 */
export function threadError(task: string, code: ErrorCode, why: string): AppError {
  const limit = code === 'resource-exhausted' ? 'memory-limit' : undefined;
  return new AppError(code, `cannot ${task}: ${why}`, { limit });
}

/** Answers the question that this thread was started with. */
export async function answerQuestion(work: (question: unknown) => Promise<unknown>): Promise<void> {
  send(parentPort, await replyOf(work, threadData()));
  // Keeps the thread alive, because it may be profiled until the main thread ends it.
  parentPort?.on('message', () => undefined);
}

/** Returns the reply to a question: the result of `work` or its error. */
export async function replyOf(
  work: (question: unknown) => Promise<unknown>,
  question: unknown,
): Promise<Reply<unknown>> {
  try {
    return { answer: await work(question) };
  } catch (error) {
    const limit = error instanceof AppError ? error.limit : undefined;
    return { code: errorCode(error), message: errorMessage(error), limit };
  }
}
