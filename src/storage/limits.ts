// Limits of storage, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/** Bytes of one WAL record; a profile of 4,000,000 rows with new symbols fits. */
export const walRecordBytesMax = 512 * mebi;
/** Size at which a WAL segment is closed. */
export const walSegmentBytesMax = 128 * mebi;
/** Longest time until a write is on the disk with --storage-durability=interval. */
export const walSyncMillis = 1_000;
/** Memory of rows and symbols at which a head is cut into blocks: a server stays small. */
export const headBytesMax = 64 * mebi;
/**
 * Size of the next head, as a share of a head, from which each write is slowed down during a cut.
 */
export const nextHeadShareSlow = 0.25;
/** Longest such delay: a cut takes a second of a core, which waiting writers leave to the cut. */
export const slowWriteMillis = 200;
/** Size of the next head, as a share of a head, from which writes wait for the cut. */
export const nextHeadShareMax = 0.5;
/** Longest wait of a write for a cut; after it, the limit of memory decides. */
export const cutWaitMillisMax = 30_000;
/** Wait between the end of two hours and the cut of their head: profiles arrive late. */
export const headGraceMillis = 180_000;
/** Windows of two hours for which a cut makes a block; the rest shares one more block. */
export const cutWindowsMax = 16;
/** Rows of a chunk that a cut writes: encoding it takes about as long as a slice. */
export const cutChunkRowsMax = 8_192;
/** Rows of a chunk above which a cut encodes it in a thread, which takes 0.1 s to start. */
export const chunkRowsAtOnce = 2 * cutChunkRowsMax;
/** Waits between attempts to cut a head: the disk may stay full for a long time. */
export const cutRetryMillisMin = 1_000;
export const cutRetryMillisMax = 30_000;
/** Time that a stopping server takes to cut its head; after that the log keeps the profiles. */
export const closingCutMillisMax = 15_000;
/** Free share of the disk below which writes are refused. */
export const freeDiskShareMin = 0.02;
/** Time between two looks at the free disk. */
export const freeDiskCheckMillis = 5_000;
/**
 * Size of a file that is reserved for work that frees space on a full disk: cut, compaction,
 * deletion.
 */
export const diskReserveBytes = 64 * mebi;
/** Size at which a log record of new symbols is closed: a bad record loses no more. */
export const symbolRecordBytesMax = 16 * mebi;
/** An object larger than this is uploaded in parts of this size; each is held in memory. */
export const objectPartBytes = 16 * mebi;
/** Parts of one upload: S3's own limit, 160 GiB here. */
export const objectPartsMax = 10_000;
/** Body of an answer of an object store without an object: a page of 1,000 names, an error. */
export const objectAnswerBytesMax = 8 * mebi;
/** Requests for pages at the same time, for all objects. */
export const objectReadsAtOnceMax = 8;
/** Pages of objects in memory; queries read the index and symbols of a block again and again. */
export const objectPageMemoryBytesMax = 16 * mebi;
/** Pages that wait to be written to the cache; further pages are not cached. */
export const objectPagesPendingMax = 64;
/** Time in which reads fail at once after one that failed in spite of retries. */
export const objectOutageMillis = 5_000;
/**
 * Time from the last profile of a block to its cut, from which it is shipped without compaction.
 */
export const objectShipDelayMillis = 4 * 3_600_000;
/** Age at which a block is unlikely to be compacted again, and may leave the local disk. */
export const objectSettledMillis = 48 * 3_600_000;
/** Time between two checks of the bucket, and the longest one after failures. */
export const objectSyncMillis = 60_000;
export const objectSyncRetryMillisMax = 900_000;
/** Longest time that a start waits for the blocks of the bucket. */
export const objectStartMillisMax = 20_000;
/** Time for which replaced objects stay in the bucket, as query servers may be reading them. */
export const objectRemoveDelayMillis = 300_000;
/** Time for which a block can be read by query servers after it left the list. */
export const servedBlockMillis = 120_000;
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
/**
 * Longest time that a stop waits to release the lease; if it is not released, the next server
 * waits.
 */
export const leaseStopMillisMax = 2_000;
/** Blocks of a bucket that are opened at the same time. */
export const objectOpensAtOnceMax = 8;
/** Objects of one folder; blocks of a hundred years are fewer. */
export const objectsListedMax = 200_000;
/** Number of attempts of one request to an object store, and the longest time of an attempt. */
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
/**
 * One segment of row memory: large enough for 1,500 typical profiles, and small enough to leave
 * mostly empty.
 */
export const rowSegmentBytes = 4 * mebi;
/** Wait for late profiles before a window of two hours is compacted. */
export const compactionWindowGraceNanos = 600_000_000_000n;
/**
 * Wait before a day is compacted: an hour for the cut of the last window's head, and for late
 * pushes.
 */
