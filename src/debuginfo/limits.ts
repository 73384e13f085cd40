// Limits of debuginfo, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/** Segments of a program that are loaded into memory; real programs have up to ten. */
export const elfLoadSegmentsMax = 64;
/** Characters of a build id; GNU build ids have 40, Go's have 83, or twice that in hexadecimal. */
export const debuginfoBuildIdLengthMax = 512;
/** Characters of a hash that a client gives a file of debug information. */
export const debuginfoHashLengthMax = 512;
/** Hashes of files that were refused for one build id. */
export const debuginfoRefusedHashesMax = 16;
/** Uploads of debug information that run at the same time. */
export const debuginfoUploadsMax = 256;
/** Time after its deadline at which an upload is abandoned, as in Parca. */
export const debuginfoUploadGraceMillis = 120_000;
/** Files that are fetched from debuginfod servers concurrently. */
export const debuginfodFetchesMax = 2;
/**
 * Build ids that wait to be searched for at debuginfod servers; if the queue is full, other build
 * ids are skipped.
 */
export const debuginfodWaitingMax = 10_000;
/** Build ids that are searched for at debuginfod servers while agents wait for a decision. */
export const debuginfodAsksMax = 64;
/** Longest time that an agent waits for one debuginfod server. */
export const debuginfodAskMillisMax = 3_000;
/** Time until a build id that no debuginfod server had is searched for again. */
export const debuginfodMissMillis = 600_000;
/** Time until a debuginfod server that did not answer is tried again. */
export const debuginfodOutageMillis = 60_000;
/** Longest such time after several failures, each of which doubles it. */
export const debuginfodOutageMillisMax = 3_600_000;
/** Redirects of a debuginfod server to itself. */
export const debuginfodRedirectsMax = 2;
/** Time between two checks of the limits of the folder of debug information. */
export const debuginfoLimitsMillis = 600_000;
/** Time after its last use in which the only file of a build id is not removed to save space. */
export const debuginfoKeptMillis = 86_400_000;
/** Estimated time to sync and inspect an uploaded file, until a caller has been measured. */
export const debuginfoInspectMillis = 10;
/** Estimated time to write a byte of an upload, until a caller has been measured. */
export const debuginfoAppendByteMillis = 5 / mebi;
/** Estimated time per byte of an archive or map, until the time of a caller has been measured. */
export const debuginfoReadByteMillis = 1_000 / mebi;
/** Archives of sources and source maps that may wait to be read, one at a time. */
export const debuginfoReadsWaitingMax = 16;
/** Memory for source files from debuginfod servers, and for answers without one. */
export const debuginfodSourcesBytesMax = 32 * mebi;
/** Longest time for one source file from one debuginfod server, because a person is waiting. */
export const debuginfodSourceMillisMax = 20_000;
