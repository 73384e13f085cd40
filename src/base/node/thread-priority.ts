// The priority of a thread among the threads of the process.
import { constants, setPriority } from 'node:os';

/** Priorities of work in threads: somebody waits for it, or nobody does. */
const priorities = {
  awaited: constants.priority.PRIORITY_BELOW_NORMAL,
  background: constants.priority.PRIORITY_LOW,
} as const;

/** Lets the main thread go first: lowers the priority of the thread that calls, for good. */
export function lowerThreadPriority(work: keyof typeof priorities): void {
  // Of this thread alone on Linux; elsewhere it would be that of the whole server.
  if (process.platform === 'linux') setPriority(priorities[work]);
}
