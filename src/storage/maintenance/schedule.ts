// Runs maintenance at the times of a cron expression, even when the wall clock jumps.
import cron from 'node-cron';
import type { Clock, Timer } from '../../base/clock.ts';

/** A schedule that runs until it is stopped. `stop` is idempotent. */
interface Schedule {
  stop(): void;
}

/** A cron expression, and the longest time between two of its times. */
interface ScheduleTimes {
  readonly expression: string;
  readonly millisMax: number;
}

export const everyMinute: ScheduleTimes = { expression: '* * * * *', millisMax: 60_000 };

/**
 * Calls `run` at each time of the expression (UTC). `run` must not throw, and may be called while
 * an earlier call is still running.
 *
 * node-cron waits for a time of the wall clock, so it waits longer when that clock is set back. In
 * that case, a timer of the monotonic clock calls `run` and restarts node-cron.
 */
export function startSchedule(times: ScheduleTimes, clock: Clock, run: () => void): Schedule {
  const schedule = new CronSchedule(times, clock, run);
  schedule.start();
  return schedule;
}

class CronSchedule implements Schedule {
  readonly #times: ScheduleTimes;
  readonly #clock: Clock;
  readonly #run: () => void;
  #task: ReturnType<typeof cron.schedule> | undefined;
  #watch: Timer | undefined;

  constructor(times: ScheduleTimes, clock: Clock, run: () => void) {
    this.#times = times;
    this.#clock = clock;
    this.#run = run;
  }

  start(): void {
    const options = { timezone: 'Etc/UTC', unref: true, suppressMissedWarning: true };
    this.#task = cron.schedule(this.#times.expression, () => this.#tick(), options);
    this.#setWatch();
  }

  stop(): void {
    void this.#task?.destroy();
    this.#watch?.cancel();
    this.#task = undefined;
  }

  #tick(): void {
    if (this.#task === undefined) return;
    this.#setWatch();
    this.#run();
  }

  #setWatch(): void {
    this.#watch?.cancel();
    this.#watch = this.#clock.setTimer(this.#times.millisMax * 1.5, () => {
      this.stop();
      this.start();
      this.#run();
    });
  }
}
