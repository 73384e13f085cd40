// Every limit of the server in one place: its value, its unit and its reason. input-limits.ts has
// the limits of data from clients and targets, each with a flag.

const mebi = 1024 * 1024;

/** One gRPC message or HTTP body, compressed or not; Parca's own limit. */
export const messageBytesMax = 64 * mebi;
/** A request that is decoded to objects: queries have up to 64 KB of text. */
export const decodedRequestBytesMax = mebi;
/**
 * Objects and lists of a JSON body of the gateway, which the main thread makes messages of: 900,000
 * took 0.7 s of it. A push of 10,000 series with 12 labels has about 150,000.
 */
export const gatewayObjectsMax = 200_000;
/** Sample types of one profile; Go heap has 4. */
export const valueTypesMax = 32;

/**
 * Largest sum of the values of one type in one profile, 146 years of nanoseconds: two such profiles
 * still have a sum in int64.
 */
export const profileTotalMax = 2n ** 62n;

/** Samples whose functions tell a profile of mutexes from one of blocking. */
export const locksAskedMax = 256;
/** A page that lists the profiles of a target; Go's has 6 KB. */
export const scrapeIndexBytesMax = mebi;
/** Requests that wait while the files of the page are read: all are answered in one turn. */
export const uiFilesWaitingMax = 100;
/** Results of failed scrapes that wait for the store, 300 bytes each; more are left out, ... */
export const failedScrapesWaitingMax = 10_000;
/** ...and those that one write has. */
export const failedScrapesWrittenMax = 500;
/** Bodies of scrapes that are not stored yet, of all targets; past it scrapes fail. */
export const scrapeBodiesBytesMax = 256 * mebi;
/** Relabeling that a caller tests: its rules, ... */
export const relabelTestRulesMax = 200;
/** ...steps of their expressions times characters of labels, which take a third of a second, ... */
export const relabelTestCostMax = 30_000_000;
/** ...characters of the labels after each rule, all of which are answered, ... */
export const relabelTestLabelsMax = 4_194_304;
/** ...bytes of the request, ... */
export const relabelTestBytesMax = 65_536;
/** ...and characters of the rules, which take a tenth of a second to read. */
export const relabelTestTextMax = 16_384;
/** Characters of a label that relabeling makes; the labels of a target are shorter by far. */
export const relabelValueCharactersMax = 65_536;
/** Scrapes of a target that the targets page shows. */
export const recentScrapesMax = 20;
/** Bytes of one WAL record; a profile of 4,000,000 rows with new symbols fits. */
export const walRecordBytesMax = 512 * mebi;
/** Size at which a WAL segment is closed. */
export const walSegmentBytesMax = 128 * mebi;
/** Longest time until a write is on the disk with --storage-durability=interval. */
export const walSyncMillis = 1_000;
/** Memory of rows and symbols at which a head is cut into blocks: a server stays small. */
export const headBytesMax = 64 * mebi;
/** Share of a head in the next one from which each write is slowed down during a cut. */
export const nextHeadShareSlow = 0.25;
/** Longest such delay: a cut takes a second of a core, which waiting writers leave to the cut. */
export const slowWriteMillis = 200;
/** Share of a head in the next one from which writes wait for the cut. */
export const nextHeadShareMax = 0.5;
/** Longest wait of a write for a cut; then the limit of memory decides. */
export const cutWaitMillisMax = 30_000;
/** Smallest head that is cut for its size, where memory is scarce; an empty one has 9 KB. */
export const headBytesMin = 65_536;
/** Least memory for heads. A head is cut at a quarter of it: with less, the smallest head is more. */
export const storageActiveMemoryBytesMin = 4 * headBytesMin;
/** Wait between the end of two hours and the cut of their head, 3 minutes: profiles come late. */
export const headGraceMillis = 180_000;
/** Windows of two hours for which a cut makes a block; the rest goes into one more. */
export const cutWindowsMax = 16;
/** Rows of a chunk that a cut writes: encoding it takes about as long as a slice. */
export const cutChunkRowsMax = 8_192;
/** Rows of a chunk from which on a cut has it encoded in a thread, which takes 0.1 s to start. */
export const chunkRowsAtOnce = 2 * cutChunkRowsMax;
/** Waits between attempts to cut a head: the disk may be full for long. */
export const cutRetryMillisMin = 1_000;
export const cutRetryMillisMax = 30_000;
/** Time that a stopping server takes to cut its head; after that the log keeps the profiles. */
export const closingCutMillisMax = 15_000;
/** Longest time that background work holds the event loop at once. */
export const backgroundSliceMillis = 3;
/** Time of one turn of the event loop that slices of all tasks may take. */
export const turnSlicesMillis = 10;
/** Values and characters of JSON up to which it is written at once, in a tenth of a millisecond, ... */
export const jsonSmallNodes = 500;
export const jsonSmallLength = 65_536;
/** ...and characters of a piece of longer JSON, after which the clock is looked at. */
export const jsonPieceLength = 32_768;
/** Bytes of a message that is turned into JSON at once. */
export const jsonMessageBytesMax = 65_536;
/** Time after which an answer that nobody reads no longer holds up other answers, in milliseconds. */
export const answerStallMillis = 250;
/** Bytes of messages that wait to be written as JSON, one at a time. */
export const jsonWaitingBytesMax = 64 * mebi;
/** Silence of the main thread after which a probe is answered without it, ... */
export const mainThreadAnswerMillis = 40;
/** ...and from which the server is not ready; ... */
export const mainThreadSilenceMillisMax = 3_000;
/** ...and the time between two questions to it, with --ready-address. */
export const mainThreadPingMillis = 1_000;
/** CPU time from which a turn of the event loop is counted... */
export const shortTurnMillis = 10;
/** ...and from which it is logged with the calls and jobs of that time: others have waited, ... */
export const longTurnMillis = 200;
/** ...unless a shorter time than this has passed since the last line, and a longer turn, ... */
export const longTurnLogMillis = 1_000;
/** ...and the number of calls and jobs in it, the latest ones. */
export const longTurnWorkMax = 8;
/** Writes are refused when less of the disk is free, in bytes or as a share of it... */
export const freeDiskBytesMin = 1024 * mebi;
export const freeDiskShareMin = 0.02;
/** ...which is measured so often. */
export const freeDiskCheckMillis = 5_000;
/**
 * Size of a file that is kept for work that makes room on a full disk: cut, compaction, deletion.
 */
