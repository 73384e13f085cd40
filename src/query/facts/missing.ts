// Sentences about what an answer lacks.
import { AppError } from '../../base/errors.ts';

/** Sentences of one answer; who wants to know all of them reads the log. */
const sentencesMax = 20;

/** Returns what an answer says is missing: each sentence once, and a limited number of them. */
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
