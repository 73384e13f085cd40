// The priority of a thread among the threads of the process.
import { constants, setPriority } from 'node:os';

/** Priorities of threads: of work that somebody waits for, and of other work. */
const priorities = {
  awaited: constants.priority.PRIORITY_BELOW_NORMAL,
  background: constants.priority.PRIORITY_LOW,
} as const;

/** Gives the main thread precedence: lowers the priority of the calling thread, for good. */
export function lowerThreadPriority(work: keyof typeof priorities): void {
  // Linux changes only this thread; other systems would change the whole server.
  if (process.platform === 'linux') setPriority(priorities[work]);
}
