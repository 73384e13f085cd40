// The file system as a dependency: storage sees only this, so that a simulated disk can replace it.

/** An open file. Offsets and sizes are bytes. */
export interface File {
  /** Appends all of `bytes` at the end; resolves when the kernel has them, not the disk. */
  append(bytes: Uint8Array): Promise<void>;
  /** Reads up to `into.length` bytes at `offset`; returns how many, 0 at the end. */
  read(into: Uint8Array, offset: number): Promise<number>;
  /** Makes all appended data durable (fdatasync). After a failure the file must be given up. */
  sync(): Promise<void>;
  /**
   * Writes the bytes `from` .. `to` as they are once more, so that the next sync has them on the
   * disk although an earlier one failed. The file still has the path by which it was opened.
   */
  rewrite(from: number, to: number): Promise<void>;
  /** Cuts the file to `size`. */
  truncate(size: number): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

/** One directory tree. Paths are absolute or relative to the process. */
export interface Files {
  makeDirectory(path: string): Promise<void>;
  /** Rejects with AppError 'failed-precondition' when this process may put nothing into a directory. */
  checkWritable(directory: string): Promise<void>;
  /** Names in a directory, sorted; empty when it does not exist. */
  list(path: string): Promise<string[]>;
  /** The same without directories. */
  listFiles(path: string): Promise<string[]>;
  exists(path: string): Promise<boolean>;
  /** Opens for append and read; creates it when `create` is set. */
  open(path: string, options: { readonly create: boolean }): Promise<File>;
  /** Whole content; never a Node Buffer, whose `slice` shares memory. */
  read(path: string): Promise<Uint8Array>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Gives a file a second name; both are the same file from then on. */
  link(from: string, to: string): Promise<void>;
  /** Bytes that may still be written to the disk that `path` lies on. */
  freeBytes(path: string): Promise<number>;
  /** Size of that disk. */
  totalBytes(path: string): Promise<number>;
  /**
   * Makes creations, renames and removals inside a directory durable.
   * Rejects with AppError 'failed-precondition' where it may not be read or has no disk below.
   */
  syncDirectory(path: string): Promise<void>;
  /**
   * Takes an exclusive lock that the kernel drops when the process dies.
   * Rejects with AppError 'failed-precondition' naming the holder when it is taken.
   */
  lock(path: string): Promise<FileLock>;
}

/** A lock that is held. */
export interface FileLock {
  /**
   * Name that no other lock has while this one is held, on any machine: whoever gets it later knows
   * that this holder has ended. "" where the system does not tell enough.
   */
  readonly name: string;
  /** Idempotent. */
  release(): Promise<void>;
}

/** Calls `onChange` when something in a folder changes; undefined where that cannot be noticed. */
export type WatchFolder = (folder: string, onChange: () => void) => { close(): void } | undefined;
