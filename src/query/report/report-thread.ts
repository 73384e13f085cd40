// Makes large reports in a worker thread. On the main thread, building their trees and tables and
// encoding them would block all other work.
import type { Clock, Timer } from '../../base/clock.ts';
import { AppError, errorMessage, type ErrorCode } from '../../base/errors.ts';
import { FairQueue, type Turn } from '../../base/fair-queue.ts';
import {
  abandonedReportMillis,
  queriesWaitingMax,
  reportHeapBytesMax,
  reportIdleMillis,
  reportIdleSymbolsBytesMax,
  reportInThreadStacksMin,
  reportMillisMax,
  reportSilenceMillisMax,
  reportStackMillis,
  reportSymbolsBytesMax,
  reportThreadStartMillis,
} from '../limits.ts';
import { memoryShare } from '../../base/memory-limit.ts';
import { send } from '../../base/threads/send.ts';
import { codeOfDeath, Thread } from '../../base/threads/thread.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import {
  nothingCopied,
  rowsSince,
  type CopiedRows,
  type DictionaryRows,
} from '../../model/dictionaries/dictionary-copy.ts';
import { derivesAllCalls } from '../../report/tree/build-call-tree.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import { abortError, type QueryContext } from '../running/context.ts';
import type { EncodedReport, ReportEncoding } from '../interface.ts';
import type { BuildPlan } from '../plan/build-plan.ts';
import type { MergedSelection, SelectionFacts } from '../merge/selection-merger.ts';

/**
 * Builds a report from merges, and encodes it.
 *
 * Errors: AppErrors of the report and of its encoding.
 */
export type ReportMaker = (
  plan: BuildPlan,
  merges: readonly MergedSelection[],
  encoding: ReportEncoding,
) => Promise<EncodedReport>;

/** A merge in the form that is sent to the thread. */
export interface SentMerge {
  readonly facts: SelectionFacts;
  readonly groups: MergedSelection['stacks']['groups'];
  /** Number of the dictionary of its stacks; undefined without stacks. */
  readonly dictionary: number | undefined;
}

/** Rows that were added to a dictionary since it was last sent. */
export interface SentRows {
  readonly dictionary: number;
  readonly rows: DictionaryRows;
}

/** A message to the thread. */
export type ReportRequest =
  | {
      readonly kind: 'make';
      readonly plan: BuildPlan;
      readonly merges: readonly SentMerge[];
      readonly added: readonly SentRows[];
      readonly encoding: ReportEncoding;
    }
  // Tells the thread to drop a dictionary that no longer exists.
  | { readonly kind: 'forget'; readonly dictionary: number };

/** A message from the thread: one reply to each 'make'. */
export type ReportReply = EncodedReport | { readonly code: ErrorCode; readonly message: string };

/** Makes reports for the engine. */
export type ReportMaking = Pick<ReportThread, 'make'> & Partial<Pick<ReportThread, 'expect'>>;

/**
 * Maximum number of stack nodes up to which call nodes are derived on this thread, at 80 ns each.
 */
const nodesDerivedHereMax = 20_000;

interface Work {
  readonly plan: BuildPlan;
  readonly merges: readonly MergedSelection[];
  readonly encoding: ReportEncoding;
  readonly turn: Turn;
  resolve(report: EncodedReport): void;
  reject(error: AppError): void;
}

/** The request that the thread is working on. */
interface SentWork {
  readonly work: Work;
  readonly sentMillis: number;
  /** Fails the report when the thread takes too long. */
  readonly timer: Timer;
  /** True if no caller waits for the report any longer. */
  isAbandoned: boolean;
}

/** A thread, and the data that it was sent. */
interface Running {
  readonly thread: Thread;
  /** Numbers of rows that were sent from each dictionary, by the dictionary's number. */
  readonly copied: Map<number, CopiedRows>;
  /** Bytes of these rows. */
  readonly copiedBytes: Map<number, number>;
}

/**
 * Makes small reports immediately and large reports in one thread, one at a time, with a fair order
 * among callers.
 *
 * The thread has copies of the dictionaries of its reports, which grow and are dropped with the
 * originals. If no caller wants a report any longer while other reports wait, the report gets a
 * moment to finish. After that, the thread is ended and the next report gets a new thread. The cost
 * is charged to the caller of the unwanted report.
 */
export class ReportThread {
  readonly #clock: Clock;
  readonly #script: URL;
  readonly #makeHere: ReportMaker;
  #running: Running | undefined;
  #current: SentWork | undefined;
  #idleTimer: Timer | undefined;
  readonly #queue: FairQueue;
  readonly #numbers = new WeakMap<Dictionary, number>();
  #lastNumber = 0;
  #isClosed = false;
  readonly #gone = new FinalizationRegistry<number>((number) => this.#forget(number));

