// Limits of sending profiles to another server.

const mebi = 1024 * 1024;

/** Size of a WriteRaw request; servers accept 64 MiB. */
export const requestBytesMax = 8 * mebi;
/**
 * Bytes of requests that wait in memory; above it, requests are written to the disk, or the oldest
 * is dropped.
 */
export const queueMemoryBytesMax = 32 * mebi;
/** First and longest delay between two attempts to send. */
export const sendRetryMillisMin = 500;
export const sendRetryMillisMax = 30_000;
/** Time for which profiles of scrapes are collected into one request. */
export const gatherMillis = 1_000;
/** Largest message of the connection; servers accept 64 MiB. */
export const messageBytesMax = 64 * mebi;
/** Longest time of one attempt to send a request. */
export const callMillisMax = 30_000;
/** Time for which a stopping process still sends requests; other requests stay in the queue. */
export const flushMillisMax = 5_000;
