// Limits for shared profiles, each with its value, unit and reason.

const mebi = 1024 * 1024;

/** A shared profile, gzipped. */
export const shareBytesMax = 64 * mebi;
/** Bytes of a shared profile that are read at once; each reader has two such pieces in memory. */
export const sharePieceBytes = 64 * 1024;
/** Shared profiles; beyond that, new profiles are refused. */
export const sharesMax = 10_000;
/** Characters of the description of a shared profile. */
export const shareDescriptionLengthMax = 1_000;
/** Time between two checks for expired shared profiles. */
export const shareExpiryMillis = 3_600_000;
export const adHocProfilesMax = 1_000;
/**
 * Stored marks; beyond that, the oldest marks are removed. A release every hour makes 720 marks a
 * month.
 */
export const storedMarksMax = 2_000;
/**
 * Characters of the JSON of all marks, which is written as a whole in 5 ms per MiB. Beyond that,
 * the oldest marks are removed.
 */
export const storedMarksLengthMax = mebi;
/** Saved views; people would not find one among more. */
export const savedViewsMax = 500;
/** Services with prefixes of own code. */
export const ownCodeServicesMax = 500;
/** Characters of the JSON of all saved views, or of all own code, which is written as a whole. */
export const pageFileLengthMax = mebi;
