// The limit on the server's memory (`--memory-limit`), and the shares of its users.
//
// Each user has its own limit, which applies on a large machine. On a small machine, its share is
// smaller. The users rarely need all of their memory at the same time, so their shares add up to
// more than the limit, which by default is half of the machine's memory.

/** Largest share of the limit for each user of memory. */
const shares = {
  /** Bodies of requests, before and after decompression. */
  requests: 1 / 4,
  /** Requests of one connection. */
  connection: 1 / 8,
  /** Answers that clients have not read yet. */
  answers: 1 / 8,
  /** Bodies of scrapes that are not stored yet. */
  scrapes: 1 / 8,
  /** Profiles that are not in blocks yet. */
  heads: 1 / 4,
  /** Encoded writes that wait for the disk, or for ClickHouse. */
  log: 1 / 8,
  /** All running queries. */
  queries: 1 / 2,
  /** Cached answers and merges. */
  cachedAnswers: 1 / 16,
  /** Stacks of several parts in one dictionary, which later queries reuse. */
  joinedStacks: 1 / 8,
  /** Tables and pages of blocks. */
  blocks: 1 / 16,
  /** JavaScript heap of a thread that reads one pushed text file. */
  importHeap: 1 / 4,
  /** Pushed text files that wait for such a thread. */
  importTexts: 1 / 8,
  /** JavaScript heap of the thread that reads a source map. */
  sourceMapHeap: 1 / 4,
  /** Uploads that ingest workers are decoding or have queued. */
  decoding: 1 / 4,
  /** Profiles and symbols that ingest workers have decoded and that are not stored yet. */
  decoded: 1 / 8,
  /** JavaScript heap of an ingest worker. */
  ingestHeap: 1 / 4,
  /** Symbols of an ingest worker; the main thread keeps a copy of them. */
  ingestSymbols: 1 / 32,
  /** Counts of active series, their names and values. */
  cardinality: 1 / 16,
  /** JavaScript heap of a thread that merges profiles, encodes them or reads symbols. */
  workerHeap: 1 / 4,
  /** JavaScript heap of the compaction thread. There is only one such thread. */
  compactionHeap: 1 / 2,
  /** JavaScript heap of the report thread. */
  reportHeap: 1 / 4,
  /** Copies of symbols in the report thread. */
  reportSymbols: 1 / 8,
} as const;

export type MemoryUser = keyof typeof shares;

/** Limit of this process, in bytes. Infinity until it is set, and always in worker threads. */
let limitBytes = Infinity;

/** Sets the limit. Called once, before anything is opened. */
export function setMemoryLimit(bytes: number): void {
  limitBytes = bytes;
}

/**
 * Returns the limit of a user: its own limit `bytesMax`, or its share of `ofBytes` if that is less.
 */
export function memoryShare(user: MemoryUser, bytesMax: number, ofBytes = limitBytes): number {
  return Math.min(bytesMax, Math.floor(ofBytes * shares[user]));
}
