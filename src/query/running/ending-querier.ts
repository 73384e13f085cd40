// A querier for one query, which stops when the query's signal is aborted.
import type { Querier } from '../../storage/interface.ts';

/** Returns a querier whose selections and types stop when the signal is aborted. */
export function endingWith(querier: Querier, signal: AbortSignal): Querier {
  return {
    select: (query) => querier.select(query, signal),
    labelNames: (query) => querier.labelNames(query, signal),
    labelValues: (name, query) => querier.labelValues(name, query, signal),
    profileTypes: (range, matchers) => querier.profileTypes(range, matchers, signal),
    hasData: () => querier.hasData(),
    missingIn: (range) => querier.missingIn?.(range) ?? [],
    state: (range) => querier.state?.(range),
  };
}
