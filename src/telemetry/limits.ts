// Limits of telemetry, each with its value, its unit and its reason.

/** Time between two checks for working threads during a CPU profile. */
export const threadProfilePollMillis = 100;
/**
 * Longest wait for the profile of a thread. If it takes longer, for example because the thread is
 * in native code, the thread is left out.
 */
export const threadProfileReadMillisMax = 1_000;
/**
 * Maximum number of bytes of audit lines that wait for the disk. Further lines are dropped and
 * counted.
 */
export const auditBytesWaitingMax = 1_048_576;
/**
 * Maximum number of CPU profiles of the server that are taken at the same time. Each adds a little
 * to the cost of every sample.
 */
export const selfProfilesMax = 16;
/**
 * Largest age of the slice that a profile begins with, for each second of the profile. If the
 * current slice is older, a new slice is begun.
 */
export const cutAgeMillisPerSecond = 50;
/**
 * Time for which the sampler continues after the last profile ends. It is a few times the usual
 * interval between scrapes, so regular scrapes keep the sampler running.
 */
export const selfProfilerIdleMillis = 60_000;
/**
 * Largest age of a profile of the server that is shared with a caller that requests an equal
 * profile.
 */
export const sharedProfileMillis = 1_000;
