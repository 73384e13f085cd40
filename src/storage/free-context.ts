// The context of a question that nobody waits for.
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
