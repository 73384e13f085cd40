// Limits that several folders share, each with its value, its unit and its reason. Limits of a
// single folder are in its limits.ts; input-limits.ts has the limits with flags on data from
// clients and targets.

const mebi = 1024 * 1024;

/** Maximum size of one gRPC message or HTTP body, compressed or not; Parca has the same limit. */
export const messageBytesMax = 64 * mebi;
/** Sample types of one profile; Go's heap profile has 4. */
export const valueTypesMax = 32;

/**
 * Largest sum of the values of one type in one profile, 146 years of nanoseconds; the sum of two
 * such profiles still fits int64.
 */
export const profileTotalMax = 2n ** 62n;
/** Minimum size at which a head is cut if memory is scarce; an empty head has 9 KB. */
export const headBytesMin = 65_536;
/**
 * Smallest memory for heads. A head is cut at a quarter of it, which must be at least the smallest
 * head.
 */
export const storageActiveMemoryBytesMin = 4 * headBytesMin;
/** Longest time for which background work may block the event loop. */
export const backgroundSliceMillis = 3;
/** Time that slices of all tasks together may take in one turn of the event loop. */
export const turnSlicesMillis = 10;
/**
 * Waiting slices that run in one turn of the event loop; many slices take far less than a
 * millisecond.
 */
export const slicesPerTurnMax = 50;
/** Values and characters up to which JSON is written in one step, in a tenth of a millisecond. */
export const jsonSmallNodes = 500;
export const jsonSmallLength = 65_536;
/** Characters of longer JSON that are written between two checks of the clock. */
export const jsonPieceLength = 32_768;
/** Silence of the main thread after which another thread answers a probe in its place. */
export const mainThreadAnswerMillis = 40;
/** Time without a response of the main thread after which the server is reported as not ready. */
export const mainThreadSilenceMillisMax = 3_000;
/** Time between two pings of the main thread, with --ready-address. */
export const mainThreadPingMillis = 1_000;
/** CPU time from which a turn of the event loop is counted. */
export const shortTurnMillis = 10;
/**
 * CPU time from which a turn is logged with its calls and jobs, because other requests had to wait.
 */
export const longTurnMillis = 200;
/**
 * Time between two such log lines; a turn that is longer than the last logged turn is logged
 * earlier.
 */
export const longTurnLogMillis = 1_000;
/** Latest calls and jobs that such a log line names. */
export const longTurnWorkMax = 8;
/** Free bytes of the disk below which writes are refused. */
export const freeDiskBytesMin = 1024 * mebi;
/**
 * Maximum size of the encoded writes that wait for the disk; without a limit, a slow disk would
 * fill the memory.
 */
export const walPendingBytesMax = 256 * mebi;
/**
 * Smallest amount of memory that the users of the server's memory may share; the program and its
 * threads take 150 MB more.
 */
export const memoryLimitBytesMin = 64 * mebi;
/** Concurrent imports of text files in threads, one for each caller. */
export const importsRunningMax = 2;
/** Maximum number of imports that may wait. */
export const importsWaitingMax = 64;
/** Memory used by waiting imports of text files. */
export const importsWaitingBytesMax = 128 * mebi;
/**
 * Size up to which imported files share a thread, which reads them one after another; a file of
 * this size takes 0.1 s.
 */
export const smallImportBytesMax = 256 * 1024;
/** Small files that wait for that thread. */
export const smallImportsWaitingMax = 256;
/** Rule files that wait to be read, and the usual time for one file. */
export const rulesTextsWaitingMax = 64;
export const rulesTextMillis = 20;
/** JavaScript heap of the thread that reads rule files. */
export const rulesHeapBytesMax = 256 * mebi;
/** Pictures of alerts that wait to be drawn, and the usual time for one picture. */
export const picturesWaitingMax = 64;
export const pictureMillis = 500;
/** Graph that is drawn; frames narrower than a pixel are left out of it before. */
export const pictureAnswerBytesMax = 8 * mebi;
/** JavaScript heap of the thread that draws pictures. */
export const pictureHeapBytesMax = 256 * mebi;
/**
 * Time without a request after which the thread for rule files, for small files, or for pictures
 * ends.
 */
export const importThreadIdleMillis = 60_000;
/**
 * Estimated time per byte of a text file, until a caller has been measured: half a second per MiB.
 */
export const importByteMillis = 500 / mebi;
/** Time between two checks for an idle main thread. */
export const mainIdleMillis = 5_000;
/** Share of a core below which the main thread counts as idle; profiling itself takes 2 percent. */
export const mainIdleCpuMax = 0.05;
/**
 * Growth of the objects and arrays of the main thread, in bytes, after which an idle main thread
 * releases memory.
 */
export const mainIdleBytesMax = 16 * mebi;
/** Largest heap that is collected when idle: 100 MiB of live objects take 0.1 s. */
export const mainIdleHeapBytesMax = 256 * mebi;
/**
 * Size on the wire up to which the main thread decodes a write itself if there is only one ingest
 * worker, because a worker takes 50 % more CPU time.
 */
export const decodeHereSentBytesMax = 128 * 1024;
/** Maximum size of such a write after decompression, which takes 2 ms. */
export const decodeHereBytesMax = 384 * 1024;
/** Largest estimate of the time to intern the rows of such a write, if all rows are new. */
export const decodeHereMillisMax = 10;
/** Ingest workers; more workers than cores would not help. */
export const ingestWorkersMax = 64;
/** Bytes in memory while an object is copied to or from a disk. */
export const objectCopyBytes = mebi;
/** Smallest read of an object, because a request costs as much as a few hundred KiB. */
export const objectPageBytes = 256 * 1024;
/** Pages of one read that are requested together. */
export const objectPagesPerRequestMax = 16;
/**
 * Maximum number of bytes of a block that a query server reads in one call: the pages of one
 * request.
 */
