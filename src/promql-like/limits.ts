// Limits of promql-like: each with its value, its unit and its reason.

/** Stages of one selector or diff; each looks at every frame that the query touches. */
export const queryStagesMax = 64;
/** Parentheses in parentheses; a query that can be answered has two. */
export const queryNestingMax = 8;
/** Words, signs and strings before a cursor; after more, completion offers nothing. */
export const completionTokensMax = 1_000;
/** The same of all regular expressions of a query: each value and name may be asked all of them. */
export const queryPatternsSizeMax = 6_000;
