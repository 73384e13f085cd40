// The caller for whom the running work is done, so that turns can be fair without passing it on.
//
// It follows promises: work that awaits something continues for the same caller.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Caller of the server's own jobs, which is also that of work outside of `runAs`. */
export const noCaller = '';
/** Caller of work that every other caller waits for, such as the log's: it is always next. */
export const everyone = Symbol('everyone');

/** Id of a caller, `noCaller` or `everyone`. */
export type CurrentCaller = string | typeof everyone;

const callers = new AsyncLocalStorage<CurrentCaller>();

/** Does work for a caller, with all that follows from it. */
export function runAs<T>(caller: CurrentCaller, work: () => T): T {
  return callers.run(caller, work);
}

/** Returns the caller for whom the running work is done. */
export function currentCaller(): CurrentCaller {
  return callers.getStore() ?? noCaller;
}
