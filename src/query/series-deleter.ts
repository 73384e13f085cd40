// Deletes the profiles that a query selects.
import { AppError } from '../base/errors.ts';
import { profileNameLabel } from '../model/labels.ts';
import { createMatcher } from '../model/matcher.ts';
import { parseSelector } from '../promql-like/parse.ts';
import type { Querier, SeriesQuery, StorageAdmin, TimeRange } from '../storage/interface.ts';
import type { SeriesDeleter } from './interface.ts';
import { checkRange, resolveSelector } from './plan/select.ts';

/**
 * Creates the deleter. Profile types are resolved as in queries, except that a mere name
 * (`memory{job="api"}`) means all types of that name, and no name means all profiles of the series.
 */
export function createSeriesDeleter(querier: Querier, admin: StorageAdmin): SeriesDeleter {
  return async (text, range) => {
    checkRange(range);
    const deleted = { seriesCount: 0, blockCount: 0 };
    for (const query of await seriesQueries(text, range, querier)) {
      const { seriesCount, blockCount } = await admin.delete(query);
      deleted.seriesCount += seriesCount;
      // Series of several types lie in the same blocks.
      deleted.blockCount = Math.max(deleted.blockCount, blockCount);
    }
    return deleted;
  };
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
