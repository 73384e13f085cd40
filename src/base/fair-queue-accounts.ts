// Accounts of a fair queue: the time that networks and their callers have used and may still use.
import type { AppError } from './errors.ts';

/** Credit in milliseconds that each round adds: small compared with a slow task. */
export const roundMillis = 5;
/** Largest debt. While a caller has no waiting tasks, its debt decreases with time. */
const debtMillisMax = 5_000;
/** Weight of earlier tasks, relative to the last task, in the estimate for the next task. */
const pastWeight = 0.9;

/** A task that waits. */
export interface Task {
  readonly size: number;
  begin(): void;
  refuse(error: AppError): void;
}

/** Share of the time that a network, or a caller within it, may still use. */
export class Account {
  running = 0;
  waiting = 0;
  waitingSize = 0;
  /** Time in milliseconds that may still be used; negative values are debt. */
  credit = 0;
  /** Total size of finished tasks, and the time that they took; later tasks have more weight. */
  endedSize = 0;
  endedMillis = 0;
  /** Time at which the debt was last decreased. */
  agedMillis: number;

  constructor(nowMillis: number) {
    this.agedMillis = nowMillis;
  }

  /** Decreases the debt by the time since the last call, unless tasks are waiting. */
  age(nowMillis: number): void {
    if (this.waiting === 0 && this.credit < 0) {
      this.credit = Math.min(0, this.credit + nowMillis - this.agedMillis);
    }
    this.agedMillis = nowMillis;
  }

  /** Subtracts `millis` from the credit. Without waiting tasks, unused credit is lost. */
  charge(millis: number): void {
    const creditMax = this.waiting === 0 ? 0 : Infinity;
    this.credit = Math.min(creditMax, Math.max(-debtMillisMax, this.credit - millis));
  }

  /** Counts a task that has ended. */
  end(size: number, millis: number): void {
    this.endedSize = this.endedSize * pastWeight + size;
    this.endedMillis = this.endedMillis * pastWeight + millis;
  }

  /** Returns the number of rounds until the credit covers a cost. */
  rounds(costMillis: number): number {
    return Math.max(0, Math.ceil((costMillis - this.credit) / roundMillis));
  }
}

/** Callers that share a network. */
export class Network extends Account {
  readonly name: string;
  /** Callers with tasks, in the order of their turns. */
  readonly lines = new Map<string, Line>();
  /** Number of known callers of this network, with and without tasks. */
  callers = 0;

  constructor(name: string, nowMillis: number) {
    super(nowMillis);
    this.name = name;
  }
}

/** Tasks of a caller. */
export class Line extends Account {
  readonly caller: string;
  readonly network: Network;
  readonly tasks: Task[] = [];

  constructor(caller: string, network: Network, nowMillis: number) {
    super(nowMillis);
    this.caller = caller;
    this.network = network;
  }
}
