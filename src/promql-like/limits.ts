// Limits of promql-like, each with its value, its unit and its reason.

/** Maximum number of stages of one selector or diff; each stage reads every frame of the query. */
export const queryStagesMax = 64;
/** Nesting depth of parentheses; a valid query has at most two levels. */
export const queryNestingMax = 8;
/** Maximum number of tokens before the cursor above which completion offers nothing. */
export const completionTokensMax = 1_000;
/**
 * Total size of the regular expressions of a query, because each value and name may be matched with
 * all of them.
 */
export const queryPatternsSizeMax = 6_000;
/** Queries in one expression of a rule, because each is answered at every evaluation. */
export const expressionWindowsMax = 16;
/**
 * Window from which a value of `parca_function_cores` is computed. The last value of a series stays
 * current for the same length of time.
 */
export const functionSeriesWindowNanos = 300_000_000_000n;
