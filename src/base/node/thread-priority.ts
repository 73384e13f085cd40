// The priority of a thread among the threads of the process.
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Steps by which a thread's priority is lower than that of the main thread: for work that a caller
 * waits for, and for other work.
 *
 * The numbers are small because threads share locks, such as the lock of V8's task queue. While a
 * thread that holds a lock waits for a core, the main thread waits, too. With one busy thread on
 * the same core, waits of 276 ms were measured with 19 steps, 36 ms with 10, 20 ms with 7 and 12 ms
 * with 5.
 */
const steps = { awaited: 5, background: 7 } as const;

/** Gives the main thread precedence: lowers the priority of the calling thread permanently. */
export function lowerThreadPriority(work: keyof typeof steps): void {
  // Linux changes only this thread; other systems would change the whole server.
  if (process.platform !== 'linux') return;
  // The priority is relative to the process. A fixed priority might be higher than that of the
  // process, and only the superuser may raise a priority.
  setPriority(Math.min(getPriority() + steps[work], constants.priority.PRIORITY_LOW));
}
