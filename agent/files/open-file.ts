// Files of other processes, read piece by piece through a descriptor.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type ByteSource } from '../../src/symbolize/byte-source.ts';

/** A regular file that is open for reading. */
export interface OpenFile extends ByteSource {
  /** Device, inode, size and time of change: the same as long as the content is. */
  readonly key: string;
  /** The user that the file belongs to. */
  readonly userId: number;
}

/** The file that `descriptor` has open; undefined for pipes, devices and closed descriptors. */
export function openDescriptor(descriptor: number): OpenFile | undefined {
  let facts;
  try {
    facts = fstatSync(descriptor);
  } catch {
    return undefined;
  }
  if (!facts.isFile()) return undefined;
  return {
    size: facts.size,
    key: `${facts.dev}:${facts.ino}:${facts.size}:${facts.mtimeMs}`,
    userId: facts.uid,
    read(offset, length) {
      const bytes = new Uint8Array(length);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset));
    },
  };
}

/**
 * Opens a regular file, reads from it with `use`, and closes it. A link in the last place is not
 * followed, and a pipe is not waited for. Undefined when there is no such file.
 */
export function withRegularFile<T>(path: string, use: (file: OpenFile) => T): T | undefined {
  let descriptor: number;
  try {
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
    descriptor = openSync(path, flags);
  } catch {
    return undefined;
  }
  try {
    const file = openDescriptor(descriptor);
    return file === undefined ? undefined : use(file);
  } finally {
    closeSync(descriptor);
  }
}
