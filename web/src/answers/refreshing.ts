// Keys of questions, and what makes one question a refresh of another.
import type { Refreshing } from '../page/use-resource.ts';
import type { UrlState } from '../url/url-state.ts';
import type { Question } from './use-question.ts';

/** A refresh differs from the question before in time alone. */
export function refreshingOf(
  { query }: Question,
  { from, to, selection }: UrlState,
  isQuiet: boolean,
) {
  return (...parts: readonly unknown[]): Refreshing => ({
    topic: key(query, from, to, selection, ...parts),
    isQuiet,
  });
}

/** One text for a question; equal for equal parts. */
export function key(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}
