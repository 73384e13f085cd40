// Limits of formats, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/** Maximum number of samples that are read to distinguish a mutex profile from a block profile. */
export const locksAskedMax = 256;

/**
 * Largest content of an LZ4 frame in a pushed file. It is decoded on the main thread, which takes
 * 40 ms at this size.
 */
export const lz4HereBytesMax = 16 * mebi;
/**
 * Maximum length of an export as text. The text is in memory twice, and V8's longest string has 512
 * Mi characters.
 */
export const exportTextLengthMax = 256 * mebi;
/**
 * Maximum number of frames and labels of all samples, per byte of a JFR recording. A recording has
 * each stack only once, and its samples refer to it, so a small recording can expand to many
 * frames. Recordings of real programs have up to 2.
 */
export const jfrFramesPerByteMax = 8;
/**
 * Maximum number of rows of a recording that are compared in one look-up. Real recordings need
 * about ten. Without a limit, a malicious recording would take hours.
 */
export const jfrProbesMax = 1_000;
/**
 * Frames in all samples of a profile that is sent with an earlier profile (`prev_profile`). The
 * comparison holds each stack as a key. Heap profiles of Go have about 100,000 frames.
 */
export const earlierFramesMax = 4_194_304;
/** Frames and labels that a JFR recording of any size may expand to. */
export const jfrFramesMin = 262_144;
