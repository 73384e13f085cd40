// Limits of debuginfo, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/** Segments of a program that are loaded into memory; real programs have at most ten. */
export const elfLoadSegmentsMax = 64;
/** Characters of a build id; GNU build ids have 40, Go's have 83, or twice that in hexadecimal. */
export const debuginfoBuildIdLengthMax = 512;
/** Characters of the hash that a client sends with a file of debug information. */
export const debuginfoHashLengthMax = 512;
/** Hashes of refused files that are kept for one build id. */
export const debuginfoRefusedHashesMax = 16;
/** Uploads of debug information that run at the same time. */
export const debuginfoUploadsMax = 256;
/** Milliseconds after its deadline at which an upload is abandoned, as in Parca. */
export const debuginfoUploadGraceMillis = 120_000;
/** Files that are fetched from debuginfod servers at the same time. */
export const debuginfodFetchesMax = 2;
/**
 * Build ids that wait for a search on debuginfod servers. If the queue is full, further build ids
 * are skipped.
 */
export const debuginfodWaitingMax = 10_000;
/**
 * Build ids for which debuginfod servers are asked at the same time, while agents wait for a
 * decision.
 */
export const debuginfodAsksMax = 64;
/** Milliseconds for which an agent waits for one debuginfod server. */
export const debuginfodAskMillisMax = 3_000;
/** Milliseconds after which a build id that no debuginfod server had is searched for again. */
export const debuginfodMissMillis = 600_000;
/** Milliseconds after which a debuginfod server that failed is tried again. */
export const debuginfodOutageMillis = 60_000;
/**
 * Maximum number of milliseconds after which a failed server is tried again; each failure doubles
 * the time.
 */
export const debuginfodOutageMillisMax = 3_600_000;
/** Redirects of a debuginfod server to itself that one request follows. */
export const debuginfodRedirectsMax = 2;
/** Milliseconds between two checks of the limits of the debug information folder. */
export const debuginfoLimitsMillis = 600_000;
/**
 * Milliseconds after its last use in which the only file of a build id is not removed to save
 * space.
 */
export const debuginfoKeptMillis = 86_400_000;
/**
 * Estimated milliseconds to sync and inspect an uploaded file, used until a caller has been
 * measured.
 */
export const debuginfoInspectMillis = 10;
/** Estimated milliseconds to write a byte of an upload, used until a caller has been measured. */
export const debuginfoAppendByteMillis = 5 / mebi;
/** Estimated milliseconds per byte of an archive or map, used until a caller has been measured. */
export const debuginfoReadByteMillis = 1_000 / mebi;
/** Archives of sources and source maps that may wait to be read, one at a time. */
export const debuginfoReadsWaitingMax = 16;
/**
 * Maximum number of bytes of memory for source files from debuginfod servers, and for the answer
 * that a server has no source.
 */
export const debuginfodSourcesBytesMax = 32 * mebi;
/** Milliseconds for one source file from one debuginfod server; a person is waiting for it. */
export const debuginfodSourceMillisMax = 20_000;
