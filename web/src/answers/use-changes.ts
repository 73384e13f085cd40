// Requests the changes between the sides of a comparison, or since the preceding time.
import { isDiff } from '../language/query-text.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { type Resource, useResource } from '../page/use-resource.ts';
import { askChanges, type ChangesAnswer, type ChangesOptions } from '../rpc/changes.ts';
import { chosenScale } from './scale.ts';
import type { Explore } from './use-explore.ts';

/** Server options for the scales of the page. */
const normalizations = { load: 'load', share: 'total', amount: 'time' } as const;

/** Returns the options of the request. */
export function useChangesOptions({ query, measure }: Explore): ChangesOptions {
  const { scale, sort } = usePlace().state;
  return {
    normalize: isDiff(query) ? normalizations[chosenScale(scale, measure)] : 'time',
    sort: sort === 'total' ? 'cumulative' : 'flat',
  };
}

/**
 * Requests the changes; equal requests from two parts of the page are sent only once.
 *
 * `scaled` overrides the options that the page has chosen.
 */
export function useChanges(
  explore: Explore,
  scaled: Partial<ChangesOptions> = {},
): Resource<ChangesAnswer> {
  const { base } = useApp();
  const { query, selectedSpan, isEmpty } = explore;
  const options = { ...useChangesOptions(explore), ...scaled };
  const asks = query !== '' && !isEmpty;
  const key = asks ? JSON.stringify(['changes', query, selectedSpan, options]) : undefined;
  return useResource(key, (asking) => askChanges(base, query, selectedSpan, options, asking));
}
