// Limits of query, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/** Estimated time of a query, until the caller's queries have been measured. */
export const queryMillisUsual = 20;
/** Maximum number of queries that may wait for their turn; further queries are refused. */
export const queriesWaitingMax = 128;
/** Estimated memory of a selected series: labels, slices and their digests. */
export const selectedSeriesBytes = 1_000;
/**
 * Minimum number of stacks above which a report is made in a thread, because a call graph of this
 * size takes about 20 ms.
 */
export const reportInThreadStacksMin = 2_000;
/** Largest JavaScript heap of the report thread; if it needs more, the thread ends. */
export const reportHeapBytesMax = 1024 * mebi;
/**
 * Maximum size of the copies of symbols in the report thread above which the next report gets a new
 * thread.
 */
export const reportSymbolsBytesMax = 512 * mebi;
/** Time after which the report thread ends if it has no work. */
export const reportIdleMillis = 20_000;
/**
 * Maximum size of copies up to which an idle thread is kept. Starting a thread again takes 0.2 s.
 */
export const reportIdleSymbolsBytesMax = 16 * mebi;
/** Estimated time of a report per stack, until the caller's reports have been measured. */
export const reportStackMillis = 0.01;
/** Estimated extra time that a report takes in a new thread. */
export const reportThreadStartMillis = 500;
/**
 * Time in which a report that no caller wants any longer must finish if other reports wait. After
 * that, its thread is ended.
 */
export const abandonedReportMillis = 100;
/** Time without a reply from the report thread after which the server says it is not ready. */
export const reportSilenceMillisMax = 30_000;
/** Longest time for a report. After that, the report fails and its thread is replaced. */
export const reportMillisMax = 300_000;
/**
 * Maximum number of buckets in a graph with rates for the covered time. Each bucket takes memory,
 * and no screen is wider.
 */
export const rateBucketsMax = 10_000;
/**
 * Maximum number of buckets of functions over time. Each is merged separately; no screen is wider.
 */
export const functionBucketsMax = 1_000;
/** Maximum number of label sets in one answer of Series. Each takes a few hundred bytes. */
export const labelSetsMax = 100_000;
/**
 * Maximum number of points in the line of a service that uses functions. The line is 100 pixels
 * wide.
 */
export const usersBucketsMax = 200;
