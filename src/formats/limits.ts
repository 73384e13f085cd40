// Limits of formats, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/** Samples whose functions distinguish a profile of mutexes from one of blocking. */
export const locksAskedMax = 256;

/** Content of an LZ4 frame in a pushed file: 40 ms of the main thread. */
export const lz4HereBytesMax = 16 * mebi;
/** Characters of an export as text; V8's strings end at 512 Mi, and it is in memory twice. */
export const exportTextLengthMax = 256 * mebi;
/**
 * Frames and labels of the samples that a JFR recording becomes, for each of its bytes: it has each
 * stack once, and its samples refer to it. Recordings of real programs have up to 2.
 */
export const jfrFramesPerByteMax = 8;
/**
 * Rows of a recording that are compared for one look-up. Real recordings need some ten; a malicious
 * one would take hours.
 */
export const jfrProbesMax = 1_000;
/** Frames and labels that every JFR recording may become. */
export const jfrFramesMin = 262_144;
