// Limits of storage, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/** Largest WAL record, in bytes; a profile of 4,000,000 rows with new symbols fits. */
export const walRecordBytesMax = 512 * mebi;
/** Size at which a WAL segment is closed. */
export const walSegmentBytesMax = 128 * mebi;
/** Longest time until a write is on the disk with --storage-durability=interval. */
export const walSyncMillis = 1_000;
/**
 * Memory used by the rows and symbols of a head; above it, the head is cut into blocks, so that a
 * server stays small.
 */
export const headBytesMax = 64 * mebi;
/**
 * Size of the next head, as a share of a full head, above which each write is delayed during a cut.
 */
export const nextHeadShareSlow = 0.25;
/**
 * Longest such delay. A cut needs a second of CPU time, which it gets while writers are delayed.
 */
export const slowWriteMillis = 200;
/**
 * Maximum size of the next head, as a share of a full head, above which writes wait for the cut.
 */
export const nextHeadShareMax = 0.5;
/** Longest wait of a write for a cut; after that, the write is accepted unless memory is full. */
export const cutWaitMillisMax = 30_000;
/**
 * Delay between the end of a two-hour window and the cut of its head, because profiles arrive late.
 */
export const headGraceMillis = 180_000;
/**
 * Two-hour windows for which a cut writes separate blocks; all other windows share one more block.
 */
export const cutWindowsMax = 16;
/** Rows of one chunk in a new block; encoding them takes about one slice of time. */
export const cutChunkRowsMax = 8_192;
/** Rows above which a chunk is encoded in a separate thread, which takes 0.1 s to start. */
export const chunkRowsAtOnce = 2 * cutChunkRowsMax;
/**
 * Shortest and longest delay between attempts to cut a head: the disk may stay full for a long
 * time.
 */
export const cutRetryMillisMin = 1_000;
export const cutRetryMillisMax = 30_000;
/**
 * Time that a stopping server spends on cutting its head; after that, the profiles stay in the log.
 */
export const closingCutMillisMax = 15_000;
/** Free share of the disk below which writes are refused. */
export const freeDiskShareMin = 0.02;
/** Time between two checks of the free disk space. */
export const freeDiskCheckMillis = 5_000;
/**
 * Size of a file that is removed on a full disk, so that cuts, compactions and deletions have space
 * to work.
 */
export const diskReserveBytes = 64 * mebi;
/**
 * Size at which a log record of new symbols is closed, so that damage to a record loses no more
 * than that.
 */
export const symbolRecordBytesMax = 16 * mebi;
/** Size of the parts in which larger objects are uploaded; each part is held in memory. */
export const objectPartBytes = 16 * mebi;
/** Parts of one upload, as in S3; the parts are 160 GiB in total. */
export const objectPartsMax = 10_000;
/**
 * Largest response body of an object store that is not an object: a page of 1,000 names, or an
 * error.
 */
export const objectAnswerBytesMax = 8 * mebi;
/** Concurrent requests for pages of objects, for all objects together. */
export const objectReadsAtOnceMax = 8;
/**
 * Memory for pages of objects, because queries read the index and symbols of a block repeatedly.
 */
export const objectPageMemoryBytesMax = 16 * mebi;
/** Pages that wait to be written to the cache; further pages are not cached. */
export const objectPagesPendingMax = 64;
/** Time for which all reads fail immediately after a read has failed in all attempts. */
export const objectOutageMillis = 5_000;
/** Time after the last profile of a block at which it is uploaded even if it was not compacted. */
export const objectShipDelayMillis = 4 * 3_600_000;
/**
 * Age of a block at which it is unlikely to be compacted again, so that it may be removed from the
 * local disk.
 */
export const objectSettledMillis = 48 * 3_600_000;
/**
 * Time between two synchronizations with the bucket; and the longest such time, which is reached
 * after failures.
 */
export const objectSyncMillis = 60_000;
export const objectSyncRetryMillisMax = 900_000;
/** Longest time that a starting server waits until it has the blocks of the bucket. */
export const objectStartMillisMax = 20_000;
/**
 * Time for which replaced objects stay in the bucket, because query servers may still be reading
 * them.
 */