export const compactionDayGraceNanos = 3_600_000_000_000n;
/** Blocks of an unfinished window are merged when there are more: each costs every query. */
export const compactionSmallBlocksMax = 8;
/** Blocks that one compaction reads: the symbols of all are in memory, some 20 MB each. */
export const compactionInputsMax = 16;
/** Pages of all inputs that a compaction keeps; it reads each about once. */
export const compactionCacheBytesMax = 64 * mebi;
/** Rows of a chunk that compaction writes, which are decoded at once: about 16 MB. */
export const compactionChunkRowsMax = 1_048_576;
/**
 * A rollup is kept when it has fewer rows than the profiles by this factor: profiles of 10 s with
 * 100 rows give 13 for an hour and 75 for six, so that both together cost less than a tenth.
 */
export const rollupRowsRatioMin = 12;
/** Free disk that a compaction needs, as a share of its input; the new block is smaller. */
export const compactionDiskShareMin = 1.2;
/** Wait after a failure in maintenance; each further failure doubles it. */
export const maintenanceBackoffMillisMin = 60_000;
/** Longest such wait: the disk may have been repaired. */
export const maintenanceBackoffMillisMax = 3_600_000;
/** Time in which a client may repeat a write, whatever the times of its profiles. */
export const retryWindowNanos = 86_400_000_000_000n;
/** Share of the blocks that one pass may remove by age, so that a wrong clock is noticed. */
export const retentionBlocksPerPassMax = 0.2;
/** Time between two readings of the clock that must agree: an operator may correct a mistake. */
export const retentionSightingMillisMin = 600_000;
/** Largest change of wall clock minus monotonic clock between readings: slewing, not jumps. */
export const retentionClockStepMillisMax = 60_000;
/** Rows above which a merge runs in a worker: a round trip costs 0.2 ms, 1 M rows 1.3 ms. */
export const mergeInWorkerRowsMin = 1_000_000;
/** Merge workers: two halve the time; more would starve ingest on small machines. */
export const mergeWorkersMax = 2;
/** Merges that may wait for one worker; at 10-100 ms each, it is better to refuse more. */
export const mergeTasksQueuedMax = 256;
/**
 * Rows that are merged at once, in about 20 ms: progress and limits are checked after each batch.
 */
export const mergeBatchRowsMax = 16_000_000;
/** Slices of series whose rows are read from files at once; more would only queue up. */
export const slicesReadAtOnce = 16;
/** Shared memory that a merge worker may have been sent, and holds, before it collects. */
export const mergeGarbageBytesMax = 128 * mebi;
/** Bytes of chunks read, or of rows copied, that are merged at once: bounds a query's memory. */
export const mergeBatchBytesMax = 64 * mebi;
/** Distinct values a report may group its samples by; more rows are unreadable side by side. */
export const labelGroupsMax = 10_000;
/** Values of one answer by times of samples, 32 MB: a day in seconds has 86,400 a line. */
export const sampleCellsMax = 4_000_000;
/** Bytes of times of samples from which on a chunk is encoded in a thread: 5 ms of work. */
export const chunkTimesBytesAtOnce = 32_768;
/** Lines of one metrics graph; some hundred bytes each in the answer. */
export const rangeSeriesMax = 100_000;
/** Time after which a client may repeat a write while the disk is full or slow: that of a cut. */
export const storageRetryMillis = 10_000;

/** Profiles of one chunk: a day of one every 0.1 s; a column of them takes 8 MiB. */
export const chunkProfilesMax = 1024 * 1024;
/** Rows of one chunk: two profiles of 4,000,000 rows fit. Most chunks have fewer than a million. */
export const chunkRowsMax = 8 * mebi;
/** Bytes of a statement that ClickHouse reads: lists of 100,000 series and stacks fit. */
export const statementBytesMax = 256 * mebi;
/** Bytes of rows and stacks that one insert into ClickHouse takes, unless one batch has more. */
export const clickHouseInsertBytesMax = 16 * mebi;
/**
 * Streams, by day, that a server knows to be in ClickHouse; those above the limit are written
 * again.
 */
export const clickHouseStreamsKnownMax = 200_000;
/** Bytes of symbols that a store in ClickHouse keeps in memory, for writes and for reads each. */
export const clickHouseDictionaryBytesMax = 256 * mebi;
/** JavaScript objects of the thread that compacts, or half of --memory-limit if that is less. */
export const compactionHeapBytesMax = 2048 * mebi;
/** Bytes of one answer of ClickHouse, or half of --memory-limit if that is less. */
export const clickHouseAnswerBytesMax = 1024 * mebi;
/** Longest time of an answer of ClickHouse; queries have their own limit. */
export const clickHouseAnswerMillisMax = 120_000;
/** Longest time in which a statement that ends another one is answered; its caller has gone. */
export const clickHouseKillMillisMax = 2_000;
/** Time between two checks of the progress of a statement in ClickHouse. */
export const clickHouseProgressMillis = 500;
