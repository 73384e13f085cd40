// Limits of shares, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/** A shared profile, gzipped. */
export const shareBytesMax = 64 * mebi;
/** Shared profiles; beyond that, they are refused. */
export const sharesMax = 10_000;
/** Characters of the description of a shared profile. */
export const shareDescriptionLengthMax = 1_000;
/** Time between two checks for expired shared profiles. */
export const shareExpiryMillis = 3_600_000;
export const adHocProfilesMax = 1_000;
