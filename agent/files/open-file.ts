// Files of other processes, read piece by piece through a descriptor.
import { closeSync, constants, fstatSync, openSync, read, readSync, realpathSync } from 'node:fs';
import type { ElfSource } from '../../src/symbolize/elf-file.ts';

/** A regular file that is open for reading. */
export interface OpenFile extends ElfSource {
  /** Id of the user who owns the file. */
  readonly userId: number;
  /** Reads synchronously, for small pieces of files that are probably cached. */
  readNow(offset: number, length: number): Uint8Array;
}

/** A file that its opener closes. */
export interface OpenedFile {
  readonly file: OpenFile;
  close(): void;
}

/**
 * Returns the file that `descriptor` has open; undefined for pipes, devices and closed descriptors.
 */
export function openDescriptor(descriptor: number): OpenFile | undefined {
  let facts;
  try {
    facts = fstatSync(descriptor);
  } catch {
    return undefined;
  }
  if (!facts.isFile()) return undefined;
  const { size } = facts;
  // No more than the file has, because lengths come from its content.
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
 * Opens a regular file, without following a link in the last component and without waiting for a
 * pipe. Returns undefined if there is no such file.
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

/** Takes over a descriptor, or -1 for none; closes one that is not of a regular file. */
export function keepOpen(descriptor: number): OpenedFile | undefined {
  if (descriptor === -1) return undefined;
  const file = openDescriptor(descriptor);
  const close = (): void => closeSync(descriptor);
  if (file !== undefined) return { file, close };
  close();
  return undefined;
}

/** Opens a regular file, also through links, for names that no untrusted user has made. */
export function openLinkedFile(path: string): OpenedFile | undefined {
  try {
    return openRegularFile(realpathSync(path));
  } catch {
    return undefined;
  }
}
