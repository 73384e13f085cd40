// Limits of pictures, each with its value, unit and reason.

/** Levels that a picture shows from the root on; deeper levels are counted. A screen has 50. */
export const pictureLevelsMax = 48;
/** Lines of a title, and of each text below it, so that a label does not fill the picture. */
export const titleLinesMax = 3;
export const factLinesMax = 2;
