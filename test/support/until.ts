// Waits for a condition, as tests do instead of waiting for a time.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Pause between two looks. */
const pauseMillis = 50;

/** End of a wait; without one, the time limit of the test ends it. */
export interface Deadline {
  readonly millis: number;
  /** Returns what a failure says. */
  readonly failure: () => string;
}

/** Resolves when a condition holds. Fails after the deadline, if there is one. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  deadline?: Deadline,
): Promise<void> {
  const endMillis = Date.now() + (deadline?.millis ?? Infinity);
  while (!(await isTrue())) {
    assert.ok(Date.now() < endMillis, deadline?.failure());
    await sleep(pauseMillis);
  }
}
