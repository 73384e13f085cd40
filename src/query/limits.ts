// Limits of query, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/** Estimate of the time of a query, before a caller has been measured. */
export const queryMillisUsual = 20;
/** Queries that wait for their turn; it is better to refuse later ones. */
export const queriesWaitingMax = 128;
/** Estimate of the memory of a selected series: labels, slices and their digests. */
export const selectedSeriesBytes = 1_000;
/** Stacks above which a report is made in a thread: a call graph of as many takes about 20 ms. */
export const reportInThreadStacksMin = 2_000;
/** JavaScript objects of the thread of reports, past which it ends. */
export const reportHeapBytesMax = 1024 * mebi;
/** Copies of symbols in the thread of reports, past which the next report gets a new thread. */
export const reportSymbolsBytesMax = 512 * mebi;
/** Time after which a thread without reports ends. */
export const reportIdleMillis = 20_000;
/** Size of copies up to which an idle thread is kept: a start takes 0.2 s. */
export const reportIdleSymbolsBytesMax = 16 * mebi;
/** Estimate of the time of a report for each of its stacks, before a caller has been measured. */
export const reportStackMillis = 0.01;
/** Estimate of the time that a new report thread takes until it is as fast as the last one. */
export const reportThreadStartMillis = 500;
/** Time that an unwanted report has to finish while others wait; then its thread is ended. */
export const abandonedReportMillis = 100;
/** Longest silence of the report thread; after it, the server is not ready. */
export const reportSilenceMillisMax = 30_000;
/** Longest time of a report, which is then given up, and its thread replaced. */
export const reportMillisMax = 300_000;
/**
 * Buckets of a graph that have rates by covered time; no screen is wider, and each takes memory.
 */
export const rateBucketsMax = 10_000;
/** Buckets of functions over time: each is a separate merge, and no screen is wider. */
export const functionBucketsMax = 1_000;
/** Label sets in one answer of Series; some hundred bytes each. */
export const labelSetsMax = 100_000;
