// Limits of report, each with its value, its unit and its reason.

/** Rows of a flame chart before it is trimmed: a gigabyte of memory. */
export const flameChartRowsMax = 5_000_000;
