// Limits of ingest, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/**
 * Bytes of uploads that are in ingest workers or wait for them (`--ingest-workers`), equal to the
 * limit on requests in memory.
 */
export const decodePendingBytesMax = 256 * mebi;
/**
 * Decoded writes of a caller that the main thread is still storing while a worker decodes the next
 * one, so that both have work. A decoded write may be many times larger than the request.
 */
export const decodedHeldMax = 1;
/** Writes that wait for their turn at an ingest worker. */
export const writesWaitingMax = 4_096;
/** Estimated time for a byte of an upload until a caller has been measured: 20 ms for a MiB. */
export const decodeByteMillis = 20 / mebi;
/** Memory of an ingest worker for one upload; a larger upload gets its own buffer. */
export const decodeSlotBytes = 128 * 1024;
/** Concurrent uploads of an ingest worker with such memory: 8 MiB in all, used as needed. */
export const decodeSlotsMax = 64;
/** Size of symbols above which an ingest worker forgets them; a head of 64 MiB has fewer. */
export const decodedSymbolBytesMax = 32 * mebi;
/** JavaScript memory above which an ingest worker is ended; it normally takes 10 MiB. */
export const ingestHeapBytesMax = 512 * mebi;
/**
 * Memory that an ingest worker keeps for the next upload; larger memory is released after each
 * upload.
 */
export const ingestScratchBytesMax = 16 * mebi;
/** Time after which an ingest worker without uploads releases its memory. */
export const ingestIdleMillis = 5_000;
/**
 * Time after which symbols that no upload has used are forgotten: the symbols of an ingest worker,
 * their copy on the main thread, and the head that they belong to, which may have been cut.
 */
export const ingestForgetMillis = 4 * ingestIdleMillis;
/** Memory that an idle ingest worker keeps. */
export const ingestIdleBytesMax = 4 * mebi;
/**
 * Distinct label names of a profile's samples: as many as all series of a server may have. Each
 * name is an entry in the index of the head; 100,000 took 0.2 s.
 */
export const sampleLabelNamesMax = 10_000;
/**
 * Size of new symbols that an ingest worker sends in one message, which the main thread handles in
 * one slice; also the number of rows in a message, because each row may touch a new page of an
 * index.
 */
export const sentSymbolBytes = 128 * 1024;
export const sentSymbolRowsMax = 1_024;
/** Number of new rows of a failed upload above which the rows are dropped instead of sent. */
export const failedSymbolRowsMax = 4_096;
/**
 * Time that small writes may take in one turn of the event loop; other writes wait for the next
 * turn. A push and a query need a dozen turns from the first byte to the answer.
 */
export const decodeHereTurnMillis = 10;
/** Size above which an upload is copied for a worker in slices. */
export const copiedAtOnceBytesMax = mebi;
/**
 * Length of a period. Series count as active for one to two periods, because scrapes come every few
 * seconds.
 */
export const cardinalityPeriodMillis = 3_600_000;
/**
 * Memory of the counts of active series, or 1/16 of --memory-limit if that is less; above it, new
 * series are refused.
 */
export const cardinalityBytesMax = 1024 * mebi;
/** Number of names, values and callers that are shown, those with the most series first. */
export const cardinalityShownMax = 10;
/** Time after a start during which all series of a fleet may be new. */
export const newSeriesGraceMillis = 600_000;
