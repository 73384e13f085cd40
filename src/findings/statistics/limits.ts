// Limits for the statistics, each with its value, unit and reason.

/** Length of a window: storage keeps sums of complete hours, so a window is cheap to query. */
export const windowMillis = 3_600_000;
/** Windows before a change that the baseline needs to estimate the noise. */
export const baselineWindowsMin = 12;
/** Windows before an undeclared change: a day, so that a daily cycle does not count as a change. */
export const scanBaselineWindowsMin = 24;
/** Windows that must show a change, because a single window may be an accident. */
export const changedWindowsMin = 2;
/** Windows after a deploy in which its changes are searched. */
export const deployWindowsMax = 72;
/** Windows after an undeclared change that are used to detect it. */
export const scanWindowsMax = 24;
/** Windows between two times at which an undeclared change is tested. */
export const scanStepWindows = 6;
/**
 * Smallest number of windows of a slow drift; fewer than five days may be part of a weekly cycle.
 */
export const driftWindowsMin = 120;
/** Windows between two searches for a slow drift. */
export const driftStepWindows = 24;
/** Samples that each side of a comparison needs. */
export const sideSamplesMin = 1_000;
