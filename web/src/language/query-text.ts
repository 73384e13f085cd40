// What a query text says, read without the grammar, which would be too large for the first load.

/**
 * The profile type of a query text: what stands before its matchers; of a diff, the base's. The
 * grammar would be too large for the first load.
 */
export function profileTypeOfQuery(query: string): string {
  return /^\s*(?:diff\s*\(\s*)?([^{<|,)\s]*)/.exec(query)?.[1] ?? '';
}

/** Sample types whose values count since the program started, where they are no deltas. */
const counters = /^[^:]*:(?:alloc_objects|alloc_space|contentions|delay):(?!.*:delta$)/;

/** Whether totals of a type tell nothing, only what is gained; `type` in full. */
export function isCounter(type: string): boolean {
  return counters.test(type);
}

/** Whether a query asks for what counters gain. */
export function asksIncrease(query: string): boolean {
  return /\|\s*increase\b/.test(withoutTexts(query));
}

/** The query about a type in full; where that counts since the start, for what is gained. */
export function withIncrease(query: string, type: string): string {
  if (!isCounter(type) || asksIncrease(query)) return query;
  const endsInComment = /#[^\n]*$/.test(withoutTexts(query));
  return `${query.trimEnd()}${endsInComment ? '\n' : ' '}| increase`;
}

/** The query with its texts left empty, so that words and signs of it are its own. */
function withoutTexts(query: string): string {
  return query.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`/g, '""');
}

/** Whether callers stand under what they call, and the query without that where it is the end. */
export function invertedQuery(query: string): {
  readonly isInverted: boolean;
  /** The same functions with their callers above them; undefined where that is not known. */
  readonly upright: string | undefined;
} {
  const times = withoutTexts(query).match(/\|\s*invert\b/g)?.length ?? 0;
  if (times % 2 === 0) return { isInverted: false, upright: query };
  const upright = query.replace(/\s*\|\s*invert\s*$/, '');
  return { isInverted: true, upright: upright === query ? undefined : upright };
}

/** Whether the profile type is the first of the conditions: `{"my-cpu:..."}`, `{__name__="..."}`. */
export function beginsWithQuotedType(query: string): boolean {
  return /^\s*[{<]\s*(?:(["'`])(?:\\.|(?!\1)[^\\])*\1\s*[,}>]|__name__\s*=)/.test(query);
}

/** Whether a query text compares two others. */
export function isDiff(query: string): boolean {
  return /^\s*diff\s*\(/.test(query);
}
