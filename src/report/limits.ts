// Limits for reports, each with its value, unit and reason.

/** Maximum number of rows of a flame chart before trimming. They take a gigabyte of memory. */
export const flameChartRowsMax = 5_000_000;
