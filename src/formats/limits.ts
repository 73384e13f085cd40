// Limits of formats, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/** Samples that are read to distinguish a mutex profile from a block profile. */
export const locksAskedMax = 256;

/** Content of an LZ4 frame in a pushed file that is decoded on the main thread, in 40 ms. */
export const lz4HereBytesMax = 16 * mebi;
/**
 * Length of an export as text, which is in memory twice; V8's longest string has 512 Mi characters.
 */
export const exportTextLengthMax = 256 * mebi;
/**
 * Number of frames and labels in samples per byte of a JFR recording, because a recording has each
 * stack only once, and samples refer to it. Recordings of real programs have up to 2.
 */
export const jfrFramesPerByteMax = 8;
/**
 * Rows of a recording that are compared in one look-up. Real recordings need about ten; a malicious
 * recording would take hours.
 */
export const jfrProbesMax = 1_000;
/**
 * Frames in all samples of a profile that is sent with an earlier profile (`prev_profile`), because
 * each stack is a key of the comparison. Heap profiles of Go have about 100,000.
 */
export const earlierFramesMax = 4_194_304;
/** Frames and labels that a JFR recording of any size may expand to. */
export const jfrFramesMin = 262_144;
