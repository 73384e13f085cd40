// Reads a store through its seam. Returns the strings of recipes.ts: one for each profile and
// sample type.
import type { SeriesQuery, Storage } from '../interface.ts';
import { checkSums } from './check-sums.ts';
import { readHeldSelection } from './read-selection.ts';
import { storedSeries } from './stored-series.ts';
import { textBody, textHead } from './recipes.ts';

export const everything: SeriesQuery = {
  matchers: [],
  profileType: undefined,
  range: { from: -(2n ** 63n), to: 2n ** 63n - 1n },
};

/** Strings of profiles and sentences about errors, from one answer of a store. */
export interface TextAnswer {
  /** Strings of the profiles, in any order. */
  readonly texts: readonly string[];
  /** Sentences about the data that cannot be read. */
  readonly missing: readonly string[];
}

/** Returns the strings of all profiles. Errors: an Error if part of the answer is missing. */
export async function readTexts(storage: Storage): Promise<readonly string[]> {
  const { texts, missing } = await readAnswer(storage);
  if (missing.length > 0) throw new Error(missing.join('\n'));
  return texts;
}

/**
 * Returns the strings of the selected profiles that can be read. Errors: an Error if `checksSums`
 * finds that two ways to sum disagree.
 */
export async function readAnswer(
  storage: Storage,
  query = everything,
  areSumsChecked = false,
): Promise<TextAnswer> {
  using selection = await storedSeries(storage.querier).select(query);
  if (areSumsChecked) await checkSums(selection);
  const texts: string[] = [];
  for (const { labels, profileType, profiles } of await readHeldSelection(selection)) {
    const { name, sample } = profileType;
    const instance = labels[0]?.value ?? '';
    for (const { timeNanos, total, count, durationNanos, period, rows } of profiles) {
      const lines: string[] = [];
      for (const row of rows) {
        if (row.value === 0n) continue;
        lines.push(`${row.stack}${row.labels || '{}'}${row.times}=${row.value}`);
      }
      const columns = [total, count, durationNanos, period];
      texts.push(textHead(name, sample.type, instance, timeNanos) + textBody(columns, lines));
    }
  }
  return { texts, missing: selection.missing };
}
