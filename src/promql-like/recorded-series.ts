// The selector of recorded series, `job:cores{job="api"} offset 1h`, and the query it stands for.
import type { MatchOperator } from '../model/matcher.ts';
import type { TextSpan } from './query.ts';
import { printLabelName, quoteString } from './string.ts';

/** Name of the profiles that hold the results of recording rules. */
export const recordedName = 'recorded';
/** Label of these profiles that has the name of the rule, which is the name of the series. */
export const recordLabel = 'record';
/** Label that has the name of a series, as in Prometheus. */
export const seriesNameLabel = '__name__';

/** One condition on a label of series. */
export interface SeriesMatcher {
  readonly name: string;
  readonly operator: MatchOperator;
  readonly value: string;
}

/** Selector of recorded series. A series has its last value at each moment. */
export interface SeriesSelector {
  readonly kind: 'series';
  /** Conditions, at least one. The name of the series is a condition on `__name__`. */
  readonly matchers: readonly SeriesMatcher[];
  readonly offsetNanos: bigint;
  readonly span: TextSpan;
}

/** Returns the query that selects the series' profiles. */
export function seriesQuery({ matchers }: Pick<SeriesSelector, 'matchers'>): string {
  const conditions = matchers.map(({ name, operator, value }) => {
    const label = name === seriesNameLabel ? recordLabel : name;
    return `${printLabelName(label)}${operator}${quoteString(value)}`;
  });
  return `${recordedName}{${conditions.join(', ')}}`;
}