export const diskReserveBytes = 64 * mebi;
/** Encoded writes that wait for the disk; past it a slow disk would fill the memory instead. */
export const walPendingBytesMax = 256 * mebi;
/** Uploads that ingest workers have or wait for (`--ingest-workers`): as many as in flight. */
export const decodePendingBytesMax = 256 * mebi;
/** Least memory that the server's users may share: the program and its threads take 150 MB more. */
export const memoryLimitBytesMin = 64 * mebi;
/** Callers of which is known what they pushed. */
export const callersCountedMax = 1_000;
/** Callers that metrics name; the others are one. */
export const callersNamedMax = 100;
/** Largest limit of queries of one caller. */
export const queriesAtOnceMax = 1_000;
/** Largest limit of active series in caller_limits: more than a server can hold. */
export const activeSeriesOfCallerMax = 1_000_000_000;
/** Rows of caller_limits in a web config file. */
export const callerLimitsMax = 1_000;
/** Writes that wait for their turn at an ingest worker. */
export const writesWaitingMax = 4_096;
/** Time of a byte of an upload, about, until a caller's own were measured: 20 ms for a MiB. */
export const decodeByteMillis = 20 / mebi;
/** Imports of texts in threads at once: one caller has one of them. */
export const importsRunningMax = 2;
/** Imports that wait. */
export const importsWaitingMax = 64;
/** Memory for the texts of imports that wait. */
export const importsWaitingBytesMax = 128 * mebi;
/** Time of a byte of a text, about, until a caller's own were measured: half a second for a MiB. */
export const importByteMillis = 500 / mebi;
/** Memory of an ingest worker for one upload; a larger one gets a buffer of its own. */
export const decodeSlotBytes = 128 * 1024;
/** Uploads for which an ingest worker has such memory: 8 MiB, used as needed. */
export const decodeSlotsMax = 64;
/** Symbols of an ingest worker, past which it forgets them; a head of 64 MiB has less of its own. */
export const decodedSymbolBytesMax = 32 * mebi;
/** JavaScript objects of an ingest worker, past which it ends; it has 10 MiB. */
export const ingestHeapBytesMax = 512 * mebi;
/** Memory that an ingest worker keeps for the next upload; more is released after each. */
export const ingestScratchBytesMax = 16 * mebi;
/** Time between two looks whether the main thread has nothing to do, ... */
export const mainIdleMillis = 5_000;
/** ...which is true if it takes less than this part of a core; its own profiles take 2 percent. */
export const mainIdleCpuMax = 0.05;
/** Bytes that its objects and arrays must have gained before it then gives memory back. */
export const mainIdleBytesMax = 16 * mebi;
/** Largest heap that is collected so: 100 MiB of live objects take 0.1 s. */
export const mainIdleHeapBytesMax = 256 * mebi;
/** Time after which an ingest worker without uploads gives its memory back, ... */
export const ingestIdleMillis = 5_000;
/** ...if it is more than this. */
export const ingestIdleBytesMax = 4 * mebi;
/**
 * Names of labels of a profile's samples: as many as the series of a server may have. Each is an
 * entry of the head's index, made at once when the profile becomes visible; 100,000 took 0.2 s.
 */
export const sampleLabelNamesMax = 10_000;
/**
 * New symbols that an ingest worker sends in one piece, a slice of the main thread, and their rows,
 * each of which may touch new pages of an index.
 */
export const sentSymbolBytes = 128 * 1024;
export const sentSymbolRowsMax = 1_024;
/** New rows of an upload that failed, from which on they are forgotten and not sent. */
export const failedSymbolRowsMax = 4_096;
/**
 * Bytes, as sent, of a write that the main thread decodes itself where there is one ingest worker,
 * since a worker takes half as much CPU again; ...
 */
