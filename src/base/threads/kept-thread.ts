// A thread for successive questions, which starts with the first question and ends when it is idle.
import { parentPort } from 'node:worker_threads';
import type { Clock, Timer } from '../clock.ts';
import { AppError, type ErrorCode, errorMessage } from '../errors.ts';
import type { Elements } from '../owned.ts';
import { type AskedThread, type Reply, replyOf, threadError } from './ask-thread.ts';
import { send } from './send.ts';
import { codeOfDeath, Thread } from './thread.ts';

/** A thread to start: its script calls `answerQuestions`. */
export interface KeptThreadStart extends Omit<AskedThread, 'moved'> {
  /** Time without a question after which the thread ends. */
  readonly idleMillis: number;
}

/**
 * Sends questions to a thread. The caller waits for an answer before it sends the next question.
 */
export class KeptThread {
  readonly #clock: Clock;
  readonly #start: KeptThreadStart;
  #thread: Thread | undefined;
  #idle: Timer | undefined;
  #fail: ((error: AppError) => void) | undefined;

  constructor(clock: Clock, start: KeptThreadStart) {
    this.#clock = clock;
    this.#start = start;
  }

  /**
   * Returns the answer to a question. The memory of `moved`, arrays within the question, is
   * transferred.
   *
   * Errors: AppError of the thread's work. After other errors, the next question gets a new thread:
   * 'cancelled' when the signal is aborted; 'internal' when the thread dies; 'resource-exhausted',
   * which names the memory limit, when its heap is too large.
   */
  async ask<T>(question: unknown, moved: readonly Elements[], signal: AbortSignal): Promise<T> {
    if (signal.aborted) throw this.#failure('cancelled', this.#start.whyCancelled);
    this.#idle?.cancel();
    this.#thread ??= this.#begin();
    const thread = this.#thread;
    const { promise, resolve, reject } = Promise.withResolvers<Reply<T>>();
    this.#fail = reject;
    const onAbort = (): void => {
      reject(this.#failure('cancelled', this.#start.whyCancelled));
      void this.close();
    };
    thread.once('message', resolve);
    signal.addEventListener('abort', onAbort, { once: true });
    // Only a thread with a question keeps the process alive.
    thread.ref();
    try {
      send(thread, question, moved);
      const reply = await promise;
      if ('answer' in reply) return reply.answer;
      throw new AppError(reply.code, reply.message, { limit: reply.limit });
    } finally {
      this.#fail = undefined;
      signal.removeEventListener('abort', onAbort);
      thread.off('message', resolve);
      thread.unref();
      this.#idle = this.#clock.setTimer(this.#start.idleMillis, () => void this.close());
    }
  }

  /** Ends the thread; the next question gets a new one. Idempotent. */
  async close(): Promise<void> {
    this.#idle?.cancel();
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  #begin(): Thread {
    const { script, ...options } = this.#start;
    const thread = new Thread(script, options);
    const die = (code: ErrorCode, why: string): void => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      this.#fail?.(this.#failure(code, `the thread died: ${why}`));
    };
    thread.on('error', (error) => die(codeOfDeath(error), errorMessage(error)));
    thread.on('exit', (code) => die('internal', `it exited with code ${code}`));
    return thread;
  }

  #failure(code: ErrorCode, why: string): AppError {
    return threadError(this.#start.task, code, why);
  }
}

/** Answers the questions that are sent to this thread, until it is ended. */
export function answerQuestions(work: (question: unknown) => Promise<unknown>): void {
  parentPort?.on('message', (question: unknown) => {
    void replyOf(work, question).then((reply) => send(parentPort, reply));
  });
}
