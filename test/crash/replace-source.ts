// Replaces one text of one source file of ours while modules are loaded.
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/** One replacement in one source file. */
export interface SourceReplacement {
  /** For messages. */
  readonly name: string;
  /** Its path from the root of the checkout. */
  readonly file: string;
  /** Text of the source that is there exactly once, and what takes its place. */
  readonly find: string;
  readonly replace: string;
}

/**
 * To be called before the file is loaded. When its text is not there exactly once, or the file is
 * never loaded, the process ends with code 70, so that nothing is left as it was silently.
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
    // Threads begin with the same imports, and load what they need.
    if (isMainThread && !isDone) fail(`${name}: ${file} was not loaded`);
  });
}

/** Ends the process: what it would test is not what was asked for. */
export function fail(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(70);
}