export const decodeHereSentBytesMax = 128 * 1024;
/** ...bytes after decompression, which takes 2 ms; ... */
export const decodeHereBytesMax = 384 * 1024;
/** ...and the time to intern its rows if all are new, which is estimated from their number. */
export const decodeHereMillisMax = 10;
/** Time of one turn of the event loop for such writes; the others wait for the next turn. */
export const decodeHereTurnMillis = 25;
/** Ingest workers: more than cores is of no use. */
export const ingestWorkersMax = 64;
/** Size at which a log record of new symbols is closed: a bad record loses no more. */
export const symbolRecordBytesMax = 16 * mebi;
/** Bytes that are held at once while an object is copied to or from a disk. */
export const objectCopyBytes = mebi;
/** An object larger than this is uploaded in parts of this size; each is held in memory. */
export const objectPartBytes = 16 * mebi;
/** Parts of one upload: S3's own limit, 160 GiB here. */
export const objectPartsMax = 10_000;
/** Body of an answer of an object store without an object: a page of 1,000 names, an error. */
export const objectAnswerBytesMax = 8 * mebi;
/** Smallest read of an object: a request costs as much as a few hundred KiB. */
export const objectPageBytes = 256 * 1024;
/** Pages of one read that are asked for together. */
export const objectPagesPerRequestMax = 16;
/** Requests for pages at once over all objects. */
export const objectReadsAtOnceMax = 8;
/** Pages of objects in memory; queries come back to the index and symbols of a block. */
export const objectPageMemoryBytesMax = 16 * mebi;
/** Pages that wait to be written to the cache; past it they are not cached. */
export const objectPagesPendingMax = 64;
/** Time in which reads fail at once after one that failed in spite of retries: 5 seconds. */
export const objectOutageMillis = 5_000;
/**
 * Time from the last profile of a block to its cut, from which it is shipped without compaction.
 */
export const objectShipDelayMillis = 4 * 3_600_000;
/** Age at which a block is unlikely to be compacted again, and may leave the local disk. */
export const objectSettledMillis = 48 * 3_600_000;
/** Time from one look at the bucket to the next, and the longest one after failures. */
export const objectSyncMillis = 60_000;
export const objectSyncRetryMillisMax = 900_000;
/** Longest time that a start waits for the blocks of the bucket. */
export const objectStartMillisMax = 20_000;
/** Time for which replaced objects stay in the bucket, as query servers may be reading them. */
export const objectRemoveDelayMillis = 300_000;
/** Time for which a block can be read by query servers after it left the list. */
export const servedBlockMillis = 120_000;
/** Bytes of a block that a query server reads at once: the pages of one request. */
export const servedReadBytesMax = objectPageBytes * objectPagesPerRequestMax;
/** Longest time of one call of a query server to a live one; a dead one holds up one question. */
export const liveCallMillisMax = 5_000;
/** Largest answer of such a call: a list of a million blocks, or bytes of the log. */
export const partsAnswerBytesMax = 64 * mebi;
/** Calls of query servers that read at once; each holds up to 4 MiB. */
export const partsReadsMax = 8;
/** ...that wait; one query server has some 50 at once. */
export const partsReadsWaitingMax = 256;
/** Milliseconds of such a call, about, until one was measured. */
export const partsReadMillisUsual = 2;
/** Bytes of the log in one answer to a query server. */
export const partsLogBytesMax = 4 * mebi;
/** Time between two lists of a bucket on a query server, which learns of a change in a minute. */
export const bucketListMillis = 30_000;
/** Term of the lease of a prefix, its part in which nothing is begun, and time between renewals. */
export const leaseTermMillis = 180_000;
export const leaseMarginMillis = 60_000;
export const leaseRenewMillis = 30_000;
/** Pause after a pass over the bucket that lacked the lease. */
export const leaseCheckMillis = 5_000;
/** Longest time that a stop waits to give the lease up; without that the next server waits. */
export const leaseStopMillisMax = 2_000;
/** Blocks of a bucket that are opened at once. */
export const objectOpensAtOnceMax = 8;
/** Objects of one folder; blocks of a hundred years are fewer. */
export const objectsListedMax = 200_000;
/** Number of tries of one request to an object store, and the longest time of a try. */
export const objectReadAttemptsMax = 3;
export const objectReadMillisMax = 15_000;
export const objectWriteAttemptsMax = 5;
export const objectWriteMillisMax = 120_000;
/** Cache of symbols, indexes and pages of blocks. */
export const blockCacheBytesMax = 128 * mebi;
/** Size at which a page of sections ends: one read of it, and one call of zstd, are cheap. */
export const blockPageBytes = 256 * 1024;
/** Tables of a block are cut into pieces of this size, so that no call of zstd takes long. */
export const blockPieceBytes = mebi;
/** Rows of profiles in memory (`--storage-active-memory`); writes past it are refused. */
export const storageActiveMemoryBytesMax = 4096 * mebi;
/** One segment of row memory: large enough for 1,500 usual profiles, small enough to waste. */
export const rowSegmentBytes = 4 * mebi;
/** Wait for late profiles before a window of two hours is compacted: 10 minutes. */
export const compactionWindowGraceNanos = 600_000_000_000n;
/** The same for a day: an hour for the cut of the last window's head, and for late pushes. */
export const compactionDayGraceNanos = 3_600_000_000_000n;
/** Blocks of a window that is not over are merged when there are more: each costs every query. */
export const compactionSmallBlocksMax = 8;
/** Blocks that one compaction reads: the symbols of all are in memory, some 20 MB each. */
export const compactionInputsMax = 16;
/** Pages of all inputs that a compaction keeps; it reads each about once. */
export const compactionCacheBytesMax = 64 * mebi;
/** Rows of a chunk that compaction writes: what is decoded at once, some 16 MB. */
export const compactionChunkRowsMax = 1_048_576;
/**
 * A rollup is kept when it has fewer rows than the profiles by this factor: profiles of 10 s with
 * 100 rows give 13 for an hour and 75 for six, so that both together cost less than a tenth.
 */
