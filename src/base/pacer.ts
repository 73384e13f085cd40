// Splits long work into slices, so that requests are handled in between.
import type { Clock } from './clock.ts';
import { backgroundSliceMillis } from './limits.ts';

/** Divides long work into slices; the work calls `pause` wherever it can be interrupted. */
export class Pacer {
  readonly #clock: Clock;
  readonly #sliceMillis: number;
  #sliceEnds: number;

  constructor(clock: Clock, sliceMillis: number = backgroundSliceMillis) {
    this.#clock = clock;
    this.#sliceMillis = sliceMillis;
    this.#sliceEnds = clock.monotonicMillis() + sliceMillis;
  }

  /**
   * Pauses if the slice is used up, or if all slices of this turn have used up their time;
   * otherwise returns undefined.
   */
  pause(): Promise<void> | undefined {
    const { slices } = this.#clock;
    const nowMillis = this.#clock.monotonicMillis();
    const isSpent = slices?.isSpent(nowMillis) ?? false;
    if (nowMillis < this.#sliceEnds && !isSpent) return undefined;
    return new Promise((resolve) => {
      const goOn = (): void => {
        this.#sliceEnds = this.#clock.monotonicMillis() + this.#sliceMillis;
        resolve();
      };
      if (slices === undefined) this.#clock.setTimer(0, goOn, true);
      else slices.next(goOn);
    });
  }
}

/** Returns a pacer whose `pause` throws the signal's reason once the signal is aborted. */
export function stoppablePacer(
  pacer: Pick<Pacer, 'pause'>,
  signal: AbortSignal | undefined,
): Pick<Pacer, 'pause'> {
  if (signal === undefined) return pacer;
  return {
    pause: () => {
      signal.throwIfAborted();
      return pacer.pause();
    },
  };
}

/** Work that can be interrupted at each yield. */
export type Steps<T> = Generator<undefined, T>;

/** Runs all steps without pauses. */
export function finishAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Runs all steps, and pauses between them when the pacer requires it. */
export async function finishPausing<T>(
  steps: Steps<T>,
  pacer: Pick<Pacer, 'pause'> | undefined,
): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const pausing = pacer?.pause();
    if (pausing !== undefined) await pausing;
  }
}
