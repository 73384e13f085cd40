// Work in small steps: whoever runs it decides whether others get their turn in between.
import type { Pacer } from './pacer.ts';

/** Work that can be interrupted wherever it yields. */
export type Steps<T> = Generator<undefined, T>;

/** Does all of it at once. */
export function finishAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Does all of it, pausing between steps when it is time to; without a pacer, never. */
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