export const rollupRowsRatioMin = 12;
/** Free disk that a compaction needs, as a share of its input; the new block is smaller. */
export const compactionDiskShareMin = 1.2;
/** Wait after a failure in maintenance, 1 minute; each further failure doubles it. */
export const maintenanceBackoffMillisMin = 60_000;
/** Longest such wait, an hour: the disk may have been repaired. */
export const maintenanceBackoffMillisMax = 3_600_000;
/** Time in which a client may repeat a write, a day, whatever the times of its profiles. */
export const retryWindowNanos = 86_400_000_000_000n;
/** Time from the log line on the first removal of retention after a start to that removal. */
export const retentionNoticeMillis = 60_000;
/** Share of the blocks that one pass may remove by age, so that a wrong clock is noticed. */
export const retentionBlocksPerPassMax = 0.2;
/** Time between two looks at the clock that must agree: an operator may correct a slip. */
export const retentionSightingMillisMin = 600_000;
/** Time between two looks for a jump of the wall clock: ten seconds. */
export const clockLookMillis = 10_000;
/** Smallest jump of the wall clock between two looks that is logged; slewing is slower. */
export const clockJumpMillisMin = 2_000;
/** Largest change of wall clock minus monotonic clock between sightings: slewing, not jumps. */
export const retentionClockStepMillisMax = 60_000;
/** Build ids that one answer lists: a page shows no more. */
export const symbolsListedMax = 2_000;

/** Content of an LZ4 frame in a pushed file: 40 ms of the main thread. */
export const lz4HereBytesMax = 16 * mebi;
/**
 * Most frames of zstd one after the other in one body. `pzstd` writes one for some megabytes; many
 * tiny ones would take a decompressor each.
 */
export const zstdFramesMax = 1_024;

/** Time between two checks for working threads during a CPU profile. */
export const threadProfilePollMillis = 100;
/** Longest wait for a thread's profile, which is then left out: it may be in native code. */
export const threadProfileReadMillisMax = 1_000;
/** Characters of an export as text; V8's strings end at 512 Mi, and it is held a second time. */
export const exportTextLengthMax = 256 * mebi;
/** Length of a query text in UTF-16 units. */
export const queryTextLengthMax = 32_768;
/** Characters of the parts of a profile type: a query takes them with every one escaped. */
export const profileTypeLengthMax = 4_096;
/** Stages of one selector or diff; each looks at every frame that the query touches. */
export const queryStagesMax = 64;
/** Parentheses in parentheses; a query that can be answered has two. */
export const queryNestingMax = 8;
/** Words, signs and strings before a cursor; after more, completion offers nothing. */
export const completionTokensMax = 1_000;
/** Steps of a regular expression's program: (a{1000}){1000} would have a million. */
export const patternSizeMax = 1_500;
/** The same of all regular expressions of a query: each value and name may be asked all of them. */
export const queryPatternsSizeMax = 6_000;
/** Filters of one report; each looks at every frame that the query touches. */
export const filtersMax = 64;
/** Rows above which a merge runs in a worker: a round trip costs 0.2 ms, 1 M rows 1.3 ms. */
export const mergeInWorkerRowsMin = 1_000_000;
/** Merge workers: two halve the time; more would starve ingest on small machines. */
export const mergeWorkersMax = 2;
/** Merges that may wait for one worker; at 10-100 ms each, later ones are better refused. */
export const mergeTasksQueuedMax = 256;
/** Queries that run at once (`--query-concurrency`): each holds memory, and they share two workers. */
export const queriesRunningMax = 8;
/** Time of a query, about, until a caller's own were measured. */
export const queryMillisUsual = 20;
/** Queries that wait for their turn; later ones are better refused. */
export const queriesWaitingMax = 128;
/** Rows that are merged at once, in 20 ms or so: progress and limits are known after each time. */
export const mergeBatchRowsMax = 16_000_000;
/** Memory of a selected series, about: labels, slices and their digests. */
export const selectedSeriesBytes = 1_000;
/** Longest time that a query holds the event loop at once: a write takes several turns of it. */
export const querySliceMillis = 3;
/** Slices of series whose rows are read from files at once; more would only wait in line. */
export const slicesReadAtOnce = 16;
/** Stacks above which a report is made in a thread: a call graph of as many takes 20 ms or so. */
export const reportInThreadStacksMin = 2_000;
/** Memory of reports that the next one uses again: a graph of 600,000 calls takes 50 MiB. */
export const reportMemoryBytesMax = 64 * mebi;
/** Memory that the report thread is sent before it collects garbage. */
export const reportGarbageBytesMax = 16 * mebi;
/** JavaScript objects of the thread of reports, past which it ends. */
export const reportHeapBytesMax = 1024 * mebi;
/** Copies of symbols in the thread of reports, past which the next report gets a new thread; ... */
export const reportSymbolsBytesMax = 512 * mebi;
/** ...a thread without reports ends after this time... */
export const reportIdleMillis = 20_000;
/** ...if its copies are more than this: a start takes 0.2 s. */
export const reportIdleSymbolsBytesMax = 16 * mebi;
/** Shared memory that a merge worker may have been sent, and holds, before it collects. */
export const mergeGarbageBytesMax = 128 * mebi;
/** Time of a report for each of its stacks, about, until a caller's own were measured. */
export const reportStackMillis = 0.01;
/** Time that a new thread of reports takes until it is as fast as the last one, about. */
export const reportThreadStartMillis = 500;
/** Time in which a report that nobody waits for may end while others wait; then its thread is ended. */
export const abandonedReportMillis = 100;
/** Longest silence of the report thread; after it, the server is not ready. */
export const reportSilenceMillisMax = 30_000;
/** Longest time of a report, which is then given up, and its thread replaced. */
export const reportMillisMax = 300_000;
/** Bytes of chunks read, or of rows copied, that are merged at once: bounds a query's memory. */
export const mergeBatchBytesMax = 64 * mebi;
/** Bytes of symbols that queries over several parts share; past it they are copied again. */
export const joinedDictionaryBytesMax = 64 * mebi;
/** Rows of a flame chart before it is trimmed: a gigabyte of memory. */
export const flameChartRowsMax = 5_000_000;
/** Distinct values a report may group its samples by; nobody reads more rows side by side. */
export const labelGroupsMax = 10_000;
/** Lines of one metrics graph; some hundred bytes each in the answer. */
export const rangeSeriesMax = 100_000;
/** Buckets of a graph that have rates by covered time; a screen is no wider, and each has memory. */
export const rateBucketsMax = 10_000;
/** Functions named in one list of changes; nobody reads more, and each takes half a kilobyte. */
export const changesMax = 10_000;
/**
 * Longest time from one profile of a counter to the next that still gives an increase: an hour.
 * Profiles of the hour before a range are read for its first increase.
 */
