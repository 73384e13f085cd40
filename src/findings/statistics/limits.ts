// Limits for the statistics, each with its value, unit and reason.

/**
 * Length of a window in milliseconds. Storage keeps sums of whole hours, so querying a window is
 * cheap.
 */
export const windowMillis = 3_600_000;
/** Windows before a change that are needed to estimate the noise. */
export const baselineWindowsMin = 12;
/**
 * Windows before a change without a deploy: a whole day, so that a daily cycle does not count as a
 * change.
 */
export const scanBaselineWindowsMin = 24;
/** Windows that must show a change, because a single window may be an accident. */
export const changedWindowsMin = 2;
/** Windows after a deploy in which its changes are looked for. */
export const deployWindowsMax = 72;
/** Windows after a change without a deploy that are used to detect it. */
export const scanWindowsMax = 24;
/** Windows between two times at which a change without a deploy is looked for. */
export const scanStepWindows = 6;
/**
 * Minimum number of windows of a slow drift; fewer than five days may be part of a weekly cycle.
 */
export const driftWindowsMin = 120;
/** Windows between two searches for a slow drift, which is a day. */
export const driftStepWindows = 24;
/** Samples that each side of a comparison must have. */
export const sideSamplesMin = 1_000;
