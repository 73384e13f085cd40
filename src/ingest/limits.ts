// Limits of ingest, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/**
 * Maximum number of bytes of uploads that are in ingest workers or wait for them
 * (`--ingest-workers`). It is the same as the limit on requests in memory.
 */
export const decodePendingBytesMax = 256 * mebi;
/**
 * Decoded writes of a caller that the main thread may still be storing while a worker decodes the
 * next one, so that both are busy. A decoded write may be many times as large as the request.
 */
export const decodedHeldMax = 1;
/**
 * Memory used by decoded writes of all callers, or 1/8 of --memory-limit if that is less; above it,
 * no worker decodes the next write until one of them is stored.
 */
export const decodedHeldBytesMax = 256 * mebi;
/**
 * Memory used by a decoded write; from this size on, it is stored alone. Several at once would add
 * their symbols to the same head, and all but the first would find it cut and be decoded again.
 */
export const storedAloneBytesMin = mebi;
/** Writes that wait for their turn at an ingest worker. */
export const writesWaitingMax = 4_096;
/**
 * Estimated milliseconds for a byte of an upload, used until a caller has been measured: 20 ms for
 * a MiB.
 */
export const decodeByteMillis = 20 / mebi;
/**
 * Bytes of shared memory of an ingest worker for one upload; a larger upload gets a buffer of its
 * own.
 */
export const decodeSlotBytes = 128 * 1024;
/**
 * Uploads that may be in the shared memory of an ingest worker at the same time: 8 MiB in all, of
 * which only used parts take memory.
 */
export const decodeSlotsMax = 64;
/**
 * Maximum number of bytes of symbols above which an ingest worker forgets them; a head of 64 MiB
 * has fewer.
 */
export const decodedSymbolBytesMax = 32 * mebi;
/**
 * Maximum number of bytes of JavaScript memory above which an ingest worker is ended; it normally
 * takes 10 MiB.
 */
export const ingestHeapBytesMax = 512 * mebi;
/**
 * Maximum number of bytes of memory that an ingest worker keeps for the next upload. If an upload
 * needed more, the memory is released after the upload.
 */
export const ingestScratchBytesMax = 16 * mebi;
/** Milliseconds after which an ingest worker without uploads releases its memory. */
export const ingestIdleMillis = 5_000;
/**
 * Milliseconds after which symbols are forgotten if no upload has used them: the symbols of an
 * ingest worker, their replica on the main thread, and the head that they belong to, which may have
 * been cut.
 */
export const ingestForgetMillis = 4 * ingestIdleMillis;
/** Maximum number of bytes of memory that an idle ingest worker keeps. */
export const ingestIdleBytesMax = 4 * mebi;
/**
 * Distinct label names of the samples of one profile, which are as many as all series of a server
 * may have. Each name is an entry in the index of the head; 100,000 took 0.2 s.
 */
export const sampleLabelNamesMax = 10_000;
/**
 * Bytes of new symbols that an ingest worker sends in one message, which the main thread handles in
 * one slice, and rows in such a message. Rows are limited too, because each row may touch another
 * page of an index.
 */
export const sentSymbolBytes = 128 * 1024;
export const sentSymbolRowsMax = 1_024;
/** New rows of a failed upload above which the rows are dropped instead of sent. */
export const failedSymbolRowsMax = 4_096;
/**
 * Milliseconds that small writes may take in one turn of the event loop; other small writes wait
 * for a later turn. From the first byte to the answer, a push or a query needs a dozen turns.
 */
export const decodeHereTurnMillis = 10;
/** Bytes above which an upload is copied for a worker in slices. */
export const copiedAtOnceBytesMax = mebi;
/**
 * Milliseconds of a period. Series count as active for one to two periods; scrapes come every few
 * seconds.
 */
export const cardinalityPeriodMillis = 3_600_000;
/**
 * Maximum number of bytes of memory for the counts of active series, or 1/16 of --memory-limit if
 * that is less. Above it, new series are refused.
 */
export const cardinalityBytesMax = 1024 * mebi;
/** Names, values and callers that are shown: those with the most series. */
export const cardinalityShownMax = 10;
/** Milliseconds after a start in which all series of a fleet may be new. */
export const newSeriesGraceMillis = 600_000;