export const increaseGapNanosMax = 3_600_000_000_000;
/** Buckets of functions over time: each is a merge of its own, and a screen is no wider. */
export const functionBucketsMax = 1_000;
/** A shared profile, gzipped. */
export const shareBytesMax = 64 * mebi;
/** Shared profiles; more are refused. */
export const sharesMax = 10_000;
/** Characters of the description of a shared profile. */
export const shareDescriptionLengthMax = 1_000;
/** Bytes of all shared profiles (`--share-retention-size`). */
export const shareBytesInAllMax = 1_024 * mebi;
/** Time between two looks for shared profiles that have expired: an hour. */
export const shareExpiryMillis = 3_600_000;
/** A file that Profiles Drilldown uploads, and how many of them, in all and for how long are kept. */
export const adHocBytesMax = 16 * mebi;
export const adHocProfilesMax = 1_000;
export const adHocBytesInAllMax = 256 * mebi;
export const adHocAgeMillisMax = 30 * 86_400_000;
/** Files that Profiles Drilldown uploads and that are read at once, and that wait for it. */
export const adHocThreadsMax = 1;
/** Settings of Grafana's app that are kept, and characters of the name and the value of one. */
export const appSettingsMax = 1_000;
export const appSettingLengthMax = 100_000;
/** Label sets in one answer of Series; some hundred bytes each. */
export const labelSetsMax = 100_000;
/** Panics of agents that are logged in an hour; all are counted. */
export const panicsLoggedMax = 20;
/** Characters of one panic in the log, its last ones. */
export const panicTextLengthMax = 8_192;
/** Values of a label listed with their counts in one answer. */
export const labelValuesMax = 100_000;
/** Lists of series, labels, values and types that wait for their turn as JSON: they hold little. */
export const listsWaitingMax = 64;
/** Lists of targets that wait for their turn, and tests of relabeling: they hold little yet. */
export const targetAnswersWaitingMax = 64;
/** Connections of the one port. */
export const connectionsMax = 10_000;
/** Connections from one address: nobody takes all of them; a proxy may have many callers. */
export const connectionsPerAddressMax = 5_000;
/** Time that a stop waits for streams that only their callers end. */
export const endlessStreamMillisMax = 500;
/** Requests of HTTP/1.1 that one connection may send before their answers: hardly a client does. */
export const pipelinedRequestsMax = 32;
/** First bytes of a connection from which on it is parsed in a turn of its own. */
export const largeFirstBytes = 16_384;
/** Requests of HTTP/2 that begin in one turn of the event loop: each takes up to 0.1 ms. */
export const streamsPerTurnMax = 50;
/** Watches of health at once: of all callers, and of one. */
export const healthWatchesMax = 1_000;
export const healthWatchesOfCallerMax = 200;
/** Time between two looks of Health/Watch for a change: most reasons come without notice. */
export const healthWatchMillis = 1_000;
/** Bytes of requests in memory at once over all connections: four of the largest. */
export const requestBytesInFlightMax = 256 * mebi;
/** The same for one connection, which may be that of a proxy with many callers. */
export const connectionBytesInFlightMax = 128 * mebi;
/** Bytes of answers that wait for their callers to read them: several of the largest reports. */
export const unreadAnswersBytesMax = 256 * mebi;
/** Time between two looks at answers that wait. */
export const unreadAnswersCheckMillis = 250;
/** Bytes of messages of a stream that wait for its method before the caller is slowed down. */
export const streamQueueBytes = 256 * 1024;
/** Messages that are decompressed at once: Node's pool has four threads. */
export const decompressionsMax = 4;
/** Time after which a caller may repeat a request that found no room, in milliseconds. */
export const busyRetryMillis = 1_000;
/** The same while the disk is full or slow: some 10 seconds, the time of a cut of a head. */
export const storageRetryMillis = 10_000;
/** Bytes of an upload by HTTP/1.1 that are in memory: the buffers of its socket and its body. */
export const httpUploadBytes = 256 * 1024;
/** HTTP/2 upload window of a stream: the default of 64 KB makes remote uploads 40 times slower. */
export const streamWindowBytes = 8 * mebi;
/** HTTP/2 upload window of a connection. */
export const connectionWindowBytes = 32 * mebi;
/** Users and bearer tokens of a web config file. A token is compared with each of them. */
export const webUsersMax = 1_000;
export const bearerTokensMax = 100;
/** Cost of a hash by bcrypt; each step takes twice the time, and 14 takes a second or two. */
export const bcryptCostMax = 14;
/** Passwords whose verdict is remembered: right ones, and as many wrong ones. */
export const passwordVerdictsMax = 1_000;
/** Passwords that wait to be checked, one after the other; with more, requests are refused. */
export const passwordChecksWaitingMax = 256;
/** Passwords of one caller that wait, and those of one user of it. */
export const passwordChecksOfCallerMax = 16;
export const passwordChecksOfUserMax = 4;
/** Refused requests of one address that have a line in the audit log, each minute; others count. */
export const auditRefusalsMax = 20;
export const auditWindowMillis = 60_000;
/** Addresses whose refusals are counted apart. */
export const auditCallersMax = 1_000;
/** Length of a text in the audit log. */
export const auditTextLengthMax = 2_000;
/** Bytes of audit lines that wait for the disk; past it lines are dropped, and counted. */
export const auditBytesWaitingMax = 1_048_576;
/** Length of a session of the page: a week. */
export const sessionMillisMax = 7 * 86_400_000;
/** Text of a pushed file from which it is read in a thread: a MiB takes up to half a second. */
export const importInThreadBytesMin = 256 * 1024;
/** Text of a pushed file that is read at once: it takes a millisecond or two; ... */
export const importHereBytesMax = 16 * 1024;
/** ...and larger ones that wait for their turn on the main thread. */
export const importsHereWaitingMax = 256;
/**
 * Frames and labels of the samples that a JFR recording becomes, for each of its bytes: it has each
 * stack once, and its samples refer to it. Recordings of real programs have up to 2.
 */
