// Limits of shares: each with its value, its unit and its reason.

// Every limit of the server in one place: its value, its unit and its reason. input-limits.ts has
// the limits of data from clients and targets, each with a flag.

const mebi = 1024 * 1024;

/** A shared profile, gzipped. */
export const shareBytesMax = 64 * mebi;
/** Shared profiles; more are refused. */
export const sharesMax = 10_000;
/** Characters of the description of a shared profile. */
export const shareDescriptionLengthMax = 1_000;
/** Time between two looks for shared profiles that have expired: an hour. */
export const shareExpiryMillis = 3_600_000;
export const adHocProfilesMax = 1_000;
