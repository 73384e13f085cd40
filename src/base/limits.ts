// Limits that several rooms share, each with its value, its unit and its reason. A room's own
// limits are in its limits.ts; input-limits.ts has those of data from clients and targets, each
// with a flag.

const mebi = 1024 * 1024;

/** One gRPC message or HTTP body, compressed or not; Parca's own limit. */
export const messageBytesMax = 64 * mebi;
/** Sample types of one profile; Go heap has 4. */
export const valueTypesMax = 32;

/**
 * Largest sum of the values of one type in one profile, 146 years of nanoseconds: two such profiles
 * still have a sum in int64.
 */
export const profileTotalMax = 2n ** 62n;
/** Smallest head that is cut for its size, where memory is scarce; an empty one has 9 KB. */
export const headBytesMin = 65_536;
/**
 * Least memory for heads. A head is cut at a quarter of it, which must not be less than the
 * smallest head.
 */
export const storageActiveMemoryBytesMin = 4 * headBytesMin;
/** Longest time for which background work holds the event loop. */
export const backgroundSliceMillis = 3;
/** Time of one turn of the event loop that slices of all tasks may take. */
export const turnSlicesMillis = 10;
/** Values and characters of JSON up to which it is written at once, in a tenth of a millisecond. */
export const jsonSmallNodes = 500;
export const jsonSmallLength = 65_536;
/** Characters of a piece of longer JSON, after which the clock is checked. */
export const jsonPieceLength = 32_768;
/** Silence of the main thread after which a probe is answered without it. */
export const mainThreadAnswerMillis = 40;
/** Silence of the main thread from which the server is not ready. */
export const mainThreadSilenceMillisMax = 3_000;
/** Time between two questions to the main thread, with --ready-address. */
export const mainThreadPingMillis = 1_000;
/** CPU time from which a turn of the event loop is counted. */
export const shortTurnMillis = 10;
/** CPU time from which a turn is logged with its calls and jobs: others had to wait. */
export const longTurnMillis = 200;
/** Time between two such lines; a longer turn is logged sooner. */
export const longTurnLogMillis = 1_000;
/** Calls and jobs in such a line, the latest ones. */
export const longTurnWorkMax = 8;
/** Free bytes of the disk below which writes are refused. */
export const freeDiskBytesMin = 1024 * mebi;
/** Encoded writes that wait for the disk; without it, a slow disk would fill the memory. */
export const walPendingBytesMax = 256 * mebi;
/** Least memory that the server's users may share: the program and its threads take 150 MB more. */
export const memoryLimitBytesMin = 64 * mebi;
/** Imports of text files in threads at the same time: one for each caller. */
export const importsRunningMax = 2;
/** Imports that wait. */
export const importsWaitingMax = 64;
/** Memory of waiting imports of text files. */
export const importsWaitingBytesMax = 128 * mebi;
/**
 * Estimate of the time for a byte of a text file, before a caller has been measured: half a second
 * for a MiB.
 */
export const importByteMillis = 500 / mebi;
/** Time between two looks whether the main thread has nothing to do. */
export const mainIdleMillis = 5_000;
/** Share of a core below which the main thread counts as idle; its own profiles take 2 percent. */
export const mainIdleCpuMax = 0.05;
/** Bytes that its objects and arrays must have gained before it then gives memory back. */
export const mainIdleBytesMax = 16 * mebi;
/** Largest heap that is collected when idle: 100 MiB of live objects take 0.1 s. */
export const mainIdleHeapBytesMax = 256 * mebi;
/**
 * Bytes, as sent, of a write that the main thread decodes itself if there is one ingest worker,
 * since a worker takes half as much CPU again.
 */
export const decodeHereSentBytesMax = 128 * 1024;
/** Bytes of such a write after decompression, which takes 2 ms. */
export const decodeHereBytesMax = 384 * 1024;
/** Time to intern the rows of such a write if all are new, estimated from their number. */
export const decodeHereMillisMax = 10;
/** Ingest workers: more than there are cores would not help. */
export const ingestWorkersMax = 64;
/** Bytes in memory while an object is copied to or from a disk. */
export const objectCopyBytes = mebi;
/** Smallest read of an object: a request costs as much as a few hundred KiB. */
export const objectPageBytes = 256 * 1024;
/** Pages of one read that are requested together. */
export const objectPagesPerRequestMax = 16;
/** Bytes of a block that a query server reads at once: the pages of one request. */
export const servedReadBytesMax = objectPageBytes * objectPagesPerRequestMax;
/** Longest time of one call of a query server to a live one; a dead one holds up one question. */
export const liveCallMillisMax = 5_000;
/** Largest answer of such a call: a list of a million blocks, or bytes of the log. */
export const partsAnswerBytesMax = 64 * mebi;
/** Rows of profiles in memory (`--storage-active-memory`); writes past it are refused. */
export const storageActiveMemoryBytesMax = 4096 * mebi;
/** Time from the log line on the first removal of retention after a start to that removal. */
export const retentionNoticeMillis = 60_000;
/** Time between two checks for a jump of the wall clock. */
export const clockLookMillis = 10_000;
/** Smallest jump of the wall clock between two checks that is logged; slewing is slower. */
export const clockJumpMillisMin = 2_000;
/**
 * Most zstd frames one after the other in one body. `pzstd` writes one for some megabytes; many
 * tiny ones would take a decompressor each.
 */
