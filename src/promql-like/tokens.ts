// Splits a string, which may be an incomplete query, into tokens.
import * as terms from './gen/query.terms.ts';
import { queryParser } from './language.ts';
import type { TextSpan } from './query.ts';

/** A word, a punctuation character or a quoted string. */
export interface Token extends TextSpan {
  /** Number of a term of the grammar. */
  readonly type: number;
  /** Name of the term; for punctuation and keywords, the name is the token itself. */
  readonly name: string;
  readonly text: string;
}

/** Returns all tokens, without closed comments. */
export function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  queryParser.parse(text).iterate({
    enter: (node) => {
      if (node.type.isError || node.type.isTop || node.node.firstChild !== null) return;
      const { from, to, name } = node;
      if (node.type.id === terms.Comment && to < text.length) return;
      // The tolerant parser makes empty nodes for missing tokens.
      if (from === to) return;
      tokens.push({ type: node.type.id, name, from, to, text: text.slice(from, to) });
    },
  });
  return tokens;
}

/** Returns true if a token is a string with both of its quotes. */
export function isString({ type }: Token): boolean {
  return type === terms.QuotedString || type === terms.RawString;
}
