// The file system as a dependency: storage only uses this interface, so that a simulated disk can
// replace the real one.

/** An open file. Offsets and sizes are bytes. */
export interface File {
  /**
   * Appends all of `bytes` at the end; resolves when the kernel has them, possibly before the disk.
   */
  append(bytes: Uint8Array): Promise<void>;
  /** Reads up to `into.length` bytes at `offset`; returns their number, 0 at the end. */
  read(into: Uint8Array, offset: number): Promise<number>;
  /** Makes all appended data durable (fdatasync). After a failure, the file must not be used. */
  sync(): Promise<void>;
  /**
   * Writes the bytes `from` .. `to` again, so that the next sync makes them durable even though an
   * earlier sync failed. The file must still have the path by which it was opened.
   */
  rewrite(from: number, to: number): Promise<void>;
  /** Truncates the file to `size` bytes. */
  truncate(size: number): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

/** One directory tree. Paths are absolute or relative to the process. */
export interface Files {
  makeDirectory(path: string): Promise<void>;
  /** Rejects with AppError 'failed-precondition' when this process may not write to a directory. */
  checkWritable(directory: string): Promise<void>;
  /** Returns the names in a directory, sorted; none if it does not exist. */
  list(path: string): Promise<string[]>;
  /** Returns the names of files in a directory, like `list`. */
  listFiles(path: string): Promise<string[]>;
  exists(path: string): Promise<boolean>;
  /** Opens for append and read; creates the file if `create` is set. */
  open(path: string, options: { readonly create: boolean }): Promise<File>;
  /**
   * Returns the complete content; never a Node Buffer, because `slice` of a Buffer shares memory.
   */
  read(path: string): Promise<Uint8Array>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Gives a file a second name. From then on, both names refer to the same file. */
  link(from: string, to: string): Promise<void>;
  /** Returns the free bytes on the disk of `path`. */
  freeBytes(path: string): Promise<number>;
  /** Returns the size in bytes of the disk of `path`. */
  totalBytes(path: string): Promise<number>;
  /**
   * Returns the bytes of the files below each folder in `path`, and under the name "" the bytes of
   * files directly in `path`. A file with several names counts once, for the first folder.
   * Unreadable files and files that are removed meanwhile do not count.
   */
  folderBytes(path: string): Promise<ReadonlyMap<string, number>>;
  /**
   * Makes creations, renames and removals in a directory durable. Rejects with AppError
   * 'failed-precondition' for a directory that may not be read or is not on a disk.
   */
  syncDirectory(path: string): Promise<void>;
  /**
   * Takes an exclusive lock that the kernel drops when the process dies. Rejects with AppError
   * 'failed-precondition' naming the holder if there is one.
   */
  lock(path: string): Promise<FileLock>;
}

/** A lock that is held. */
export interface FileLock {
  /**
   * Name that is unique among the locks held on all machines. A process that later gets a lock with
   * the same name knows that the earlier holder has ended. "" if the system does not provide the
   * ids that the name is made of.
   */
  readonly name: string;
  /** Releases the lock. Idempotent. */
  release(): Promise<void>;
}

/**
 * Calls `onChange` after any change in a folder; returns undefined if changes cannot be watched.
 */
export type WatchFolder = (folder: string, onChange: () => void) => { close(): void } | undefined;
