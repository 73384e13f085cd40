// Limits for reports, each with its value, unit and reason.

/** Rows of a flame chart before trimming: a gigabyte of memory. */
export const flameChartRowsMax = 5_000_000;
