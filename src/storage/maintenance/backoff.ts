// Remembers what failed, and when it may be tried again.
import type { Clock } from '../../base/clock.ts';
import { maintenanceBackoffMillisMax, maintenanceBackoffMillisMin } from '../../base/limits.ts';

interface Failure {
  readonly untilMillis: number;
  readonly delayMillis: number;
}

/** By name of what failed. Each failure doubles the wait, from a minute to an hour. */
export class Backoff {
  readonly #clock: Clock;
  readonly #failures = new Map<string, Failure>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  failed(name: string): void {
    const now = this.#clock.monotonicMillis();
    const before = this.#failures.get(name)?.delayMillis ?? maintenanceBackoffMillisMin / 2;
    const delayMillis = Math.min(maintenanceBackoffMillisMax, before * 2);
    this.#failures.set(name, { untilMillis: now + delayMillis, delayMillis });
  }

  /** Whether it is too early to try again. */
  isWaiting(name: string): boolean {
    return this.#clock.monotonicMillis() < (this.#failures.get(name)?.untilMillis ?? 0);
  }

  succeeded(name: string): void {
    this.#failures.delete(name);
  }

  /** Forgets what is not there any more. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of this.#failures.keys()) if (!names.has(name)) this.#failures.delete(name);
  }
}
