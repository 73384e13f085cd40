// Loads the HTTP client when it is first used: loading it takes a fifth of the CPU time of a start.
import { createRequire } from 'node:module';
import type * as Undici from 'undici';

const require = createRequire(import.meta.url);

/** Returns undici synchronously. `import` would return a promise, and would load more of Node. */
export function undici(): typeof Undici {
  return require('undici') as typeof Undici;
}
