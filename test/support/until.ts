// Waits for a condition; tests use this instead of waiting for a fixed time.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two checks of the condition. */
const pauseMillis = 50;

/** Deadline of a wait; without one, the time limit of the test applies. */
export interface Deadline {
  readonly millis: number;
  /** Returns the message of the failure. */
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
