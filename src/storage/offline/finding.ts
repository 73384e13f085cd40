// Something that is wrong, or worth saying, about a data directory.

export interface Finding {
  /** Relative to the storage path. */
  readonly path: string;
  /** The byte it is about, where one is known. */
  readonly offset: number | undefined;
  /**
   * note: nothing is lost. damaged: the server passes over it and serves the rest. unreadable: the
   * server cannot use the file, or would not start.
   */
  readonly severity: 'note' | 'damaged' | 'unreadable';
  readonly message: string;
}