export const jfrFramesPerByteMax = 8;
/**
 * Rows of a recording that are compared for one look-up. Real ones need some ten; a recording that
 * is made to need more would take hours.
 */
export const jfrProbesMax = 1_000;
/** Recordings of Java in one push: each starts a thread. */
export const recordingsPerPushMax = 16;
/** Frames and labels that every JFR recording may become. */
export const jfrFramesMin = 262_144;
/** Objects of that thread; 1,700,000 different lines take as much. */
export const importHeapBytesMax = 1024 * mebi;
/** Size of an OTLP request from which it is read in a thread: a MiB takes a tenth of a second. */
export const otlpInThreadBytesMin = mebi;
/** Such threads at once. */
export const otlpThreadsMax = 2;
/** Threads at once that find the ids of stacks in large messages of Write. */
export const stackIdThreadsMax = 2;
/** Size of a JSON request from which its message is made in a thread: a MiB takes as long. */
export const jsonInThreadBytesMin = mebi;
/** Such threads at once. */
export const jsonThreadsMax = 2;
/** Parts of a form that a client pushes, which has two or three. */
export const formPartsMax = 100;
/** Bytes of the headers of one part. */
export const formHeaderBytesMax = 8_192;
/** Form by which the page sends a token. */
export const loginBodyBytesMax = 16 * 1024;
/** Time between two looks at the web config file and the files it names: 5 seconds. */
export const webConfigCheckMillis = 5_000;
/** Longest time of a stop: Kubernetes and others kill a process that takes longer. */
export const shutdownMillisMax = 30_000;
/** Longest time for running answers at a stop; the rest of the stop closes the storage. */
export const drainMillisMax = 25_000;
/** Seconds of one CPU profile of the server itself. */
export const selfProfileSecondsMax = 300;
/** CPU profiles of the server of different times at once: each costs a little for every sample. */
export const selfProfilesMax = 16;
/** Time for which the sampler goes on after the last profile: as long as a few scrapes. */
export const selfProfilerIdleMillis = 60_000;
/** Time in which equal profiles of the server are one. */
export const sharedProfileMillis = 1_000;
/** Pushing agents that are remembered for the agents page. */
export const agentsMax = 10_000;

/**
 * Frames of a stack in flame graphs of nested messages: protobuf readers refuse messages more than
 * 100 levels deep, and a frame has up to 5 levels inside.
 */
export const nestedReportDepthMax = 90;

