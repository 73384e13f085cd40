// The error for a short profile type that matches several types, and the types to choose from.
import { formatProfileType, type ProfileType } from '../model/profile-type.ts';
import { parseQuery } from './parse.ts';
import { isProfileWord, printQuery } from './print.ts';
import type { Selector } from './query.ts';
import { quoteString, unquote } from './string.ts';

/** Maximum number of candidates that a message names. */
export const namedCandidatesMax = 8;

/** A short profile type that matches several types, read from an error message. */
export interface Ambiguity {
  /** Line and column in the query. Both count from 1, in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  /** Full names of the types that the message names. There may be more. */
  readonly candidates: readonly string[];
}

/**
 * Returns `profile type "memory" is ambiguous: memory:alloc_space:bytes:space:bytes, "a
 * b:c:d:e:f"`. Types that need quotes in a query are quoted; `, ...` at the end means that there
 * are more.
 */
export function ambiguityReason(written: string, candidates: readonly ProfileType[]): string {
  const named = candidates.slice(0, namedCandidatesMax).map((type) => {
    const text = formatProfileType(type);
    return isProfileWord(text) ? text : quoteString(text);
  });
  const more = candidates.length > namedCandidatesMax ? ', ...' : '';
  return `profile type ${quoteString(written)} is ambiguous: ${named.join(', ')}${more}`;
}

const string = String.raw`"(?:[^"\\]|\\.)*"`;
const ambiguousMessage = new RegExp(
  String.raw`^(\d+):(\d+): profile type ${string} is ambiguous: (.*)$`,
);
const candidateInMessage = new RegExp(String.raw`${string}|[\w:]+`, 'g');

/** Reads an ambiguity from an error message; undefined for other messages. */
export function readAmbiguity(message: string): Ambiguity | undefined {
  const found = ambiguousMessage.exec(message);
  if (found === null) return undefined;
  const [, line, column, list] = found;
  const candidates = Array.from(list.matchAll(candidateInMessage), ([text]) =>
    text.startsWith('"') ? unquote(text) : text,
  );
  return { line: Number(line), column: Number(column), candidates };
}

/**
 * Returns the query with a candidate instead of the short type.
 *
 * Errors: as in parseQuery; undefined when the query has no profile type at that position.
 */
export function withCandidate(
  query: string,
  { line, column }: Ambiguity,
  candidate: string,
): string | undefined {
  const at =
    query
      .split('\n')
      .slice(0, line - 1)
      .reduce((length, { length: own }) => length + own + 1, 0) +
    column -
    1;
  const { operand, stages } = parseQuery(query);
  const sides =
    operand.kind === 'diff' ? [operand.base.selector, operand.compared.selector] : [operand];
  const place = sides.find(({ profile }) => profile?.span.from === at)?.profile;
  if (place === undefined) return undefined;
  const { from, to } = place.span;
  if (query.slice(from, to) === place.text && isProfileWord(candidate)) {
    return query.slice(0, from) + candidate + query.slice(to);
  }
  const chosen = (selector: Selector): Selector =>
    selector.profile === place ? { ...selector, profile: { ...place, text: candidate } } : selector;
  if (operand.kind === 'selector') return printQuery({ operand: chosen(operand), stages });
  const [base, compared] = [operand.base, operand.compared].map(({ selector, stages: own }) => {
    return { selector: chosen(selector), stages: own };
  });
  return printQuery({ operand: { kind: 'diff', base, compared }, stages });
}
