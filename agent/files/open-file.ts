// Reads files of other processes in chunks through a descriptor.
import { closeSync, constants, fstatSync, openSync, read, readSync, realpathSync } from 'node:fs';
import type { ElfSource } from '../../src/symbolize/elf-file.ts';

/** A regular file that is open for reading. */
export interface OpenFile extends ElfSource {
  /** Id of the user who owns the file. */
  readonly userId: number;
  /** Reads synchronously. Meant for small reads that the page cache can probably answer. */
  readNow(offset: number, length: number): Uint8Array;
}

/** An open file, to be closed by the caller. */
export interface OpenedFile {
  readonly file: OpenFile;
  close(): void;
}

/** Returns the open file of `descriptor`; undefined for pipes, devices and closed descriptors. */
export function openDescriptor(descriptor: number): OpenFile | undefined {
  let facts;
  try {
    facts = fstatSync(descriptor);
  } catch {
    return undefined;
  }
  if (!facts.isFile()) return undefined;
  const { size } = facts;
  // Lengths come from the file's content, which may be wrong, so reads are limited to the file's
  // size.
  const countBytes = (offset: number, length: number): number =>
    Math.max(0, Math.min(length, size - offset));
  return {
    size,
    userId: facts.uid,
    read: (offset, length) => {
      const bytes = new Uint8Array(countBytes(offset, length));
      return new Promise((resolve, reject) => {
        read(descriptor, bytes, 0, bytes.length, offset, (error, count) => {
          if (error !== null) reject(error);
          else resolve(bytes.subarray(0, count));
        });
      });
    },
    readNow(offset, length) {
      const bytes = new Uint8Array(countBytes(offset, length));
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, offset));
    },
  };
}

/**
 * Opens a regular file. Does not follow a link in the last component, and does not block on a pipe.
 * Returns undefined if there is no such file.
 */
export function openRegularFile(path: string): OpenedFile | undefined {
  let descriptor: number;
  try {
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
    descriptor = openSync(path, flags);
  } catch {
    return undefined;
  }
  return keepOpen(descriptor);
}

/** Takes over a descriptor (-1 = none). Closes it if it does not belong to a regular file. */
export function keepOpen(descriptor: number): OpenedFile | undefined {
  if (descriptor === -1) return undefined;
  const file = openDescriptor(descriptor);
  const close = (): void => closeSync(descriptor);
  if (file !== undefined) return { file, close };
  close();
  return undefined;
}

/**
 * Opens a regular file and follows links. Use it only for names that no untrusted user controls.
 */
export function openLinkedFile(path: string): OpenedFile | undefined {
  try {
    return openRegularFile(realpathSync(path));
  } catch {
    return undefined;
  }
}
