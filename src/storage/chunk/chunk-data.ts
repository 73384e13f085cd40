// A chunk as plain columns, used before encoding and after decoding, and a chunk as bytes.

/**
 * Profiles of one series with their rows, in order of time.
 *
 * Shape: profile columns have `profileCount` elements; rows of profile i are `rowStart[i] ..
 * rowStart[i + 1]` of the row columns. No two rows of a profile have the same stack and sample
 * labels. Ownership: the caller keeps the columns, and must not change them before the call
 * returns.
 */
export interface ChunkInput {
  readonly profileCount: number;
  readonly timeNanos: BigInt64Array;
  readonly durationNanos: BigInt64Array;
  readonly period: BigInt64Array;
  /**
   * Low half of each profile's content hash; undefined if retries no longer have to be recognized.
   */
  readonly contentHash: Uint32Array | undefined;
  /** First row of each profile; one element more than there are profiles. */
  readonly rowStart: Uint32Array;
  /** StackIndex of each row. */
  readonly stacks: Uint32Array;
  /** SampleLabelsIndex of each row; undefined if no row has labels. */
  readonly sampleLabels: Uint32Array | undefined;
  /** One column for each sample type. */
  readonly values: readonly BigInt64Array[];
  /**
   * Sample times of each profile, as encodeSampleTimes writes them for its rows; undefined if no
   * profile has sample times.
   */
  readonly sampleTimes?: readonly (Uint8Array | undefined)[] | undefined;
}

/** The sections of a chunk that hold rows, in any type of memory. */
export interface ChunkSections {
  readonly stacks: Uint8Array;
  readonly rows: Uint8Array | undefined;
}
