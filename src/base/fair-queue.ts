// A queue whose callers share the server: deficit round robin over callers, by cost.
//
// Each round gives every waiting caller the same credit, and a caller's first task runs when its
// credit covers the cost of the task. Costs are estimated from the size of a task and from the cost
// of the caller's earlier tasks; when a task ends, the caller is charged its actual cost. So each
// caller gets its share of the time, regardless of the number and size of its tasks.
import type { Clock } from './clock.ts';
import { type AppError, abortReason } from './errors.ts';

/** Limits of a queue. */
export interface FairQueueLimits {
  /** Largest number of tasks that run at once; 0 = no limit. */
  readonly runningMax: number;
  /**
   * Slots that are reserved for callers without a running task, so that one caller cannot take all
   * slots.
   */
  readonly reserved: number;
  /** Largest number of tasks that wait. */
  readonly waitingMax: number;
  /** Largest total size of the waiting tasks. */
  readonly waitingSizeMax: number;
  /** Largest number of tasks of one caller that run at once; 0 = no limit. */
  readonly runningOfCallerMax?: (caller: string) => number;
}

/** Dependencies and settings of a queue. */
export interface FairQueueOptions {
  readonly clock: Clock;
  readonly limits: FairQueueLimits;
  /** Estimated milliseconds for a task of size 1, until one has been measured. */
  readonly millisPerSize: number;
  /**
   * Makes the error for a refused task, which is the last task of the caller with the most waiting
   * tasks.
   */
  readonly refuse: (refused: Refusal) => AppError;
}

/** Facts about a task that is refused. */
export interface Refusal {
  readonly caller: string;
  /** Number and total size of the waiting tasks of all callers, including this one. */
  readonly waitingCount: number;
  readonly waitingSize: number;
  /** Time after which the caller may try again, as estimated from its waiting tasks. */
  readonly retryAfterMillis: number;
}

/** The turn of a task. */
export interface Turn {
  /** Ends the turn. `spentMillis` is the time that the task took; if absent, the estimate. */
  end(spentMillis?: number): void;
}

/** State of a caller, for display. */
export interface CallerState {
  readonly caller: string;
  readonly running: number;
  readonly waiting: number;
}

/** Credit per round in milliseconds: small compared with a slow task. */
const roundMillis = 5;
/** Largest debt. While a caller has no waiting tasks, its debt is forgiven as time passes. */
const debtMillisMax = 5_000;
/** Weight of earlier tasks, relative to the last one, in the estimate of the next. */
const pastWeight = 0.9;
/** Bounds of estimates: a round must end, and a wrong estimate must not block a caller. */
const costMillisMin = 0.01;
const costMillisMax = 2_000;
const retryMillisMin = 1_000;
const retryMillisMax = 30_000;
/** Number of callers without tasks whose debts and rates are remembered. */
const idleCallersMax = 1_000;

interface Task {
  readonly size: number;
  begin(): void;
  refuse(error: AppError): void;
}

class Line {
  readonly caller: string;
  readonly tasks: Task[] = [];
  running = 0;
  waitingSize = 0;
  /** Milliseconds that the caller may still use; negative is a debt. */
  credit = 0;
  /** Total size of finished tasks, and the time that they took; later tasks have more weight. */
  endedSize = 0;
  endedMillis = 0;
  /** Time up to which the debt was forgiven. */
  agedMillis: number;

  constructor(caller: string, nowMillis: number) {
    this.caller = caller;
    this.agedMillis = nowMillis;
  }

  /** Forgives debt for the time since the last call, unless the caller waits. */
  age(nowMillis: number): void {
    if (this.tasks.length === 0 && this.credit < 0) {
      this.credit = Math.min(0, this.credit + nowMillis - this.agedMillis);
    }
    this.agedMillis = nowMillis;
  }

  /** Takes `millis` from the credit. A caller without waiting tasks cannot save credit. */
  charge(millis: number): void {
    const creditMax = this.tasks.length === 0 ? 0 : Infinity;
    this.credit = Math.min(creditMax, Math.max(-debtMillisMax, this.credit - millis));
  }
}

