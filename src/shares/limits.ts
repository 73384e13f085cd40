// Limits for shared profiles, each with its value, unit and reason.

const mebi = 1024 * 1024;

/** A shared profile, gzipped. */
export const shareBytesMax = 64 * mebi;
/** Bytes of a piece of a shared profile; each reader has two pieces in memory. */
export const sharePieceBytes = 64 * 1024;
/** Shared profiles; beyond that, they are refused. */
export const sharesMax = 10_000;
/** Characters of the description of a shared profile. */
export const shareDescriptionLengthMax = 1_000;
/** Time between two checks for expired shared profiles. */
export const shareExpiryMillis = 3_600_000;
export const adHocProfilesMax = 1_000;
/** Stored marks; beyond that, the oldest are removed. A release every hour makes 720 a month. */
export const storedMarksMax = 2_000;
/**
 * Characters of the JSON of all marks, which is written as a whole: 5 ms for a MiB. Beyond that,
 * the oldest are removed.
 */
export const storedMarksLengthMax = mebi;
/** Saved views: more than people find in a list of names. */
export const savedViewsMax = 500;
/** Services with prefixes of own code. */
export const ownCodeServicesMax = 500;
/** Characters of the JSON of all saved views, or of all own code, which is written as a whole. */
export const pageFileLengthMax = mebi;
