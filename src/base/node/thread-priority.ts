// The priority of a thread among the threads of the process.
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Steps of priority below the main thread: for work that a caller waits for, and for other work.
 *
 * They are small because threads share locks, such as that of V8's queue of tasks: while a thread
 * that holds one waits for a core, the main thread waits too. Next to one busy thread on the same
 * core, waits of 276 ms were measured with 19 steps, 36 with 10, 20 with 7 and 12 with 5.
 */
const steps = { awaited: 5, background: 7 } as const;

/** Gives the main thread precedence: lowers the priority of the calling thread permanently. */
export function lowerThreadPriority(work: keyof typeof steps): void {
  // Linux changes only this thread; other systems would change the whole server.
  if (process.platform !== 'linux') return;
  // Relative to the process: a fixed priority might be higher, which only the superuser may set.
  setPriority(Math.min(getPriority() + steps[work], constants.priority.PRIORITY_LOW));
}
