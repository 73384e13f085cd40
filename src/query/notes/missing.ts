// Sentences about the data that an answer lacks.
import { AppError } from '../../base/errors.ts';

/** Maximum number of sentences in one answer. The log has all sentences. */
const sentencesMax = 20;

/** Returns the distinct sentences about missing data, up to a limit. */
export function missingSentences(missing: readonly string[]): string[] {
  const all = [...new Set(missing)];
  if (all.length <= sentencesMax) return all;
  return [...all.slice(0, sentencesMax), `and ${all.length - sentencesMax} more`];
}

/** Throws AppError 'data-loss' if data is missing; for answers that cannot report missing data. */
export function throwMissing(what: string, missing: readonly string[]): void {
  if (missing.length === 0) return;
  throw new AppError('data-loss', `cannot ${what}: ${missingSentences(missing).join('; ')}`);
}
