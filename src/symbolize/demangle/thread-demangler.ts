// Demangles names in a thread, which loads the WebAssembly module.
import type { Demangle } from '../demangler.ts';
import type { AskSymbols } from '../symbols-thread.ts';

/** A request to the thread. */
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
