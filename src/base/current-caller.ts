// The caller for whom the current work is done. Queues use it to share turns fairly, so functions
// do not have to pass the caller on.
//
// The caller follows promises: work continues for the same caller after each await.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Caller of the server's own jobs, and of all work outside of `runAs`. */
export const noCaller = '';
/** Caller of work that all other callers wait for, such as the log; this caller is always next. */
export const everyone = Symbol('everyone');

/** Id of a caller, `noCaller` or `everyone`. */
export type CurrentCaller = string | typeof everyone;

const callers = new AsyncLocalStorage<CurrentCaller>();

/** Runs `work` for a caller, including the asynchronous work that it starts. */
export function runAs<T>(caller: CurrentCaller, work: () => T): T {
  return callers.run(caller, work);
}

/** Returns the caller for whom the current work is done. */
export function currentCaller(): CurrentCaller {
  return callers.getStore() ?? noCaller;
}
