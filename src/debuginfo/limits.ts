// Limits of debuginfo, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/** Segments of a program that are loaded into memory; real programs have up to ten. */
export const elfLoadSegmentsMax = 64;
/** Characters of a build id; GNU's have 40, Go's 83 or twice that in hex. */
export const debuginfoBuildIdLengthMax = 512;
/** Characters of a hash that a client gives a file of debug information. */
export const debuginfoHashLengthMax = 512;
/** Hashes of files that were refused for one build id. */
export const debuginfoRefusedHashesMax = 16;
/** Uploads of debug information that run at the same time. */
export const debuginfoUploadsMax = 256;
/** Time after its longest time at which an upload is given up, as in Parca. */
export const debuginfoUploadGraceMillis = 120_000;
/** Files that are fetched from debuginfod servers at once. */
export const debuginfodFetchesMax = 2;
/**
 * Build ids that wait to be looked for at debuginfod servers; when the queue is full, more are
 * skipped.
 */
export const debuginfodWaitingMax = 10_000;
/** Build ids that are looked for at debuginfod servers while agents wait for a decision. */
export const debuginfodAsksMax = 64;
/** Longest time that one debuginfod server keeps an agent waiting for a decision. */
export const debuginfodAskMillisMax = 3_000;
/** Time until a build id that no debuginfod server had is requested again. */
export const debuginfodMissMillis = 600_000;
/** Time until a debuginfod server that did not answer is tried again. */
export const debuginfodOutageMillis = 60_000;
/** Longest such time after many failures in a row, each of which doubles it. */
export const debuginfodOutageMillisMax = 3_600_000;
/** Redirects of a debuginfod server to itself. */
export const debuginfodRedirectsMax = 2;
/** Time between two checks of the limits of the folder of debug information. */
export const debuginfoLimitsMillis = 600_000;
/** Time after its last use in which the only file of a build id is not removed for its size. */
export const debuginfoKeptMillis = 86_400_000;
/**
 * Estimate of the time to sync and inspect an uploaded file, before a caller has been measured.
 */
export const debuginfoInspectMillis = 10;
/** Estimate of the time to write a byte of an upload, before a caller has been measured. */
export const debuginfoAppendByteMillis = 5 / mebi;
/** Estimate of the time for a byte of an archive or map, before a caller has been measured. */
export const debuginfoReadByteMillis = 1_000 / mebi;
/** Archives of sources and source maps that wait to be read, one by one. */
export const debuginfoReadsWaitingMax = 16;
/** Source files of debuginfod servers in memory, and answers without one. */
export const debuginfodSourcesBytesMax = 32 * mebi;
/** Longest time of one source file from one debuginfod server: a person waits. 20 seconds. */
export const debuginfodSourceMillisMax = 20_000;