/** Profiles of one chunk: a day of one every 0.1 s; a column of them takes 8 MiB. */
export const chunkProfilesMax = 1024 * 1024;
/** Rows of one chunk: two profiles of 4,000,000; usual ones have below a million. */
export const chunkRowsMax = 8 * mebi;
/** Program or section headers of one ELF file; -ffunction-sections gives objects 100,000. */
export const elfHeadersMax = 262_144;
/** Segments of a program that are loaded into memory; real ones have up to ten. */
export const elfLoadSegmentsMax = 64;
/** Names of sections of one ELF file: 64 bytes for each of them. */
export const elfNameTableBytesMax = 16 * mebi;
/** One name or path of an ELF file: the rest is cut off; hostile ones share a text without end. */
export const elfTextBytesMax = 65_536;
/** Name of a section; those of -ffunction-sections, which may be longer, are not looked for. */
export const elfSectionNameBytesMax = 256;
/** Sections and segments of notes that are read; real files have up to ten. */
export const elfNotePlacesMax = 16;
/** One section or segment of notes; a build id takes 36 bytes. */
export const elfNoteBytesMax = 65_536;
/** One symbol table or its strings; Chromium's have 100 MiB. */
export const elfSymbolBytesMax = 128 * mebi;
/** The line table of a Go program, or a section that it refers to; Kubernetes' have 40 MiB. */
export const goLineTableBytesMax = 128 * mebi;
/** Calls that Go inlines into one another at one address: its budget for inlining allows some 30. */
export const goInlinedCallsMax = 1_000;
/** Characters of a build id; GNU's have 40, Go's 83 or twice that in hex. */
export const debuginfoBuildIdLengthMax = 512;
/** Characters of a hash that a client gives a file of debug information. */
export const debuginfoHashLengthMax = 512;
/** Hashes of files that were refused for one build id. */
export const debuginfoRefusedHashesMax = 16;
/** Uploads of debug information under way at once. */
export const debuginfoUploadsMax = 256;
/** Time after its longest time at which an upload is given up, as in Parca: 2 minutes. */
export const debuginfoUploadGraceMillis = 120_000;
/** Files that are fetched from debuginfod servers at once. */
export const debuginfodFetchesMax = 2;
/** Build ids that wait to be looked for at debuginfod servers; later ones are not looked for. */
export const debuginfodWaitingMax = 10_000;
/** Build ids that debuginfod servers are asked for at once while agents wait for a decision. */
export const debuginfodAsksMax = 64;
/** Longest time that one debuginfod server keeps an agent waiting for a decision: 3 seconds. */
export const debuginfodAskMillisMax = 3_000;
/** Time until a build id is asked for again that no debuginfod server had: 10 minutes. */
export const debuginfodMissMillis = 600_000;
/** Time until a debuginfod server is asked again that did not answer: a minute. */
export const debuginfodOutageMillis = 60_000;
/** The same after many failures in a row, each of which doubles the time: an hour. */
export const debuginfodOutageMillisMax = 3_600_000;
/** Files that are sent to gdb and other clients of debuginfod at once: each holds a piece. */
export const debuginfodDownloadsMax = 32;
/** ...by one caller. */
export const debuginfodDownloadsOfCallerMax = 16;
/** Redirects of a debuginfod server to itself. */
export const debuginfodRedirectsMax = 2;
/** Time between two looks at the limits of the folder of debug information: ten minutes. */
export const debuginfoLimitsMillis = 600_000;
/** Time after its last use in which the only file of a build id is not removed for its size. */
export const debuginfoKeptMillis = 86_400_000;
/**
 * Share of the disk, or of the limit of everything, that debug information takes by default. One
 * busy development host uploads 700 MB in an hour.
 */
export const debuginfoDiskShareMax = 0.2;
/** Bytes of debug information by default, on a large disk. */
export const debuginfoBytesMax = 20 * 1024 * mebi;
/** Free disk that an upload of debug information leaves: profiles come first. */
export const debuginfoFreeDiskBytesMin = 2048 * mebi;
/** Time to sync and inspect an uploaded file, about, until a caller's own were measured. */
export const debuginfoInspectMillis = 10;
/** Time to write a byte of an upload, about, until a caller's own were measured. */
export const debuginfoAppendByteMillis = 5 / mebi;
/** Time of a byte of an archive or map, about, until a caller's own were measured. */
export const debuginfoReadByteMillis = 1_000 / mebi;
/** Archives of sources and source maps that wait to be read, one after the other. */
export const debuginfoReadsWaitingMax = 16;
/** Content of an archive of sources, unpacked; the Linux kernel has 1.5 GB. 4 GiB. */
export const sourceArchiveBytesMax = 4096 * mebi;
/** Members of an archive of sources: files, folders and links. The Linux kernel has 90,000. */
export const sourceArchiveMembersMax = 250_000;
/** A source file: larger members are left out. The page shows 50,000 lines, which have some 2 MiB. */
export const sourceFileBytesMax = 8 * mebi;
/** Characters of the name of a source file, as PATH_MAX. */
export const sourceNameLengthMax = 4096;
/** A source map; one of a bundle of 20 MB has some 30 MiB with its sources. */
export const sourceMapBytesMax = 64 * mebi;
/**
 * Values of its JSON: sources, names, sections. 60 MB of brackets took 2.7 GB; two million take
 * some 100 MB.
 */
