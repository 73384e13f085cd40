// Limits of ingest, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/**
 * Bytes of uploads that ingest workers have or wait for (`--ingest-workers`): as many as requests
 * in flight may have.
 */
export const decodePendingBytesMax = 256 * mebi;
/**
 * Decoded writes of a caller that the main thread is still storing while a worker decodes the next
 * one, so that both have work. Each may be many times larger than what was sent.
 */
export const decodedHeldMax = 1;
/** Writes that wait for their turn at an ingest worker. */
export const writesWaitingMax = 4_096;
/** Estimated time for a byte of an upload until a caller has been measured: 20 ms for a MiB. */
export const decodeByteMillis = 20 / mebi;
/** Memory of an ingest worker for one upload; a larger upload gets its own buffer. */
export const decodeSlotBytes = 128 * 1024;
/** Uploads for which an ingest worker has such memory: 8 MiB, used as needed. */
export const decodeSlotsMax = 64;
/**
 * Bytes of symbols above which an ingest worker forgets them; a head of 64 MiB has fewer of its
 * own.
 */
export const decodedSymbolBytesMax = 32 * mebi;
/** JavaScript memory above which an ingest worker is ended; it normally takes 10 MiB. */
export const ingestHeapBytesMax = 512 * mebi;
/** Memory that an ingest worker keeps for the next upload; more is released after each. */
export const ingestScratchBytesMax = 16 * mebi;
/** Time after which an ingest worker without uploads gives its memory back. */
export const ingestIdleMillis = 5_000;
/**
 * Time after which symbols that no upload has used are forgotten: those of an ingest worker, their
 * copy on the main thread, and the head that they were for, which may have been cut.
 */
export const ingestForgetMillis = 4 * ingestIdleMillis;
/** Memory that an idle ingest worker keeps. */
export const ingestIdleBytesMax = 4 * mebi;
/**
 * Distinct label names of a profile's samples: as many as all series of a server may have. Each is
 * an entry in the head's index; 100,000 took 0.2 s.
 */
export const sampleLabelNamesMax = 10_000;
/**
 * New symbols that an ingest worker sends in one message, which is one slice of work for the main
 * thread; also rows of a message, each of which may touch new pages of an index.
 */
export const sentSymbolBytes = 128 * 1024;
export const sentSymbolRowsMax = 1_024;
/** New rows of a failed upload above which they are dropped instead of sent. */
export const failedSymbolRowsMax = 4_096;
/**
 * Time that small writes may take in one turn of the event loop; the others wait for the next turn.
 * A push and a query need a dozen turns from first byte to answer.
 */
export const decodeHereTurnMillis = 10;
/** Size above which an upload is copied for a worker in slices. */
export const copiedAtOnceBytesMax = mebi;
/** Series count as active for one to two of these periods: scrapes come every few seconds. */
export const cardinalityPeriodMillis = 3_600_000;
/**
 * Memory of the counts of active series, or 1/16 of --memory-limit if that is less; above it, new
 * series are refused.
 */
export const cardinalityBytesMax = 1024 * mebi;
/** Number of names, values and callers with the most series that are shown. */
export const cardinalityShownMax = 10;
/** Time after a start during which all series of a fleet may be new. */
export const newSeriesGraceMillis = 600_000;
