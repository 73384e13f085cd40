// Replaces a string in one of our source files when the module is loaded.
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/** One replacement in one source file. */
export interface SourceReplacement {
  /** Name for messages. */
  readonly name: string;
  /** Path from the root of the checkout. */
  readonly file: string;
  /** String that the file contains exactly once, and its replacement. */
  readonly find: string;
  readonly replace: string;
}

/**
 * Replaces the string when the file is loaded. The process ends with code 70 if the file does not
 * contain the string exactly once, or if it is never loaded.
 */
export function replaceSource({ name, file, find, replace }: SourceReplacement): void {
  const url = new URL(`../../${file}`, import.meta.url).href;
  let isDone = false;
  registerHooks({
    load(loaded, context, nextLoad) {
      const result = nextLoad(loaded, context);
      if (loaded !== url) return result;
      const text = String(result.source);
      if (text.split(find).length !== 2) fail(`${name}: its text is not in ${file} exactly once`);
      isDone = true;
      return { ...result, source: text.replace(find, () => replace) };
    },
  });
  process.once('exit', () => {
    // Threads get the same --import, but load only the modules that they need.
    if (isMainThread && !isDone) fail(`${name}: ${file} was not loaded`);
  });
}

/** Ends the process, because its test would not test what it should. */
export function fail(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(70);
}
