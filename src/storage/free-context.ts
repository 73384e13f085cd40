// The context of internal queries, which no caller waits for.
import type { ReadContext } from './interface.ts';

/** A context without limits. */
export const freeContext: ReadContext = {
  signal: new AbortController().signal,
  budget: {
    rowsDone: 0,
    selectRows: () => undefined,
    hold: () => undefined,
    release: () => undefined,
  },
  pause: () => undefined,
  throwIfAborted: () => undefined,
};
