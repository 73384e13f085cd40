// The sentence about a label in `by` that no profile has. The server, parcatool and the page use
// it.
import { nearestSentence } from '../base/text/nearest.ts';

/** Words after `by` that are not labels. */
const frameWords = ['function', 'file', 'binary', 'address'];

/**
 * Returns the sentence about a label that no profile of a query has; `names` are the labels of
 * these profiles.
 */
export function formatGroupNote(name: string, names: readonly string[]): string {
  const what = `by (${name}) groups nothing: no profile of the query has this label`;
  return `${what}, ${nearestSentence(name, [...names, ...frameWords])}`;
}

/** Returns true for a sentence about a label after `by`. */
export function isAboutGroups(sentence: string): boolean {
  return sentence.startsWith('by (');
}
