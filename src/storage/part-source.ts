// Parts of a server, as query servers read them: its blocks, and the log of its heads.

/** Position up to which a reader has read the log of an epoch. */
export interface LogPlace {
  readonly epoch: number;
  readonly sequence: number;
  readonly offset: number;
}

/** A reader's request for news. */
export interface PartsQuestion {
  /**
   * Instance of the last answer; "" = none. Positions and version of another instance do not count.
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
  /** Start value of the segment's checksums; see segmentSalt. */
  readonly salt: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
  /** Current end of the segment's records. */
  readonly end: number;
}

export interface ListedBlock {
  readonly id: string;
  /** Bytes of its file. */
  readonly fileBytes: number;
  /** Deletions of the block, as in their file; empty = none. */
  readonly deletions: Uint8Array;
}

/** A part that cannot be read; see LostParts. */
export interface ListedLoss {
  readonly lastNanos: bigint;
  readonly sentence: string;
}

/**
 * The parts of one instant: each profile is in one block or in one head. The bytes of the log may
 * be a little fewer than at that instant.
 */
export interface StorePartsAnswer {
  /** Id of this run of the server: each start has a new one. */
  readonly instance: string;
  readonly version: string;
  /** Undefined if the version is that of the request. */
  readonly blocks: readonly ListedBlock[] | undefined;
  /** Epochs of the heads, oldest first. */
  readonly heads: readonly number[];
  readonly stretches: readonly LogStretch[];
  /** True if the reader has the whole log of all heads now. */
  readonly isWhole: boolean;
  readonly losses: readonly ListedLoss[];
}

export interface PartsAnswer extends StorePartsAnswer {
  /** Ids of blocks that are permanently gone and may still be in the bucket. */
  readonly gone: readonly string[];
}

/** Parts of a store. Errors of both methods: the disk's; the reason of the signal. */
export interface StorePartSource {
  look(question: PartsQuestion, signal?: AbortSignal): Promise<StorePartsAnswer>;
  /**
   * Reads bytes of a block that was listed a short while ago. Errors also: 'not-found' if it is
   * gone; 'invalid-argument' for a range outside of it.
   */
  readBlock(id: string, offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
}

/** Parts of a server, whose bucket may have more of them. */
export interface PartSource extends StorePartSource {
  look(question: PartsQuestion, signal?: AbortSignal): Promise<PartsAnswer>;
}