/** Gives turns to tasks of callers. */
export class FairQueue {
  readonly #options: FairQueueOptions;
  /** Callers with tasks. Those with waiting tasks are in the order of their turns. */
  readonly #lines = new Map<string, Line>();
  /** Callers without tasks, least recent first. */
  readonly #idle = new Map<string, Line>();
  #running = 0;
  #waiting = 0;
  #waitingSize = 0;

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
    return Array.from(this.#lines.values(), ({ caller, running, tasks }) => {
      return { caller, running, waiting: tasks.length };
    });
  }

  /**
   * Returns a turn, or a promise of one when the task has to wait. The turn must be ended once.
   *
   * Errors (only of the promise): that of `refuse`; the reason why the signal was aborted.
   */
  take(caller: string, size: number, signal?: AbortSignal): Turn | Promise<Turn> {
    if (signal?.aborted) return Promise.reject(abortReason(signal));
    const line = this.#findLine(caller);
    line.age(this.#now());
    if (line.tasks.length === 0 && this.#mayRun(line)) return this.#begin(line, size);
    return this.#wait(line, size, signal);
  }

  /** Starts tasks that may now run because a limit of callers has changed. */
  retry(): void {
    this.#fill();
  }

  #findLine(caller: string): Line {
    const known = this.#lines.get(caller);
    if (known !== undefined) return known;
    const line = this.#idle.get(caller) ?? new Line(caller, this.#now());
    this.#idle.delete(caller);
    this.#lines.set(caller, line);
    return line;
  }

  #estimate({ endedSize, endedMillis }: Line, size: number): number {
    const { millisPerSize } = this.#options;
    const millis = size * (endedSize > 0 ? endedMillis / endedSize : millisPerSize);
    return Math.min(costMillisMax, Math.max(costMillisMin, millis));
  }

  #mayRun({ caller, running }: Line): boolean {
    const { runningMax, reserved, runningOfCallerMax } = this.#options.limits;
    const ownMax = runningOfCallerMax?.(caller) ?? 0;
    if (ownMax !== 0 && running >= ownMax) return false;
    if (runningMax === 0) return true;
    return this.#running < (running === 0 ? runningMax : Math.max(1, runningMax - reserved));
  }

  #begin(line: Line, size: number): Turn {
    const costMillis = this.#estimate(line, size);
    this.#running += 1;
    line.running += 1;
    line.charge(costMillis);
    let isEnded = false;
    return {
      end: (spentMillis = costMillis) => {
        if (isEnded) return;
        isEnded = true;
        line.age(this.#now());
        line.charge(spentMillis - costMillis);
        line.endedSize = line.endedSize * pastWeight + size;
        line.endedMillis = line.endedMillis * pastWeight + spentMillis;
        line.running -= 1;
        this.#running -= 1;
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
      line.waitingSize += size;
      this.#waiting += 1;
      this.#waitingSize += size;
      const { waitingMax, waitingSizeMax } = this.#options.limits;
      while (this.#waiting > waitingMax || this.#waitingSize > waitingSizeMax) this.#refuseOne();
    });
  }

  /** Refuses the last task of the caller with the most waiting tasks. */
  #refuseOne(): void {
    const { limits, refuse } = this.#options;
    const isOfSize = this.#waitingSize > limits.waitingSizeMax;
    const measure = ({ tasks, waitingSize }: Line): number =>
      isOfSize ? waitingSize : tasks.length + waitingSize / (this.#waitingSize + 1);
    let [longest] = this.#lines.values();
    for (const line of this.#lines.values()) {
      // If several are equal, it is the newest one, because the others have waited longer.
      if (measure(line) >= measure(longest)) longest = line;
    }
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

  /** Removes a task that will not run. */
  #drop(line: Line, task: Task): void {
    this.#remove(line, task);
    line.charge(0);
    this.#leaveIfIdle(line);
  }

  #remove(line: Line, task: Task): void {
    const at = line.tasks.indexOf(task);
    if (at === -1) return;
    line.age(this.#now());
    line.tasks.splice(at, 1);
    line.waitingSize -= task.size;
    this.#waiting -= 1;
    this.#waitingSize -= task.size;
  }

  #now(): number {
    return this.#options.clock.monotonicMillis();
  }

  #leaveIfIdle(line: Line): void {
    if (line.running > 0 || line.tasks.length > 0) return;
    this.#lines.delete(line.caller);
    this.#idle.set(line.caller, line);
    if (this.#idle.size <= idleCallersMax) return;
    for (const oldest of this.#idle.keys()) {
      this.#idle.delete(oldest);
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
      this.#remove(next, task);
      // The caller goes to the end of the line of callers.
      this.#lines.delete(next.caller);
      this.#lines.set(next.caller, next);
      task.begin();
    }
  }

  /** Returns the caller whose credit covers its first task after the fewest rounds. */
  #next(): Line | undefined {
    let next: Line | undefined;
    let roundsOfNext = Infinity;
    for (const line of this.#lines.values()) {
      if (line.tasks.length === 0 || !this.#mayRun(line)) continue;
      const lacking = this.#estimate(line, line.tasks[0].size) - line.credit;
      const rounds = Math.max(0, Math.ceil(lacking / roundMillis));
      if (rounds >= roundsOfNext) continue;
      next = line;
      roundsOfNext = rounds;
    }
    if (next === undefined || roundsOfNext === 0) return next;
    for (const line of this.#lines.values()) {
      if (line.tasks.length > 0 && this.#mayRun(line)) line.credit += roundsOfNext * roundMillis;
    }
    return next;
  }
}