export const servedReadBytesMax = objectPageBytes * objectPagesPerRequestMax;
/**
 * Longest time of one call from a query server to a live server; a dead server delays one query by
 * this much.
 */
export const liveCallMillisMax = 5_000;
/** Largest answer of such a call: a list of a million blocks, or bytes of the log. */
export const partsAnswerBytesMax = 64 * mebi;
/** Memory for rows of profiles (`--storage-active-memory`); writes above it are refused. */
export const storageActiveMemoryBytesMax = 4096 * mebi;
/**
 * Time by which the first removal by retention after a start is delayed; a log line announces the
 * removal before it.
 */
export const retentionNoticeMillis = 60_000;
/** Time between two checks for a jump of the wall clock. */
export const clockLookMillis = 10_000;
/** Smallest jump of the wall clock between two checks that is logged; slewing is slower. */
export const clockJumpMillisMin = 2_000;
/**
 * Maximum number of consecutive zstd frames in one body. `pzstd` writes one for every few
 * megabytes; many tiny frames would each need a decompressor.
 */
export const zstdFramesMax = 1_024;
/** Maximum length of a query text in UTF-16 units. */
export const queryTextLengthMax = 32_768;
/** Steps in the program of a regular expression; (a{1000}){1000} would have a million. */
export const patternSizeMax = 1_500;
/**
 * Concurrent queries (`--query-concurrency`); each uses memory, and all of them share two workers.
 */
export const queriesRunningMax = 8;
/**
 * Longest time for which a query blocks the event loop; a push takes several turns, and may wait
 * this long before each.
 */
export const querySliceMillis = 3;
/** Memory that is sent to the report thread before it collects garbage. */
export const reportGarbageBytesMax = 16 * mebi;
/**
 * Functions in one list of changes; nobody reads a longer list, and each function takes half a
 * kilobyte.
 */
export const changesMax = 10_000;
/** Services and versions in an answer about the users of functions; each has a line over time. */
export const usersMax = 1_000;
/**
 * Longest time between two profiles of a counter for which there is an increase. Profiles of the
 * hour before a range are read for its first increase.
 */
export const increaseGapNanosMax = 3_600_000_000_000;
/** Maximum number of bytes of all shared profiles (`--share-retention-size`). */
export const shareBytesInAllMax = 1_024 * mebi;
/**
 * Maximum size of a file that Profiles Drilldown uploads, number of such files, their total size,
 * and the time for which they are kept.
 */
export const adHocBytesMax = 16 * mebi;
export const adHocBytesInAllMax = 256 * mebi;
export const adHocAgeMillisMax = 30 * 86_400_000;
/** Maximum number of such files that are read concurrently, and number of files that may wait. */
export const adHocThreadsMax = 1;
/** Connections of the server's port. */
export const connectionsMax = 10_000;
/**
 * Connections from one address; one client must not take all connections, but a proxy may have many
 * users.
 */
export const connectionsPerAddressMax = 5_000;
/** Maximum number of bytes of all requests that are in memory, enough for four of the largest. */
export const requestBytesInFlightMax = 256 * mebi;
/**
 * Maximum number of bytes of the requests of one connection, which may be a proxy with many users.
 */
export const connectionBytesInFlightMax = 128 * mebi;
/**
 * Maximum number of bytes of answers that clients have not read yet, enough for several of the
 * largest reports.
 */
export const unreadAnswersBytesMax = 256 * mebi;
/**
 * Time after which a caller may retry a request that was refused for lack of memory, in
 * milliseconds.
 */
export const busyRetryMillis = 1_000;
/** JavaScript heap of an import thread; 1,700,000 different lines need this much. */
export const importHeapBytesMax = 1024 * mebi;
/** JavaScript heap of a thread that merges profiles, encodes them or reads symbols. */
export const workerHeapBytesMax = 1024 * mebi;
/**
 * Longest duration of a shutdown; Kubernetes and other systems kill a process that takes longer.
 */
export const shutdownMillisMax = 30_000;
/**
 * Share of the disk, or of the total limit, that debug information may take by default. A single
 * busy development host uploads 700 MB in an hour.
 */
export const debuginfoDiskShareMax = 0.2;
/** Default size of all debug information on a large disk. */
export const debuginfoBytesMax = 20 * 1024 * mebi;
/**
 * Free disk space that an upload of debug information must leave, because profiles have priority.
 */
export const debuginfoFreeDiskBytesMin = 2048 * mebi;
/**
 * Maximum size of a source file; larger files are left out. The page shows 50,000 lines, which take
 * about 2 MiB.
 */
export const sourceFileBytesMax = 8 * mebi;
/**
 * Longest time that an answer waits for function names, unless a flag or the request changes it.
 */
export const symbolizerWaitMillis = 2_000;
/** Longest time that the flag or the request may set. */
export const symbolizerWaitMillisMax = 60_000;
/** Time between two checks for a program that was not built when the server started. */
export const nativeProgramCheckMillis = 60_000;
/** Memory used by one run of the symbolizer, without the file, which is mapped; set by a flag. */
export const symbolizerMemoryBytesMax = 360 * mebi;
/** Smallest value of that flag. */
export const symbolizerMemoryBytesMin = 16 * mebi;
/** CPU time of one run of the symbolizer, set by a flag; a GiB of DWARF takes 5 to 16 seconds. */
export const symbolizerCpuSecondsMax = 10;
/** Objects and lists in the answer to a login; the catalogs of clouds have a few hundred. */
export const loginObjectsMax = 10_000;
