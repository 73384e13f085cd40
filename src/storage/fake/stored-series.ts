// Access to the series that our own store can sum, for tests of that store.
import { assert } from '../../base/assert.ts';
import type { Querier } from '../interface.ts';
import type { SeriesStore } from '../selection.ts';
import { SumQuerier } from '../sum/sum-querier.ts';

/** Returns the series that a querier of our own store sums. */
export function storedSeries(querier: Querier): SeriesStore {
  assert(querier instanceof SumQuerier, 'the querier sums what is stored');
  return querier.stored;
}
