// Completion of queries, as pure functions that any editor can use.
import { completionTokensMax } from './limits.ts';
import { expectedAfter, type Expected } from './expected.ts';
import * as terms from './gen/query.terms.ts';
import { tooDeepAt } from './nesting.ts';
import type { TextSpan } from './query.ts';
import {
  printLabelName,
  escapeFor,
  quoteString,
  StringSyntaxError,
  unquote,
  type Quote,
} from './string.ts';
import { readTokens, type Token } from './tokens.ts';

/** The operators, in the order in which completion offers them. */
const operators = ['=', '!=', '=~', '!~'] as const;

/** Matches closed strings, words, and single characters. */
const roughTokens = /"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*'|`[^`]*`|[\w:]+|[^\s\w]/g;

/** Kind of word to offer at the cursor; `nothing` if only punctuation or free text fits. */
export type CompletionSubject =
  | { readonly kind: 'profile-type' }
  | { readonly kind: 'label-name' }
  /** Names of labels and `frameGroups`. */
  | { readonly kind: 'group-name' }
  | { readonly kind: 'label-value'; readonly label: string }
  /** Operators and keywords. */
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'nothing' };

/** A completion: its subject, and the span that it replaces. */
export interface CompletionPlace {
  readonly subject: CompletionSubject;
  /** Span that an accepted completion replaces, with an opening quote if there is one. */
  readonly replace: TextSpan;
  /** Characters of the span before the cursor, without the quote, for filtering. */
  readonly typed: string;
  /** The opening quote, if there is one. */
  readonly quote: Quote | undefined;
  /** The last profile type before the cursor, which may be short; "" if there is none. */
  readonly profile: string;
}

/**
 * Returns the completions at `cursor` (a UTF-16 offset), even for an incomplete query. There are
 * none if parentheses are nested too deeply, or after `completionTokensMax` tokens.
 */
export function completionAt(text: string, cursor: number): CompletionPlace {
  const before = text.slice(0, cursor);
  if (tooDeepAt(before) !== undefined || isLong(before)) {
    const replace = { from: cursor, to: cursor };
    return { subject: { kind: 'nothing' }, replace, typed: '', quote: undefined, profile: '' };
  }
  const tokens = readTokens(before);
  const last = tokens.at(-1);
  const profile = tokens.findLast((_, i) => isProfileType(tokens, i))?.text ?? '';
  const place = (subject: CompletionSubject, from: number, quote?: Quote): CompletionPlace => ({
    subject,
    replace: { from, to: endOfReplaced(text, cursor, quote) },
    typed: before.slice(quote === undefined ? from : from + 1),
    quote,
    profile,
  });
  if (last?.type === terms.Comment) return place({ kind: 'nothing' }, cursor);
  if (last?.type === terms.OpenString) {
    return place(stringSubject(tokens.slice(0, -1)), last.from, openingQuote(last.text));
  }
  // The word or the part of an operator under the cursor will be replaced, so it does not affect
  // what is offered.
  const from = cursor - (/(?:[\w:]+|[!=~]+)$/.exec(before)?.[0].length ?? 0);
  const isOperatorDone = last?.type === terms.Operator && last.to === cursor;
  if (isOperatorDone) return place(subjectAfter(tokens, ''), cursor);
  const done = tokens.filter((token) => token.to <= from);
  return place(subjectAfter(done, before.slice(from)), from);
}

/**
 * Returns true if a query is too long for the tolerant parser, which takes 10 us for each wrong
 * token.
 */
function isLong(text: string): boolean {
  let count = 0;
  for (const _ of text.matchAll(roughTokens)) {
    count += 1;
    if (count > completionTokensMax) return true;
  }
  return false;
}

/** Returns the string that replaces `place.replace` when `option` is accepted. */
export function completionText(place: CompletionPlace, option: string): string {
  if (place.quote !== undefined) {
    const escaped = escapeFor(place.quote, option);
    return escaped === undefined ? quoteString(option) : place.quote + escaped + place.quote;
  }
  const { kind } = place.subject;
  if (kind === 'label-value') return quoteString(option);
  return kind === 'label-name' || kind === 'group-name' ? printLabelName(option) : option;
}

function subjectAfter(tokens: readonly Token[], typed: string): CompletionSubject {
  const { kind, words, mayEnd }: Expected = expectedAfter(tokens);
  if (kind === 'operator') return { kind: 'word', words: operators };
  if (kind === 'label-value') return { kind, label: labelBefore(tokens) };
  if (kind !== 'nothing') return { kind };
  // If the query may end at the cursor, words are offered once their first letter is typed.
  return words.length === 0 || (mayEnd && typed === '') ? { kind } : { kind: 'word', words };
}

/**
 * Returns the subject inside of a string: a value after an operator, a quoted name, or free text.
 */
function stringSubject(tokens: readonly Token[]): CompletionSubject {
  const subject = subjectAfter(tokens, '');
  const isOfLabel = subject.kind.startsWith('label-') || subject.kind === 'group-name';
  return isOfLabel ? subject : { kind: 'nothing' };
}

/** Returns the name before the operator, which is the last token. */
function labelBefore(tokens: readonly Token[]): string {
  const name = tokens.at(-2);
  if (name === undefined || name.type === terms.Identifier) return name?.text ?? '';
  try {
    return unquote(name.text);
  } catch (error) {
    if (error instanceof StringSyntaxError) return '';
    throw error;
  }
}

/** Returns true if a token is a profile type, judged by the tokens before it. */
function isProfileType(tokens: readonly Token[], i: number): boolean {
  if (tokens[i].type !== terms.ProfileName) return false;
  return expectedAfter(tokens.slice(0, i)).kind === 'profile-type';
}

function openingQuote(text: string): Quote {
  return text[0] === "'" ? "'" : text[0] === '`' ? '`' : '"';
}

/** Returns the end of the word or string at the cursor, which a completion replaces completely. */
function endOfReplaced(text: string, cursor: number, quote: Quote | undefined): number {
  const after = text.slice(cursor);
  if (quote === undefined) return cursor + (/^[\w:]*/.exec(after)?.[0].length ?? 0);
  // The next quote closes this string, unless it looks like the opening quote of another matcher.
  const close = after.indexOf(quote);
  const isOwn = close !== -1 && !/[=\n]/.test(after.slice(0, close));
  return isOwn ? cursor + close + 1 : cursor;
}
