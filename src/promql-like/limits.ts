// Limits of promql-like, each with its value, its unit and its reason.

/** Stages of one selector or diff; each reads every frame of the query. */
export const queryStagesMax = 64;
/** Nesting of parentheses; a query that can be answered has two levels. */
export const queryNestingMax = 8;
/** Words, punctuation and strings before a cursor; after more, completion offers nothing. */
export const completionTokensMax = 1_000;
/**
 * Size of all regular expressions of a query: each value and name may be matched with all of them.
 */
export const queryPatternsSizeMax = 6_000;
/** Queries in one expression of a rule: each is answered at every evaluation. */
export const expressionWindowsMax = 16;
/** Window of a value of `parca_function_cores`: that in which the last value of a series counts. */
export const functionSeriesWindowNanos = 300_000_000_000n;