export const objectRemoveDelayMillis = 300_000;
/** Time for which query servers can still read a block after it was replaced. */
export const servedBlockMillis = 120_000;
/** Maximum number of bytes of the log that one answer to a query server contains. */
export const partsLogBytesMax = 4 * mebi;
/**
 * Time between two listings of a bucket by a query server, so that it sees changes within a minute.
 */
export const bucketListMillis = 30_000;
/**
 * Term of the lease of a prefix; time before its end in which no work is started; and time between
 * renewals.
 */
export const leaseTermMillis = 180_000;
export const leaseMarginMillis = 60_000;
export const leaseRenewMillis = 30_000;
/** Pause after a pass over the bucket during which the server did not hold the lease. */
export const leaseCheckMillis = 5_000;
/**
 * Longest time that a stopping server waits for the release of its lease. If that fails, the next
 * server has to wait.
 */
export const leaseStopMillisMax = 2_000;
/** Blocks of a bucket that are opened concurrently. */
export const objectOpensAtOnceMax = 8;
/** Objects in one folder: enough for the blocks of a hundred years. */
export const objectsListedMax = 200_000;
/**
 * Maximum number of attempts for a request to an object store, and the longest time for each
 * attempt.
 */
export const objectReadAttemptsMax = 3;
export const objectReadMillisMax = 15_000;
export const objectWriteAttemptsMax = 5;
export const objectWriteMillisMax = 120_000;
/** Memory for the cache of symbols, indexes and pages of blocks. */
export const blockCacheBytesMax = 128 * mebi;
/** Size at which a page of sections ends, so that it is cheap to read and decompress one page. */
export const blockPageBytes = 256 * 1024;
/** Tables of a block are split into pieces of this size, so that no call of zstd takes long. */
export const blockPieceBytes = mebi;
/**
 * Size of a segment of row memory: large enough for 1,500 typical profiles, and small enough that a
 * mostly empty segment does not matter.
 */
export const rowSegmentBytes = 4 * mebi;
/** Time for which a compaction of a two-hour window waits for late profiles. */
export const compactionWindowGraceNanos = 600_000_000_000n;
/**
 * Time for which a compaction of a day waits: an hour, for the cut of the last window and for late
 * pushes.
 */
export const compactionDayGraceNanos = 3_600_000_000_000n;
/**
 * Maximum number of blocks of an unfinished window above which they are merged, because each block
 * slows down every query.
 */
export const compactionSmallBlocksMax = 8;
/**
 * Blocks that one compaction reads. The symbols of all these blocks are in memory, about 20 MB for
 * each.
 */
export const compactionInputsMax = 16;
/** Memory for pages of all inputs of a compaction, which reads each page about once. */
export const compactionCacheBytesMax = 64 * mebi;
/** Rows of a chunk that compaction writes. The rows are decoded together and take about 16 MB. */
export const compactionChunkRowsMax = 1_048_576;
/**
 * Smallest ratio of the rows of profiles to the rows of their rollup at which the rollup is kept.
 * For profiles of 10 s with 100 rows, the ratio is 13 for one hour and 75 for six hours, so both
 * rollups together add less than a tenth.
 */
export const rollupRowsRatioMin = 12;
/**
 * Free disk space required before a compaction, as a multiple of the size of its input. This is
 * generous, because the new block is smaller than the input.
 */
export const compactionDiskShareMin = 1.2;
/** Delay after a failure in maintenance; each further failure doubles it. */
export const maintenanceBackoffMillisMin = 60_000;
/** Longest delay after failures in maintenance; by then, somebody may have repaired the disk. */
export const maintenanceBackoffMillisMax = 3_600_000;
/** Time within which a client may repeat a push, regardless of the times of its profiles. */
export const retryWindowNanos = 86_400_000_000_000n;
/**
 * Share of the blocks that one pass may remove because of their age, so that there is time to
 * notice a wrong clock.
 */
