// Makes keys of queries, and topics that distinguish a refresh from a new query.
import type { Refreshing } from '../page/use-resource.ts';
import type { UrlState } from '../url/url-state.ts';
import type { Question } from './use-question.ts';

/**
 * Returns a function that returns the topic of a query; a refresh has the topic of the previous
 * query.
 */
export function describeRefresh(
  { query }: Question,
  { from, to, selection }: UrlState,
  isQuiet: boolean,
) {
  return (...parts: readonly unknown[]): Refreshing => ({
    topic: key(query, from, to, selection, ...parts),
    isQuiet,
  });
}

/** Returns a string key that is equal for equal parts. */
export function key(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}