export const zstdFramesMax = 1_024;
/** Length of a query text in UTF-16 units. */
export const queryTextLengthMax = 32_768;
/** Steps of a regular expression's program: (a{1000}){1000} would have a million. */
export const patternSizeMax = 1_500;
/**
 * Queries that run at once (`--query-concurrency`): each holds memory, and they share two workers.
 */
export const queriesRunningMax = 8;
/** Longest time for which a query holds the event loop: a write takes several turns of it. */
export const querySliceMillis = 3;
/** Memory that the report thread is sent before it collects garbage. */
export const reportGarbageBytesMax = 16 * mebi;
/**
 * Functions named in one list of changes; longer lists have no readers, and each function takes
 * half a kilobyte.
 */
export const changesMax = 10_000;
/**
 * Longest time from one profile of a counter to the next that still gives an increase: an hour.
 * Profiles of the hour before a range are read for its first increase.
 */
export const increaseGapNanosMax = 3_600_000_000_000;
/** Bytes of all shared profiles (`--share-retention-size`). */
export const shareBytesInAllMax = 1_024 * mebi;
/**
 * A file that Profiles Drilldown uploads, and how many of them, in all and for how long are kept.
 */
export const adHocBytesMax = 16 * mebi;
export const adHocBytesInAllMax = 256 * mebi;
export const adHocAgeMillisMax = 30 * 86_400_000;
/** Files that Profiles Drilldown uploads and that are read at once, and that wait for it. */
export const adHocThreadsMax = 1;
/** Connections of the one port. */
export const connectionsMax = 10_000;
/**
 * Connections from one address: one client must not take all of them, but a proxy may have many
 * callers.
 */
export const connectionsPerAddressMax = 5_000;
/** Bytes of requests in memory at once over all connections: four of the largest. */
export const requestBytesInFlightMax = 256 * mebi;
/** Bytes for one connection, which may be that of a proxy with many callers. */
export const connectionBytesInFlightMax = 128 * mebi;
/** Bytes of answers that wait for their callers to read them: several of the largest reports. */
export const unreadAnswersBytesMax = 256 * mebi;
/** Time after which a caller may repeat a request that found no free memory, in milliseconds. */
export const busyRetryMillis = 1_000;
/** Objects of that thread; 1,700,000 different lines take as much. */
export const importHeapBytesMax = 1024 * mebi;
/** JavaScript objects of a thread that merges profiles, encodes them or reads symbols. */
export const workerHeapBytesMax = 1024 * mebi;
/** Longest time of a stop: Kubernetes and others kill a process that takes longer. */
export const shutdownMillisMax = 30_000;
/**
 * Share of the disk, or of the total limit, that debug information takes by default. One busy
 * development host uploads 700 MB in an hour.
 */
export const debuginfoDiskShareMax = 0.2;
/** Bytes of debug information by default, on a large disk. */
export const debuginfoBytesMax = 20 * 1024 * mebi;
/** Free disk that an upload of debug information leaves: profiles come first. */
export const debuginfoFreeDiskBytesMin = 2048 * mebi;
/** A source file: larger members are left out. The page shows 50,000 lines, which have some 2 MiB. */
export const sourceFileBytesMax = 8 * mebi;
/** Longest time that an answer waits for names, unless a flag or the request changes it. */
export const symbolizerWaitMillis = 2_000;
/** Longest time that the flag or the request may set. */
export const symbolizerWaitMillisMax = 60_000;
/** Time between two looks for a program that was not built when the server started. */
export const nativeProgramCheckMillis = 60_000;
/** Memory of one run of the symbolizer, without the file, which is mapped; a flag changes it. */
export const symbolizerMemoryBytesMax = 360 * mebi;
/** Least value of that flag. */
export const symbolizerMemoryBytesMin = 16 * mebi;
/** CPU time of one run of the symbolizer, as above; a GiB of DWARF takes 5 to 16 seconds. */
export const symbolizerCpuSecondsMax = 10;
/** Objects and lists in the answer to a login; catalogs of clouds have some hundred. */
export const loginObjectsMax = 10_000;