export const retentionBlocksPerPassMax = 0.2;
/**
 * Time between two readings of the clock that must agree before retention trusts it. During this
 * time, an operator can correct a wrong clock.
 */
export const retentionSightingMillisMin = 600_000;
/**
 * Largest change of the difference between wall clock and monotonic clock, from one reading to the
 * next, that counts as slewing and not as a jump.
 */
export const retentionClockStepMillisMax = 60_000;
/**
 * Rows above which a merge runs in a worker. A round trip to the worker takes 0.2 ms, and a merge
 * of 1 million rows 1.3 ms.
 */
export const mergeInWorkerRowsMin = 1_000_000;
/**
 * Merge workers. Two workers halve the time of a merge; more would starve ingest on small machines.
 */
export const mergeWorkersMax = 2;
/**
 * Merges that may wait for one worker; they take 10-100 ms each, so it is better to refuse further
 * merges.
 */
export const mergeTasksQueuedMax = 256;
/**
 * Rows that are merged in one batch, which takes about 20 ms. Progress and limits are checked after
 * each batch.
 */
export const mergeBatchRowsMax = 16_000_000;
/**
 * Slices of series whose rows are read from files concurrently; more slices would only queue up.
 */
export const slicesReadAtOnce = 16;
/** Shared memory that may be sent to a merge worker before it must collect garbage. */
export const mergeGarbageBytesMax = 128 * mebi;
/**
 * Maximum number of bytes of chunks or copied rows that are merged in one batch. This limits the
 * memory of a query.
 */
export const mergeBatchBytesMax = 64 * mebi;
/** Distinct values by which a report may group samples; nobody could read more. */
export const labelGroupsMax = 10_000;
/**
 * Values in one answer that uses sample times, 32 MB. A day in steps of a second has 86,400 values
 * for each line.
 */
export const sampleCellsMax = 4_000_000;
/**
 * Bytes of sample times above which a chunk is encoded in a separate thread. Encoding this many
 * takes 5 ms.
 */
export const chunkTimesBytesAtOnce = 32_768;
/** Lines of one metrics graph; a line takes a few hundred bytes in the answer. */
export const rangeSeriesMax = 100_000;
/**
 * Time after which a client should repeat a push while the disk is full or slow. A cut takes about
 * as long.
 */
export const storageRetryMillis = 10_000;

/** Profiles of one chunk: enough for a profile every 0.1 s for a day. Each column takes 8 MiB. */
export const chunkProfilesMax = 1024 * 1024;
/** Rows of one chunk: two profiles of 4,000,000 rows fit. Most chunks have fewer than a million. */
export const chunkRowsMax = 8 * mebi;
/**
 * Maximum size of the largest statement that ClickHouse accepts; lists of 100,000 series and stacks
 * fit.
 */
export const statementBytesMax = 256 * mebi;
/**
 * Maximum number of bytes of rows and stacks in one insert into ClickHouse, unless a single batch
 * has more.
 */
export const clickHouseInsertBytesMax = 16 * mebi;
/**
 * Streams, counted for each day, for which a server remembers that it has written them to
 * ClickHouse. It writes other streams again.
 */
export const clickHouseStreamsKnownMax = 200_000;
/**
 * Maximum number of bytes of symbols that a ClickHouse store keeps in memory, for writes and for
 * reads separately.
 */
export const clickHouseDictionaryBytesMax = 256 * mebi;
/** Largest JavaScript heap of the compaction thread, or half of --memory-limit if that is less. */
export const compactionHeapBytesMax = 2048 * mebi;
/** Maximum size of one answer from ClickHouse, or half of --memory-limit if that is less. */
export const clickHouseAnswerBytesMax = 1024 * mebi;
/** Longest time that ClickHouse may take for an answer; queries have their own limit. */
export const clickHouseAnswerMillisMax = 120_000;
/**
 * Longest time that the server waits until ClickHouse has killed a statement; the caller of the
 * statement no longer waits.
 */
export const clickHouseKillMillisMax = 2_000;
/** Time between two progress checks of a statement in ClickHouse. */
export const clickHouseProgressMillis = 500;
