// A chunk as plain columns, before encoding and after decoding, and as bytes.

/**
 * Profiles of one series with their rows, in order of time.
 *
 * Shape: profile columns have `profileCount` elements; rows of profile i are
 * `rowStart[i] .. rowStart[i + 1]` of the row columns. No two rows of a profile share stack and
 * sample labels. Ownership: borrowed until the call returns.
 */
export interface ChunkInput {
  readonly profileCount: number;
  readonly timeNanos: BigInt64Array;
  readonly durationNanos: BigInt64Array;
  readonly period: BigInt64Array;
  /** Low half of each profile's content hash; undefined once retries need not be recognized. */
  readonly contentHash: Uint32Array | undefined;
  /** First row of each profile; one element more than there are profiles. */
  readonly rowStart: Uint32Array;
  /** StackIndex of each row. */
  readonly stacks: Uint32Array;
  /** SampleLabelsIndex of each row; undefined if no row has any. */
  readonly sampleLabels: Uint32Array | undefined;
  /** One column for each sample type. */
  readonly values: readonly BigInt64Array[];
  /**
   * Sample times of each profile, as encodeSampleTimes writes them for its rows; undefined if no
   * profile has any.
   */
  readonly sampleTimes?: readonly (Uint8Array | undefined)[] | undefined;
}

/** The two sections of a chunk, in any kind of memory. */
export interface ChunkSections {
  readonly stacks: Uint8Array;
  readonly rows: Uint8Array | undefined;
}
