// Limits of formats, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/** Samples that are read to tell a mutex profile from a block profile. */
export const locksAskedMax = 256;

/** Content of an LZ4 frame in a pushed file: 40 ms of the main thread. */
export const lz4HereBytesMax = 16 * mebi;
/** Length of an export as text; V8's strings end at 512 Mi, and it is in memory twice. */
export const exportTextLengthMax = 256 * mebi;
/**
 * Number of frames and labels in samples per byte of a JFR recording, which has each stack only
 * once, while its samples refer to it. Recordings of real programs have up to 2.
 */
export const jfrFramesPerByteMax = 8;
/**
 * Rows of a recording that are compared in one look-up. Real recordings need about ten; a malicious
 * one would take hours.
 */
export const jfrProbesMax = 1_000;
/**
 * Frames of all samples of a profile that comes with an earlier one (`prev_profile`): each stack is
 * a key of the comparison. Heap profiles of Go have some 100,000.
 */
export const earlierFramesMax = 4_194_304;
/** Frames and labels that every JFR recording may expand to. */
export const jfrFramesMin = 262_144;
