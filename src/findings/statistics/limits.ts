// Limits of the statistics, each with its value, its unit and its reason.

/** Length of a window: storage has sums of whole hours, so a window costs little. */
export const windowMillis = 3_600_000;
/** Windows before a change that its baseline needs, so that their noise can be estimated. */
export const baselineWindowsMin = 12;
/** Windows before an undeclared change: a day, so that a daily cycle is no change. */
export const scanBaselineWindowsMin = 24;
/** Windows after a change that are needed: one alone may be an accident. */
export const changedWindowsMin = 2;
/** Windows after a deploy in which its changes are looked for. */
export const deployWindowsMax = 72;
/** Windows after an undeclared change in which it is looked for. */
export const scanWindowsMax = 24;
/** Windows between two times at which an undeclared change is assumed. */
export const scanStepWindows = 6;
/** Windows of a slow drift: fewer than five days may be a part of a weekly cycle. */
export const driftWindowsMin = 120;
/** Windows between two searches for a slow drift. */
export const driftStepWindows = 24;
/** Samples that each side needs. */
export const sideSamplesMin = 1_000;
