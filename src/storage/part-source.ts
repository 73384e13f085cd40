// The parts of a live server, in the form that query servers read: its blocks, and the log of its
// heads.

/** Position up to which a reader has read the log of an epoch. */
export interface LogPlace {
  readonly epoch: number;
  readonly sequence: number;
  readonly offset: number;
}

/** A request for the changes since the last answer. */
export interface PartsQuestion {
  /**
   * Instance of the last answer; "" = none. Positions and version of another instance are ignored.
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
  /** Current end of the segment's records. */
  readonly end: number;
}

export interface ListedBlock {
  readonly id: string;
  /** Size of its file. */
  readonly fileBytes: number;
  /** Deletions of the block, as in their file; empty if there are none. */
  readonly deletions: Uint8Array;
}

/** A part that cannot be read; see LostParts. */
export interface ListedLoss {
  readonly lastNanos: bigint;
  readonly sentence: string;
}

/**
 * The parts at one instant: each profile is in exactly one block or head. The log may be a few
 * bytes shorter than at that instant.
 */
export interface StorePartsAnswer {
  /** Id of the server process; each start has a new id. */
  readonly instance: string;
  readonly version: string;
  /** Undefined if nothing changed since the requested version. */
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
 * Gives access to the parts of a store. Errors of both methods: errors of the disk; the reason of
 * the signal.
 */
export interface StorePartSource {
  look(question: PartsQuestion, signal?: AbortSignal): Promise<StorePartsAnswer>;
  /**
   * Reads bytes of a block that was listed recently. Errors also: 'not-found' if the block no
   * longer exists; 'invalid-argument' for a range outside of it.
   */
  readBlock(id: string, offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
}

/** Gives access to the parts of a server, which may have more parts in a bucket. */
export interface PartSource extends StorePartSource {
  look(question: PartsQuestion, signal?: AbortSignal): Promise<PartsAnswer>;
}
