// The stages of a query, and the query without one of them.
import * as terms from '../../../src/promql-like/gen/query.terms.ts';
import { queryParser } from '../../../src/promql-like/language.ts';

export interface StageText {
  /** The stage's text: `focus "x"`. */
  readonly text: string;
  /** The query without it. */
  readonly rest: string;
}

/** Returns stages in their order; in a diff, the stages of its sides come first. */
export function stagesOf(query: string): StageText[] {
  const found: StageText[] = [];
  queryParser.parse(query).iterate({
    enter: ({ type, from, to }) => {
      if (type.id !== terms.Stage) return;
      const before = query.slice(0, from).replace(/\s*\|\s*$/, '');
      found.push({ text: query.slice(from, to), rest: before + query.slice(to) });
    },
  });
  return found;
}
