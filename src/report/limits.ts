// Limits for reports, each with its value, unit and reason.

/** Number of rows of a flame chart before trimming. They take a gigabyte of memory. */
export const flameChartRowsMax = 5_000_000;
