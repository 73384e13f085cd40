// The two sections of an encoded chunk that a merge reads; docs/format/chunk.md draws them.

/**
 * A chunk: the rows of consecutive profiles of one series, encoded.
 *
 * Ownership: views of shared memory, so that merge workers read them without a copy; never changed.
 */
export interface ChunkBytes {
  /** The chunk's dictionary of (stack, sample labels), and each entry's sum over all profiles. */
  readonly stacks: Uint8Array<SharedArrayBuffer>;
  /** The rows; undefined when only sums over all profiles are requested. */
  readonly rows: Uint8Array<SharedArrayBuffer> | undefined;
}

/** The two sections of a chunk, in memory of any kind. */
export interface ChunkSections {
  readonly stacks: Uint8Array;
  readonly rows: Uint8Array | undefined;
}
