// Limits of query: each with its value, its unit and its reason.

// Every limit of the server in one place: its value, its unit and its reason. input-limits.ts has
// the limits of data from clients and targets, each with a flag.

const mebi = 1024 * 1024;

/** Time of a query, about, until a caller's own were measured. */
export const queryMillisUsual = 20;
/** Queries that wait for their turn; later ones are better refused. */
export const queriesWaitingMax = 128;
/** Memory of a selected series, about: labels, slices and their digests. */
export const selectedSeriesBytes = 1_000;
/** Stacks above which a report is made in a thread: a call graph of as many takes 20 ms or so. */
export const reportInThreadStacksMin = 2_000;
/** JavaScript objects of the thread of reports, past which it ends. */
export const reportHeapBytesMax = 1024 * mebi;
/** Copies of symbols in the thread of reports, past which the next report gets a new thread. */
export const reportSymbolsBytesMax = 512 * mebi;
/** Time after which a thread without reports ends. */
export const reportIdleMillis = 20_000;
/** Copies with which a thread without reports stays: a start takes 0.2 s. */
export const reportIdleSymbolsBytesMax = 16 * mebi;
/** Time of a report for each of its stacks, about, until a caller's own were measured. */
export const reportStackMillis = 0.01;
/** Time that a new thread of reports takes until it is as fast as the last one, about. */
export const reportThreadStartMillis = 500;
/** Time in which a report that nobody waits for may end while others wait; then its thread is ended. */
export const abandonedReportMillis = 100;
/** Longest silence of the report thread; after it, the server is not ready. */
export const reportSilenceMillisMax = 30_000;
/** Longest time of a report, which is then given up, and its thread replaced. */
export const reportMillisMax = 300_000;
/** Buckets of a graph that have rates by covered time; a screen is no wider, and each has memory. */
export const rateBucketsMax = 10_000;
/** Buckets of functions over time: each is a merge of its own, and a screen is no wider. */
export const functionBucketsMax = 1_000;
/** Label sets in one answer of Series; some hundred bytes each. */
export const labelSetsMax = 100_000;
