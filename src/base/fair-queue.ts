// A queue whose callers share the server: deficit round robin by cost over networks, and over the
// callers of each network.
//
// Each round gives every waiting network the same credit, and its next task runs when the credit
// covers the cost of the task. The callers of a network share its turns in the same way. Costs are
// estimated from the size of a task and from the cost of the caller's earlier tasks; when a task
// ends, the caller is charged its actual cost. So each network gets an equal share of the time, and
// each caller an equal share of the time of its network, regardless of the number and size of
// tasks, and of the number of addresses that a flood comes from.
import { assert } from './assert.ts';
import type { Clock } from './clock.ts';
import { type AppError, abortReason } from './errors.ts';
import { type Account, Line, Network, roundMillis, type Task } from './fair-queue-accounts.ts';
import { networkOf } from './network.ts';

/** Limits of a queue. */
export interface FairQueueLimits {
  /** Maximum number of tasks that run at the same time; 0 = no limit. */
  readonly runningMax: number;
  /**
   * Number of slots that are reserved for callers without a running task, so that one caller cannot
   * take all slots. If several networks are active, long tasks also leave these slots free for
   * networks without a running task.
   */
  readonly reserved: number;
  /** Maximum number of tasks that wait. */
  readonly waitingMax: number;
  /** Largest total size of the waiting tasks. */
  readonly waitingSizeMax: number;
  /** Maximum number of tasks of one caller that run at the same time; 0 = no limit. */
  readonly runningOfCallerMax?: (caller: string) => number;
}

/** Dependencies and settings of a queue. */
export interface FairQueueOptions {
  readonly clock: Clock;
  readonly limits: FairQueueLimits;
  /** Estimated milliseconds for a task of size 1, until a task has been measured. */
  readonly millisPerSize: number;
  /**
   * Creates the error for a refused task. The queue refuses the last task of the caller with the
   * most waiting tasks, in the network with the most waiting tasks.
   */
  readonly refuse: (refused: Refusal) => AppError;
}

/** Facts about a task that is refused. */
export interface Refusal {
  readonly caller: string;
  /** Number and total size of the waiting tasks of all callers, including the refused task. */
  readonly waitingCount: number;
  readonly waitingSize: number;
  /** Time after which the caller may try again, estimated from its waiting tasks. */
  readonly retryAfterMillis: number;
}

/** The turn of a task. */
export interface Turn {
  /** Ends the turn. `spentMillis` is the time that the task took; by default, the estimate. */
  end(spentMillis?: number): void;
}

/** State of a caller, for display. */
export interface CallerState {
  readonly caller: string;
  readonly running: number;
  readonly waiting: number;
}

/**
 * Bounds of an estimate: they limit the number of rounds, and a wrong estimate does not block a
 * caller.
 */
const costMillisMin = 0.01;
const costMillisMax = 2_000;
const retryMillisMin = 1_000;
const retryMillisMax = 30_000;
/** Maximum number of callers without tasks whose debts and rates are remembered. */
const idleCallersMax = 1_000;
/** Estimate above which a task leaves slots to other networks. An ordinary task takes less time. */
const longTaskMillis = 50;
/** Time for which a network counts as active after its last task arrived. */
const otherNetworkMillis = 60_000;

