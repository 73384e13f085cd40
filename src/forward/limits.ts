// Limits of sending profiles to another server.

const mebi = 1024 * 1024;

/** One WriteRaw request; servers take 64 MiB. */
export const requestBytesMax = 8 * mebi;
/** Requests that wait in memory; past it they go to the disk, or the oldest is dropped. */
export const queueMemoryBytesMax = 32 * mebi;
/** First and longest wait between two attempts to send. */
export const sendRetryMillisMin = 500;
export const sendRetryMillisMax = 30_000;
/** Time in which profiles of scrapes are gathered to one request. */
export const gatherMillis = 1_000;
/** Largest message of the connection; servers take 64 MiB. */
export const messageBytesMax = 64 * mebi;
/** Longest time of one attempt to send a request. */
export const callMillisMax = 30_000;
/** Time in which a stopping process still sends; what is left then stays in the queue. */
export const flushMillisMax = 5_000;
