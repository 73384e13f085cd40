// Access to the parts of a live server, for query servers: the blocks of the server, and the log of
// its heads.

/** Position in the log of an epoch up to which a reader has read it. */
export interface LogPlace {
  readonly epoch: number;
  readonly sequence: number;
  readonly offset: number;
}

/** A request for the changes since the last answer. */
export interface PartsQuestion {
  /**
   * Instance of the last answer; "" = none. If the server has another instance, it ignores the
   * positions and the version.
   */
  readonly instance: string;
  /** Version of the last answer. */
  readonly version: string;
  readonly places: readonly LogPlace[];
}

/** Consecutive bytes of a log segment. */
export interface LogStretch {
  readonly epoch: number;
  readonly sequence: number;
  /** Initial checksum value of the segment; see segmentSalt. */
  readonly salt: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
  /** Current end of the records in the segment. */
  readonly end: number;
}

export interface ListedBlock {
  readonly id: string;
  /** Size of the block's file, in bytes. */
  readonly fileBytes: number;
  /** Content of the file with the block's deletions; empty if there are none. */
  readonly deletions: Uint8Array;
}

/** A part that cannot be read; see LostParts. */
export interface ListedLoss {
  readonly lastNanos: bigint;
  readonly sentence: string;
}

/**
 * The parts of a server at one instant. Each profile is in exactly one block or head. The log may
 * lack the last few bytes of that instant.
 */
export interface StorePartsAnswer {
  /** Id of the server process; each start has a new id. */
  readonly instance: string;
  readonly version: string;
  /** Blocks of the server; undefined if they have not changed since the requested version. */
  readonly blocks: readonly ListedBlock[] | undefined;
  /** Epochs of the heads, oldest first. */
  readonly heads: readonly number[];
  readonly stretches: readonly LogStretch[];
  /** True if the reader now has the complete log of all heads. */
  readonly isWhole: boolean;
  readonly losses: readonly ListedLoss[];
}

export interface PartsAnswer extends StorePartsAnswer {
  /** Ids of blocks that are permanently gone and may still be in the bucket. */
  readonly gone: readonly string[];
}

/**
 * Gives access to the parts of a store. Errors of all methods: I/O errors; the reason of the
 * signal.
 */
export interface StorePartSource {
  look(question: PartsQuestion, signal?: AbortSignal): Promise<StorePartsAnswer>;
  /**
   * Reads bytes of a block that was in a recent answer. Further errors: 'not-found' if the block no
   * longer exists; 'invalid-argument' if the range is not within the block.
   */
  readBlock(id: string, offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
}

/** Gives access to the parts of a server, which may have more parts in a bucket. */
export interface PartSource extends StorePartSource {
  look(question: PartsQuestion, signal?: AbortSignal): Promise<PartsAnswer>;
}
