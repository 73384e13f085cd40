// What an answer does without: parts and pieces that cannot be read.
import { AppError } from '../../base/errors.ts';
import type { Selection } from '../../storage/selection.ts';

const goneCodes: ReadonlySet<AppError['code']> = new Set(['data-loss', 'unavailable']);

/**
 * The result of `read`, at once where it is there at once. When the store says that it cannot be
 * had, notes why in the selection and gives undefined; other errors pass.
 */
export function readOrNote<T>(
  { missing }: Pick<Selection, 'missing'>,
  read: () => T | Promise<T>,
): T | undefined | Promise<T | undefined> {
  try {
    const result = read();
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => note(missing, error));
  } catch (error) {
    return note(missing, error);
  }
}

function note(missing: string[], error: unknown): undefined {
  if (!(error instanceof AppError) || !goneCodes.has(error.code)) throw error;
  if (!missing.includes(error.message)) missing.push(error.message);
}

/** Sentences of one answer; who wants to know all of them reads the log. */
const sentencesMax = 20;

/** What an answer says is missing: each sentence once, and not too many of them. */
export function missingSentences(missing: readonly string[]): string[] {
  const all = [...new Set(missing)];
  if (all.length <= sentencesMax) return all;
  return [...all.slice(0, sentencesMax), `and ${all.length - sentencesMax} more`];
}

/**
 * Where there is nothing to answer with: throws AppError 'data-loss' if something is missing.
 */
export function throwMissing(what: string, missing: readonly string[]): void {
  if (missing.length === 0) return;
  throw new AppError('data-loss', `cannot ${what}: ${missingSentences(missing).join('; ')}`);
}
