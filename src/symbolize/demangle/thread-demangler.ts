// Readable names by a thread, which has the WebAssembly module.
import type { Demangle } from '../demangler.ts';
import type { AskSymbols } from '../symbols-thread.ts';

/** A question to the thread. */
export interface NamesRequest {
  readonly names: readonly string[];
}

/** Creates a function that demangles names in a thread. */
export function createThreadDemangler(ask: AskSymbols): Demangle {
  return (names, signal) => {
    const request: NamesRequest = { names };
    return ask(request, signal);
  };
}
