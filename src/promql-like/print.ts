// Query to text: the one normal form, which parseQuery reads back.
import { profileNameLabel } from '../model/labels.ts';
import type { LabelMatcher } from '../model/matcher.ts';
import { quoteString } from './string.ts';

const profileWord = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelWord = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** The parts of a query that have a meaning; every Query is one. */
export interface PrintableQuery {
  readonly profile: { readonly text: string } | undefined;
  readonly matchers: readonly Pick<LabelMatcher, 'name' | 'operator' | 'value'>[];
}

/** `name{a="1", b=~"2.*"}`; names that are not words are quoted. */
export function printQuery(query: PrintableQuery): string {
  const profile = query.profile?.text;
  const isWord = profile !== undefined && profileWord.test(profile);
  const matchers = query.matchers.map(printMatcher);
  if (profile !== undefined && !isWord) {
    matchers.unshift(`${profileNameLabel}=${quoteString(profile)}`);
  }
  return `${isWord ? profile : ''}{${matchers.join(', ')}}`;
}

function printMatcher({ name, operator, value }: PrintableQuery['matchers'][number]): string {
  return `${printLabelName(name)}${operator}${quoteString(value)}`;
}

/** A label name as it stands in a query: bare when it is a word, else quoted. */
export function printLabelName(name: string): string {
  return labelWord.test(name) ? name : quoteString(name);
}