  /** `script` must call `serveReports` with a maker equivalent to `makeHere`. */
  constructor(clock: Clock, script: URL, makeHere: ReportMaker) {
    this.#clock = clock;
    this.#script = script;
    this.#makeHere = makeHere;
    // Only running queries request reports, which limits the number of waiting reports.
    this.#queue = new FairQueue({
      clock,
      limits: {
        runningMax: 1,
        reserved: 0,
        waitingMax: queriesWaitingMax,
        waitingSizeMax: Infinity,
      },
      millisPerSize: reportStackMillis,
      refuse: () => failure('too many reports wait', 'resource-exhausted'),
    });
  }

  /**
   * Announces a report from stacks of a dictionary, which are being merged or may soon be
   * requested. If the report needs a thread, the thread starts in the meantime, which takes 0.2 s.
   */
  expect({ underivedNodes }: Pick<Dictionary, 'underivedNodes'>): void {
    const isLarge = underivedNodes >= nodesDerivedHereMax;
    if (!isLarge || this.#isClosed || this.#running !== undefined) return;
    this.#running = this.#start();
    this.#running.thread.unref();
  }

  /**
   * Makes a report. Errors: those of the maker; the reason why the query was aborted; 'internal' if
   * the thread died.
   */
  async make(
    plan: BuildPlan,
    merges: readonly MergedSelection[],
    encoding: ReportEncoding,
    context: QueryContext,
  ): Promise<EncodedReport> {
    context.throwIfAborted();
    const isSendable = plan.functions === undefined;
    if (!isSendable || !isLarge(merges)) return this.#makeHere(plan, merges, encoding);
    const taking = this.#queue.take(context.caller, countStacks(merges), context.signal);
    this.#dropAbandoned();
    const turn = taking instanceof Promise ? await taking : taking;
    if (this.#isClosed || context.signal.aborted) {
      turn.end(0);
      context.throwIfAborted();
      throw closing();
    }
    const { promise, resolve, reject } = Promise.withResolvers<EncodedReport>();
    const work = { plan, merges, encoding, turn, resolve, reject };
    this.#begin(work);
    try {
      return await untilAborted(promise, context.signal, abortError);
    } finally {
      this.#abandon(work);
    }
  }

  /** Returns the reason why large reports may hang; undefined while the thread responds. */
  problem(): string | undefined {
    if (this.#current === undefined) return undefined;
    const millis = this.#clock.monotonicMillis() - this.#current.sentMillis;
    if (millis <= reportSilenceMillisMax) return undefined;
    return `the thread of reports has been silent for ${Math.round(millis / 1_000)} s`;
  }

  /** Ends the thread; running reports fail. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#idleTimer?.cancel();
    await this.#running?.thread.terminate();
  }

  #begin(work: Work): void {
    try {
      this.#sendWork(work);
    } catch (error) {
      // Nobody knows how much of the data the thread has received, so the next report gets a new
      // thread.
      this.#endThread();
      work.turn.end();
      work.reject(failure(errorMessage(error)));
    }
  }

  #sendWork(work: Work): void {
    this.#idleTimer?.cancel();
    const { thread, copied, copiedBytes } = (this.#running ??= this.#start());
    const { plan, encoding } = work;
    const added: SentRows[] = [];
    const merges = work.merges.map(({ stacks, ...facts }) => {
      const { dictionary, groups } = stacks;
      if (dictionary === undefined) return { facts, groups, dictionary };
      const number = this.#numberDictionary(dictionary);
      const rows = rowsSince(dictionary, copied.get(number) ?? nothingCopied);
      if (rows !== undefined) {
        copied.set(number, rows.to);
        const bytes = rows.columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
        copiedBytes.set(number, (copiedBytes.get(number) ?? 0) + bytes);
        added.push({ dictionary: number, rows });
      }
      return { facts, groups, dictionary: number };
    });
    const request: ReportRequest = { kind: 'make', plan, merges, added, encoding };
    thread.ref();
    send(
      thread,
      request,
      added.flatMap(({ rows }) => rows.columns),
    );
    const giveUp = (): void => {
      work.reject(failure(`it took longer than ${reportMillisMax / 1_000} s`, 'deadline-exceeded'));
      this.#endThread();
    };
    const timer = this.#clock.setTimer(reportMillisMax, giveUp);
    const sentMillis = this.#clock.monotonicMillis();
    this.#current = { work, sentMillis, timer, isAbandoned: false };
  }

  #start(): Running {
    const heapBytesMax = memoryShare('reportHeap', reportHeapBytesMax);
    const thread = new Thread(this.#script, { name: 'reports', heapBytesMax });
    const running: Running = { thread, copied: new Map(), copiedBytes: new Map() };
    thread.on('message', (reply: ReportReply) => {
      if (this.#running === running) this.#settle(reply);
    });
    thread.on('error', (error) => {
      this.#die(running, errorMessage(error), codeOfDeath(error));
    });
    thread.on('exit', (code) => this.#die(running, `it exited with code ${code}`));
    return running;
  }

  #settle(reply: ReportReply): void {
    const work = this.#endCurrent();
    if ('code' in reply) work?.reject(new AppError(reply.code, reply.message));
    else work?.resolve(reply);
    // A reply may arrive after `close`, which waits for the thread to end.
    if (this.#current !== undefined || this.#isClosed) return;
    this.#running?.thread.unref();
    this.#rest();
  }

  /** Ends the idle thread if its copies take much memory, and immediately if they take too much. */
  #rest(): void {
    const running = this.#running;
    if (running === undefined) return;
    let bytes = 0;
    for (const one of running.copiedBytes.values()) bytes += one;
    const isIdle = (): boolean => this.#running === running && this.#current === undefined;
    if (bytes > memoryShare('reportSymbols', reportSymbolsBytesMax)) this.#endThread();
    else if (bytes > reportIdleSymbolsBytesMax)
      this.#idleTimer = this.#clock.setTimer(reportIdleMillis, () => {
        if (isIdle()) this.#endThread();
      });
  }

  #die(running: Running, why: string, code?: ErrorCode): void {
    if (this.#running !== running) return;
    this.#running = undefined;
    this.#endCurrent()?.reject(failure(`its thread died: ${why}`, code));
  }

  /** Records that no caller waits for a report any longer, because it is done or was aborted. */
  #abandon(work: Work): void {
    if (this.#current?.work !== work) return;
    this.#current.isAbandoned = true;
    this.#dropAbandoned();
  }

  /** If other reports wait for the thread, ends work that no caller wants, after a moment. */
  #dropAbandoned(): void {
    const current = this.#current;
    if (current?.isAbandoned !== true || this.#queue.waitingCount === 0) return;
    this.#clock.setTimer(abandonedReportMillis, () => {
      if (this.#current === current) this.#endThread();
    });
  }

  /** Ends the thread and its work. Later replies from it are ignored. */
  #endThread(): void {
    const running = this.#running;
    this.#running = undefined;
    this.#endCurrent(reportThreadStartMillis);
    void running?.thread.terminate();
  }

  /**
   * Ends the turn of the current work, and charges its caller for the time until now plus
   * `moreMillis`.
   */
  #endCurrent(moreMillis = 0): Work | undefined {
    const current = this.#current;
    this.#current = undefined;
    if (current === undefined) return undefined;
    current.timer.cancel();
    const millis = this.#clock.monotonicMillis() - current.sentMillis;
    current.work.turn.end(millis + moreMillis);
    return current.work;
  }

  #numberDictionary(dictionary: Dictionary): number {
    const known = this.#numbers.get(dictionary);
    if (known !== undefined) return known;
    this.#lastNumber += 1;
    this.#numbers.set(dictionary, this.#lastNumber);
    this.#gone.register(dictionary, this.#lastNumber);
    return this.#lastNumber;
  }

  #forget(dictionary: number): void {
    const running = this.#running;
    if (running === undefined || !running.copied.delete(dictionary)) return;
    running.copiedBytes.delete(dictionary);
    const request: ReportRequest = { kind: 'forget', dictionary };
    send(running.thread, request);
  }
}

function closing(): AppError {
  return failure('closing', 'unavailable');
}

function failure(why: string, code: ErrorCode = 'internal'): AppError {
  return new AppError(code, `cannot make report: ${why}`);
}

/**
 * Returns true if a report is so large that it may delay other work. A graph of one instance (700
 * of 50,000 stacks) is not: it takes 3 ms on this thread, and 50 % more in the report thread.
 */
function isLarge(merges: readonly MergedSelection[]): boolean {
  const stackCount = countStacks(merges);
  if (stackCount >= reportInThreadStacksMin) return true;
  return merges.some(({ stacks: { dictionary } }) => {
    if (dictionary === undefined || dictionary.underivedNodes < nodesDerivedHereMax) return false;
    return derivesAllCalls(dictionary, stackCount);
  });
}

function countStacks(merges: readonly MergedSelection[]): number {
  let stackCount = 0;
  for (const { stacks } of merges) {
    for (const { merged } of stacks.groups) stackCount += merged.stacks.length;
  }
  return stackCount;
}
