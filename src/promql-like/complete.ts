// What can be typed at a place in a query: pure, so that any editor can use it.
import * as terms from './gen/query.terms.ts';
import { queryParser } from './language.ts';
import { printLabelName } from './print.ts';
import type { Span } from './query.ts';
import { escapeFor, quoteString, StringSyntaxError, unquote } from './string.ts';
import type { Quote } from './string.ts';

/** The operators, in the order to offer them. */
export const operators = ['=', '!=', '=~', '!~'] as const;

/** What is asked for at the cursor; `nothing` where only a bracket or a comma can come. */
export type CompletionSubject =
  | { readonly kind: 'profile-type' }
  | { readonly kind: 'label-name' }
  | { readonly kind: 'operator' }
  | { readonly kind: 'label-value'; readonly label: string }
  | { readonly kind: 'nothing' };

/** A place to complete. */
export interface CompletionPlace {
  readonly subject: CompletionSubject;
  /** What an accepted completion replaces, with an opening quote if there is one. */
  readonly replace: Span;
  /** What of it stands before the cursor, without quote; for filtering. */
  readonly typed: string;
  /** The opening quote that is there already. */
  readonly quote: Quote | undefined;
  /** The profile type in the text before the cursor, maybe shortened; "" when none. */
  readonly profile: string;
}

interface Token extends Span {
  readonly type: number;
  readonly name: string;
  readonly text: string;
}

/**
 * What can come at `cursor` (UTF-16 offset). Text that is not a query yet is no obstacle.
 */
export function completionAt(text: string, cursor: number): CompletionPlace {
  const before = text.slice(0, cursor);
  const tokens = tokensOf(before);
  const last = tokens.at(-1);
  const profile = tokens[0]?.type === terms.ProfileName ? tokens[0].text : '';
  const place = (subject: CompletionSubject, from: number, quote?: Quote): CompletionPlace => ({
    subject,
    replace: { from, to: endOfReplaced(text, cursor, quote) },
    typed: before.slice(quote === undefined ? from : from + 1),
    quote,
    profile,
  });
  if (last?.type === terms.Comment) return place({ kind: 'nothing' }, cursor);
  if (last?.type === terms.OpenString) {
    return place(stringSubject(tokens.slice(0, -1)), last.from, quoteOf(last.text));
  }
  // The word or the piece of an operator under the cursor does not decide what it is itself.
  const from = cursor - (/(?:[\w:]+|[!=~]+)$/.exec(before)?.[0].length ?? 0);
  const isOperatorDone = last?.type === terms.Operator && last.to === cursor;
  if (isOperatorDone) return place(subjectAfter(tokens), cursor);
  return place(subjectAfter(tokens.filter((token) => token.to <= from)), from);
}

/** The text to put in place of `place.replace` when `option` is accepted. */
export function completionText(place: CompletionPlace, option: string): string {
  if (place.quote !== undefined) {
    const escaped = escapeFor(place.quote, option);
    return escaped === undefined ? quoteString(option) : place.quote + escaped + place.quote;
  }
  if (place.subject.kind === 'label-value') return quoteString(option);
  return place.subject.kind === 'label-name' ? printLabelName(option) : option;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  queryParser.parse(text).iterate({
    enter: (node) => {
      if (node.type.isError || node.type.isTop || node.node.firstChild !== null) return;
      const { from, to, name } = node;
      // A finished comment line is no place of interest.
      if (node.type.id === terms.Comment && to < text.length) return;
      tokens.push({ type: node.type.id, name, from, to, text: text.slice(from, to) });
    },
  });
  return tokens;
}

function subjectAfter(tokens: readonly Token[]): CompletionSubject {
  const last = tokens.at(-1);
  if (last === undefined) return { kind: 'profile-type' };
  if (last.name === '{' || last.name === '<' || last.name === ',') return { kind: 'label-name' };
  if (last.type === terms.Identifier) return { kind: 'operator' };
  if (last.type === terms.Operator) return { kind: 'label-value', label: labelBefore(tokens) };
  const isString = last.type === terms.QuotedString || last.type === terms.RawString;
  if (isString && tokens.at(-2)?.type !== terms.Operator) return { kind: 'operator' };
  return { kind: 'nothing' };
}

/** Inside a string: a value after an operator, else a quoted label name. */
function stringSubject(tokens: readonly Token[]): CompletionSubject {
  const subject = subjectAfter(tokens);
  return subject.kind === 'label-value' ? subject : { kind: 'label-name' };
}

/** The name in front of the operator that is the last token. */
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

function quoteOf(text: string): Quote {
  return text[0] === "'" ? "'" : text[0] === '`' ? '`' : '"';
}

/** The rest of the word or string that the cursor is in, which a completion replaces too. */
function endOfReplaced(text: string, cursor: number, quote: Quote | undefined): number {
  const after = text.slice(cursor);
  if (quote === undefined) return cursor + (/^[\w:]*/.exec(after)?.[0].length ?? 0);
  // The next quote closes this string, unless it looks like the opening one of another matcher.
  const close = after.indexOf(quote);
  const isOwn = close !== -1 && !/[=\n]/.test(after.slice(0, close));
  return isOwn ? cursor + close + 1 : cursor;
}