export const sourceMapValuesMax = 2_000_000;
/** JavaScript memory of the thread that reads one; the thread dies past it. */
export const sourceMapHeapBytesMax = 768 * mebi;
/** Positions in a source map, and lines of its bundle: some 100 bytes each while it is read. */
export const sourceMapPositionsMax = 2_000_000;
/** Renamed names before a place that are searched for the function around it. */
export const sourceMapNamesSearchedMax = 2_000;
/** Characters of a source from the name of a function to a place in it. */
export const sourceMapFunctionLengthMax = 100_000;
/** Source files of debuginfod servers in memory, and answers without one. */
export const debuginfodSourcesBytesMax = 32 * mebi;
/** Longest time of one source file from one debuginfod server: a person waits. 20 seconds. */
export const debuginfodSourceMillisMax = 20_000;
/** Lists of files of archives that are in memory. */
export const sourceListsBytesMax = 64 * mebi;
/** Addresses whose names are in memory: 300 bytes each with their share of texts. */
export const symbolizerAddressesMax = 1_000_000;
/** Files of names of addresses on the disk: about 100 bytes each. A start reads all of them. */
export const symbolizerNameFileBytesMax = 64 * mebi;
/** Addresses that one run of the symbolizer looks up: an answer of some MiB. */
export const symbolizerBatchMax = 20_000;
/** Longest time that an answer waits for names, unless a flag or the request changes it. */
export const symbolizerWaitMillis = 2_000;
/** Most that they may set. */
export const symbolizerWaitMillisMax = 60_000;
/** Time between two looks at the addresses of arriving profiles, to find their names ahead. */
export const lookAheadMillis = 1_000;
/** Part of a core that looking ahead takes in the long run. */
export const lookAheadShare = 0.1;
/** Time that it may take at once: for the first minute of an agent, about a hundred binaries. */
export const lookAheadBurstMillis = 20_000;
/** Least time between two runs for one binary, so that its new addresses come together. */
export const lookAheadBuildMillis = 15_000;
/** Addresses that wait for it: 60 bytes each. Others are found again when these are done. */
export const lookAheadAddressesMax = 100_000;
/** Addresses whose names are in memory, from which on it leaves the others to questions. */
export const lookAheadKeptMax = symbolizerAddressesMax / 2;
/** Binaries whose paths are kept for the symbols page: 200 bytes each. */
export const binaryPathsMax = 20_000;
/** Time between two looks for a program that was not built when the server started. */
export const nativeProgramCheckMillis = 60_000;
/** Names of functions that came mangled and are kept readable: about 200 bytes each. */
export const demangledNamesMax = 200_000;
/** Longest name that is made readable, in UTF-16 units; longer ones stay as they are. */
export const mangledNameLengthMax = 4_096;
/** Longest readable name, in UTF-16 units, as in the native symbolizer: hostile ones grow freely. */
export const demangledNameLengthMax = 16_384;
/** Memory of the module for readable names, in pages of 64 KiB: 32 MiB. Usual names take 2 MiB. */
export const demanglerMemoryPagesMax = 512;
/** Names that may end that module; then the rest of a question stays mangled. Each takes 0.1 s. */
export const demanglerFailuresMax = 50;
/** DWARF of one file that a thread of the server keeps in memory: 128 MiB, decompressed. */
export const dwarfBytesMax = 128 * mebi;
/** Entries, ranges and lines of one question about a file; a second is enough for 10 million. */
export const dwarfStepsMax = 200_000_000;
/** Abbreviations of a file that are looked through when it arrives; Chromium has 20 MiB. */
export const dwarfAbbreviationBytesMax = 64 * mebi;
/** Abbreviations of one unit; compilers write some hundreds. */
export const dwarfAbbreviationsMax = 100_000;
/** Ranges of one function, call or unit. */
export const dwarfRangesMax = 1_000_000;
/** Ranges of all units of a file: 60 bytes each. */
export const dwarfUnitRangesMax = 1_000_000;
/** Folders or files that a line program names. */
export const dwarfLineFilesMax = 1_000_000;
/** Rows of a line program: 20 bytes each. */
export const dwarfLineRowsMax = 2 ** 23;
/** Inlined calls at one address, as in the native symbolizer. */
export const dwarfFramesMax = 1_000;
/** References from a call to its function's declaration; real ones have two. */
export const dwarfOriginsMax = 16;
/** Files that names are read from at once: each may take a core. */
export const symbolizerJobsMax = 2;
/** Memory of one run of the symbolizer, without the file, which is mapped; a flag changes it. */
export const symbolizerMemoryBytesMax = 360 * mebi;
/** Least value of that flag. */
export const symbolizerMemoryBytesMin = 16 * mebi;
/** CPU time of one run of the symbolizer, as above; a GiB of DWARF takes 5 to 16 seconds. */
export const symbolizerCpuSecondsMax = 10;
/** The same by the wall clock, on a busy machine. */
export const symbolizerMillisMax = 120_000;
/** Time by the wall clock for symbol tables, whose thread has no limit of CPU time: 30 seconds. */
export const tableMillisMax = 30_000;
/** Answer of one run of the symbolizer. */
export const symbolizerAnswerBytesMax = 256 * mebi;
/** Bytes of a statement that ClickHouse reads: lists of 100,000 series and stacks fit. */
export const statementBytesMax = 256 * mebi;
/** Bytes of rows and stacks that one insert into ClickHouse takes, unless one batch has more. */
export const clickHouseInsertBytesMax = 16 * mebi;
/** Streams of days that a server knows to be in ClickHouse; past it they are written again. */
export const clickHouseStreamsKnownMax = 200_000;
/** Bytes of symbols that a store in ClickHouse keeps in memory, for writes and for reads each. */
export const clickHouseDictionaryBytesMax = 256 * mebi;
/** Bytes of one answer of ClickHouse, or half of --memory-limit if that is less. */
export const clickHouseAnswerBytesMax = 1024 * mebi;
/** Longest time of an answer of ClickHouse; queries have their own limit. */
export const clickHouseAnswerMillisMax = 120_000;
/** Time from one look at the progress of a statement in ClickHouse to the next. */
export const clickHouseProgressMillis = 500;
/** Series count as active for one to two of these periods: scrapes come every few seconds. */
export const cardinalityPeriodMillis = 3_600_000;
/** Names, values and callers with most series that are shown. */
export const cardinalityShownMax = 10;
/** Time after a start in which all series of a fleet may be new. */
export const newSeriesGraceMillis = 600_000;