/** A queue that gives turns to the tasks of callers. */
export class FairQueue {
  readonly #options: FairQueueOptions;
  /** Networks with known callers. */
  readonly #known = new Map<string, Network>();
  /** Networks with tasks, in the order of their turns. */
  readonly #networks = new Map<string, Network>();
  /** Callers without tasks, the least recently active first. */
  readonly #idle = new Map<string, Line>();
  #running = 0;
  #waiting = 0;
  #waitingSize = 0;
  /** The network of the last task, and the last time at which another network had a task. */
  #lastNetwork = '';
  #otherAskedMillis = -Infinity;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  get runningCount(): number {
    return this.#running;
  }

  get waitingCount(): number {
    return this.#waiting;
  }

  /** Size of all tasks that wait. */
  get waitingSize(): number {
    return this.#waitingSize;
  }

  /** Returns the callers that have tasks. */
  callers(): CallerState[] {
    return [...this.#networks.values()].flatMap(({ lines }) =>
      Array.from(lines.values(), ({ caller, running, waiting }) => ({ caller, running, waiting })),
    );
  }

  /**
   * Returns a turn, or a promise of a turn if the task has to wait. The turn must be ended once.
   * `signal` ends the wait; a function for it is called only if the task has to wait.
   *
   * Errors (only of the promise): the error that `refuse` creates; the reason why the signal was
   * aborted.
   */
  take(
    caller: string,
    size: number,
    signal?: AbortSignal | (() => AbortSignal | undefined),
  ): Turn | Promise<Turn> {
    if (typeof signal === 'object' && signal.aborted) return Promise.reject(abortReason(signal));
    const line = this.#findLine(caller);
    const now = this.#now();
    line.age(now);
    line.network.age(now);
    this.#see(line.network.name, now);
    if (line.waiting === 0 && this.#mayRun(line, size)) return this.#begin(line, size);
    const ending = typeof signal === 'function' ? signal() : signal;
    if (ending?.aborted === true) {
      this.#leaveIfIdle(line);
      return Promise.reject(abortReason(ending));
    }
    return this.#wait(line, size, ending);
  }

  /** Starts tasks that may now run because a limit of callers has changed. */
  retry(): void {
    this.#fill();
  }

  /** Records that a task of a network has arrived. */
  #see(network: string, nowMillis: number): void {
    if (network === this.#lastNetwork) return;
    if (this.#lastNetwork !== '') this.#otherAskedMillis = nowMillis;
    this.#lastNetwork = network;
  }

  #findLine(caller: string): Line {
    const name = networkOf(caller);
    const network = this.#known.get(name) ?? new Network(name, this.#now());
    this.#known.set(name, network);
    this.#networks.set(name, network);
    const known = network.lines.get(caller);
    if (known !== undefined) return known;
    const idle = this.#idle.get(caller);
    if (idle === undefined) network.callers += 1;
    else this.#idle.delete(caller);
    const line = idle ?? new Line(caller, network, this.#now());
    network.lines.set(caller, line);
    return line;
  }

  /** Estimates the cost from earlier tasks of the caller, or else of its network. */
  #estimate(line: Line, size: number): number {
    const { millisPerSize } = this.#options;
    const { endedSize, endedMillis } = line.endedSize > 0 ? line : line.network;
    const millis = size * (endedSize > 0 ? endedMillis / endedSize : millisPerSize);
    return Math.min(costMillisMax, Math.max(costMillisMin, millis));
  }

  #mayRun(line: Line, size: number): boolean {
    const { runningMax, reserved, runningOfCallerMax } = this.#options.limits;
    const { caller, network } = line;
    const ownMax = runningOfCallerMax?.(caller) ?? 0;
    if (ownMax !== 0 && line.running >= ownMax) return false;
    if (runningMax === 0) return true;
    const isAlone = this.#now() - this.#otherAskedMillis > otherNetworkMillis;
    const mayTakeAll =
      line.running === 0 &&
      (network.running === 0 || isAlone || this.#estimate(line, size) <= longTaskMillis);
    return this.#running < (mayTakeAll ? runningMax : Math.max(1, runningMax - reserved));
  }

  #begin(line: Line, size: number): Turn {
    const { network } = line;
    const costMillis = this.#estimate(line, size);
    this.#running += 1;
    for (const account of [line, network]) {
      account.running += 1;
      account.charge(costMillis);
    }
    let isEnded = false;
    return {
      end: (spentMillis = costMillis) => {
        if (isEnded) return;
        isEnded = true;
        const now = this.#now();
        this.#running -= 1;
        for (const account of [line, network]) {
          account.age(now);
          account.charge(spentMillis - costMillis);
          account.end(size, spentMillis);
          account.running -= 1;
        }
        this.#leaveIfIdle(line);
        this.#fill();
      },
    };
  }

  #wait(line: Line, size: number, signal?: AbortSignal): Promise<Turn> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#drop(line, task);
        if (signal !== undefined) reject(abortReason(signal));
      };
      const task: Task = {
        size,
        begin: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve(this.#begin(line, size));
        },
        refuse: (error) => {
          signal?.removeEventListener('abort', onAbort);
          reject(error);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      line.tasks.push(task);
      this.#count(line, 1, size);
      const { waitingMax, waitingSizeMax } = this.#options.limits;
      while (this.#waiting > waitingMax || this.#waitingSize > waitingSizeMax) this.#refuseOne();
    });
  }

  #count(line: Line, tasks: number, size: number): void {
    this.#waiting += tasks;
    this.#waitingSize += size;
    for (const account of [line, line.network]) {
      account.waiting += tasks;
      account.waitingSize += size;
    }
  }

  /**
   * Refuses the last task of the caller with the most waiting tasks, in the network with the most
   * waiting tasks.
   */
  #refuseOne(): void {
    const { refuse } = this.#options;
    const longest = this.#longest(this.#longest(this.#networks.values()).lines.values());
    const task = longest.tasks[longest.tasks.length - 1];
    const { waitingCount, waitingSize } = this;
    const ownMillis = this.#estimate(longest, longest.waitingSize);
    const retryAfterMillis = Math.min(retryMillisMax, Math.max(retryMillisMin, ownMillis));
    this.#drop(longest, task);
    const { caller } = longest;
    task.refuse(
      refuse({
        caller,
        waitingCount,
        waitingSize,
        retryAfterMillis: Math.ceil(retryAfterMillis),
      }),
    );
  }

  /**
   * Returns the account with the most waiting tasks; or, if the queue exceeds its size limit, the
   * account whose waiting tasks have the largest total size.
   */
  #longest<A extends Account>(accounts: Iterable<A>): A {
    const isOfSize = this.#waitingSize > this.#options.limits.waitingSizeMax;
    const measure = ({ waiting, waitingSize }: Account): number =>
      isOfSize ? waitingSize : waiting + waitingSize / (this.#waitingSize + 1);
    let longest: A | undefined;
    for (const account of accounts) {
      if (account.waiting === 0) continue;
      // If several are equal, the newest account is chosen, because the others have waited longer.
      if (longest === undefined || measure(account) >= measure(longest)) longest = account;
    }
    assert(longest !== undefined, 'a task waits');
    return longest;
  }

  /** Removes a task that will not run. */
  #drop(line: Line, task: Task): void {
    this.#remove(line, task);
    line.charge(0);
    line.network.charge(0);
    this.#leaveIfIdle(line);
  }

  #remove(line: Line, task: Task): void {
    const at = line.tasks.indexOf(task);
    if (at === -1) return;
    const now = this.#now();
    line.age(now);
    line.network.age(now);
    line.tasks.splice(at, 1);
    this.#count(line, -1, -task.size);
  }

  #now(): number {
    return this.#options.clock.monotonicMillis();
  }

  #leaveIfIdle(line: Line): void {
    if (line.running > 0 || line.waiting > 0) return;
    const { lines, name } = line.network;
    lines.delete(line.caller);
    if (lines.size === 0) this.#networks.delete(name);
    this.#idle.set(line.caller, line);
    if (this.#idle.size <= idleCallersMax) return;
    for (const [caller, { network }] of this.#idle) {
      this.#idle.delete(caller);
      network.callers -= 1;
      if (network.callers === 0) this.#known.delete(network.name);
      return;
    }
  }

  /** Begins tasks while there are slots for them. */
  #fill(): void {
    for (;;) {
      if (this.#waiting === 0) return;
      const next = this.#next();
      if (next === undefined) return;
      const [task] = next.tasks;
      const { caller, network } = next;
      this.#remove(next, task);
      // The caller moves to the end of the callers of its network, and the network to the end of
      // the networks.
      network.lines.delete(caller);
      network.lines.set(caller, next);
      this.#networks.delete(network.name);
      this.#networks.set(network.name, network);
      task.begin();
    }
  }

  /**
   * Returns the next caller of the network that needs the fewest rounds until its credit covers the
   * first task of that caller.
   */
  #next(): Line | undefined {
    const candidates: Line[] = [];
    let next: Line | undefined;
    let roundsOfNext = Infinity;
    for (const network of this.#networks.values()) {
      const line = network.waiting === 0 ? undefined : this.#nextOf(network);
      if (line === undefined) continue;
      candidates.push(line);
      const rounds = network.rounds(this.#firstCost(line));
      if (rounds >= roundsOfNext) continue;
      next = line;
      roundsOfNext = rounds;
    }
    if (next === undefined) return undefined;
    const millis = roundsOfNext * roundMillis;
    for (const { network } of candidates) network.credit += millis;
    const rounds = next.rounds(this.#firstCost(next));
    for (const line of next.network.lines.values()) {
      if (rounds > 0 && this.#isReady(line)) line.credit += rounds * roundMillis;
    }
    return next;
  }

  /**
   * Returns the caller of a network that needs the fewest rounds until its credit covers its first
   * task.
   */
  #nextOf(network: Network): Line | undefined {
    let next: Line | undefined;
    let roundsOfNext = Infinity;
    for (const line of network.lines.values()) {
      if (!this.#isReady(line)) continue;
      const rounds = line.rounds(this.#firstCost(line));
      if (rounds >= roundsOfNext) continue;
      next = line;
      roundsOfNext = rounds;
    }
    return next;
  }

  #isReady(line: Line): boolean {
    return line.waiting > 0 && this.#mayRun(line, line.tasks[0].size);
  }

  #firstCost(line: Line): number {
    return this.#estimate(line, line.tasks[0].size);
  }
}
