// Limits for findings, each with its value, unit and reason.

/** Windows that are kept per service: two weeks, so that each hour of the week occurs twice. */
export const windowsMax = 336;
/** Functions whose use is compared: those with the largest values in each window. */
export const functionsMax = 100;
/** Services whose windows are kept; each takes up to 300 KB. */
export const servicesMax = 256;
/**
 * Services whose windows are kept for each profile type of memory, those with the largest amounts;
 * fewer than for CPU time.
 */
export const memoryServicesMax = 64;
/**
 * Profile types of memory in use that are searched; the same limit applies to types of allocations.
 */
export const memoryTypesMax = 2;
/** Findings that are kept; beyond that, the oldest resolved findings are removed. */
export const findingsMax = 1_000;
/**
 * Functions that a finding lists. A finding needs several, because callers of a changed function
 * change, too.
 */
export const findingFunctionsMax = 20;
/** Milliseconds after which a finding is resolved as normal, because all kept windows are later. */
export const usualMillis = 1_209_600_000;
/** Milliseconds after the end of a window until its last profiles have arrived. */
export const settleMillis = 300_000;
/** Milliseconds between two checks for work. */
export const pollMillis = 20_000;
/**
 * Pause after each query, as a multiple of its duration, so that findings take 1/6 of one query
 * slot.
 */
export const pausesPerQuestion = 5;
/** Longest time in milliseconds, and largest memory in bytes, of each query. */
export const questionMillisMax = 30_000;
export const questionBytesMax = 134_217_728;
/** Milliseconds for which a resolved finding is reported to receivers of alerts. */
export const resolvedAlertMillis = 86_400_000;
