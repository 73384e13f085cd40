// Limits of telemetry, each with its value, its unit and its reason.

/** Time between two checks for working threads during a CPU profile. */
export const threadProfilePollMillis = 100;
/** Longest wait for a thread's profile, which is then left out: it may be in native code. */
export const threadProfileReadMillisMax = 1_000;
/** Bytes of audit lines that wait for the disk; further lines are dropped, and counted. */
export const auditBytesWaitingMax = 1_048_576;
/**
 * Largest number of concurrent CPU profiles of the server with different durations; each adds a
 * little to the cost of every sample.
 */
export const selfProfilesMax = 16;
/** Largest age of the cut that a profile begins with, for each second of the profile. */
export const cutAgeMillisPerSecond = 50;
/** Time for which the sampler runs after the last profile: the interval of a few scrapes. */
export const selfProfilerIdleMillis = 60_000;
/** Time for which equal profiles of the server are shared. */
export const sharedProfileMillis = 1_000;
