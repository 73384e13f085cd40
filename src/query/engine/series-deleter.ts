// Deletes the profiles that a query selects.
import { AppError } from '../../base/errors.ts';
import { profileNameLabel } from '../../model/labels.ts';
import { createMatcher } from '../../model/matcher.ts';
import { parseSelector } from '../../promql-like/parse.ts';
import type { Querier, SeriesQuery, StorageAdmin, TimeRange } from '../../storage/interface.ts';
import type { DeletedProfiles, SeriesDeleter } from '../interface.ts';
import { checkRange, resolveSelector } from '../plan/select.ts';

/**
 * Creates a function that counts the profiles that the deleter would delete. Calling it needs no
 * right to delete.
 */
export function createDeletedCounter(querier: Querier): SeriesDeleter {
  return async (text, range) => {
    checkRange(range);
    const found = await findDeleted(querier, await seriesQueries(text, range, querier));
    return { ...found, blockCount: 0 };
  };
}

/**
 * Creates the deleter. Profile types are resolved as in queries, except that a bare name
 * (`memory{job="api"}`) means all types with that name, and no name means all profiles of the
 * series.
 */
export function createSeriesDeleter(querier: Querier, admin: StorageAdmin): SeriesDeleter {
  return async (text, range) => {
    checkRange(range);
    const queries = await seriesQueries(text, range, querier);
    const found = await findDeleted(querier, queries);
    let [seriesCount, blockCount] = [0, 0];
    for (const query of queries) {
      const deleted = await admin.delete(query);
      seriesCount += deleted.seriesCount;
      // Series of several types share blocks, so the numbers of blocks are not added up.
      blockCount = Math.max(blockCount, deleted.blockCount);
    }
    return { ...found, seriesCount, blockCount };
  };
}

/** Counts the profiles that a delete removes. */
async function findDeleted(
  querier: Querier,
  queries: readonly SeriesQuery[],
): Promise<Omit<DeletedProfiles, 'blockCount'>> {
  let [seriesCount, profileCount] = [0, 0];
  let times: TimeRange | undefined;
  for (const query of queries) {
    using selection = await querier.select(query);
    for (const series of selection.series) {
      seriesCount += 1;
      profileCount += series.profileCount;
      const own = series.times();
      const { from, to } = times ?? own;
      times = { from: own.from < from ? own.from : from, to: own.to > to ? own.to : to };
    }
  }
  return { seriesCount, profileCount, times };
}

async function seriesQueries(
  text: string,
  range: TimeRange,
  querier: Querier,
): Promise<SeriesQuery[]> {
  const selector = parseSelector(text);
  const { profile, matchers } = selector;
  if (profile === undefined && matchers.length === 0) {
    throw new AppError('invalid-argument', 'cannot delete series: the query selects all of them');
  }
  if (profile === undefined) return [{ matchers, profileType: undefined, range }];
  if (profile.parts.length === 1) {
    const name = createMatcher(profileNameLabel, '=', profile.text);
    return [{ matchers: [name, ...matchers], profileType: undefined, range }];
  }
  const { profileTypes } = await resolveSelector({ selector, range }, querier);
  return profileTypes.map((profileType) => ({ matchers, profileType, range }));
}
