// Limits for profiles that are sent to another server.

const mebi = 1024 * 1024;

/** Maximum size of a WriteRaw request in bytes; servers accept 64 MiB. */
export const requestBytesMax = 8 * mebi;
/**
 * Maximum number of bytes of requests that wait in memory. Above it, requests are written to the
 * disk; without a disk, the oldest request is dropped.
 */
export const queueMemoryBytesMax = 32 * mebi;
/** First and longest delay between two attempts to send, in milliseconds. */
export const sendRetryMillisMin = 500;
export const sendRetryMillisMax = 30_000;
/** Milliseconds for which profiles of scrapes are collected into one request. */
export const gatherMillis = 1_000;
/** Largest message of the connection in bytes; servers accept 64 MiB. */
export const messageBytesMax = 64 * mebi;
/** Longest duration of one attempt to send a request, in milliseconds. */
export const callMillisMax = 30_000;
/**
 * Milliseconds for which a stopping process still sends requests. Requests that are left stay in
 * the queue.
 */
export const flushMillisMax = 5_000;
