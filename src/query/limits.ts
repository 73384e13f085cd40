// Limits of query, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/** Estimated time of a query, until the caller's queries have been measured. */
export const queryMillisUsual = 20;
/** Queries that may wait for their turn; further queries are refused. */
export const queriesWaitingMax = 128;
/** Estimated memory of a selected series: labels, slices and their digests. */
export const selectedSeriesBytes = 1_000;
/**
 * Number of stacks above which a report is made in a thread, because a call graph of this size
 * takes about 20 ms.
 */
export const reportInThreadStacksMin = 2_000;
/** Largest JavaScript heap of the report thread; if it needs more, the thread ends. */
export const reportHeapBytesMax = 1024 * mebi;
/**
 * Size of the copies of symbols in the report thread above which the next report gets a new thread.
 */
export const reportSymbolsBytesMax = 512 * mebi;
/** Time after which the report thread ends if it has no work. */
export const reportIdleMillis = 20_000;
/** Size of copies up to which an idle thread is kept, because starting a thread takes 0.2 s. */
export const reportIdleSymbolsBytesMax = 16 * mebi;
/** Estimated time of a report per stack, until the caller's reports have been measured. */
export const reportStackMillis = 0.01;
/** Estimated extra time that a report takes in a new thread. */
export const reportThreadStartMillis = 500;
/**
 * Time in which an unwanted report must finish if other reports wait. After that, its thread is
 * ended.
 */
export const abandonedReportMillis = 100;
/** Longest silence of the report thread, after which the server reports that it is not ready. */
export const reportSilenceMillisMax = 30_000;
/** Longest time of a report, after which the report fails and its thread is replaced. */
export const reportMillisMax = 300_000;
/**
 * Buckets of a graph with rates for the covered time; no screen is wider, and each bucket takes
 * memory.
 */
export const rateBucketsMax = 10_000;
/** Buckets of functions over time; each bucket is merged separately, and no screen is wider. */
export const functionBucketsMax = 1_000;
/** Label sets in one answer of Series, a few hundred bytes each. */
export const labelSetsMax = 100_000;
/** Points in the line of a service that uses functions; the line is drawn a hundred pixels wide. */
export const usersBucketsMax = 200;
