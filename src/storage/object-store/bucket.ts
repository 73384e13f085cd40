// An object store: named immutable objects that are put whole and read by range.
import { AppError } from '../../base/errors.ts';
import type { File } from '../../base/files.ts';

/** One object of a folder. */
export interface BucketObject {
  /** The key without the folder. */
  readonly name: string;
  readonly bytes: number;
}

/**
 * One bucket under one prefix. Keys are names joined by "/", as `checkKey` allows.
 *
 * Errors of every method: AppError 'invalid-argument' for a bad key; 'unavailable' when it cannot
 * be reached, is throttled or answers nonsense, after retries; 'deadline-exceeded' when it was too
 * slow; 'failed-precondition' when it refuses, for wrong credentials above all;
 * 'resource-exhausted' when it is full.
 */
export interface Bucket {
  /** For messages, without secrets. */
  readonly name: string;
  /**
   * Objects directly in a folder ("" = the top) whose name `isWanted`, in order of names. Other
   * things that lie there do not matter.
   */
  list(folder: string, isWanted: (name: string) => boolean): Promise<BucketObject[]>;
  /** Bytes of an object; undefined: there is none. */
  size(key: string): Promise<number | undefined>;
  /**
   * Bytes offset .. offset + length of an object, exactly so many, in memory of its own.
   * Errors also: 'not-found'; 'data-loss' when the object is shorter.
   */
  readRange(key: string, offset: number, length: number): Promise<Uint8Array>;
  /** Stores all bytes of `source` under a key, replacing what was there, at once or not at all. */
  put(key: string, source: Pick<File, 'read' | 'size'>): Promise<void>;
  /** Removes an object; one that is not there is removed already. */
  remove(key: string): Promise<void>;
  /** Drops connections. */
  close(): Promise<void>;
}

/** S3's own limit. */
const keyBytesMax = 1_024;

/**
 * Refuses keys that would leave the bucket's folder on a disk or mean different objects to
 * different stores.
 */
export function checkKey(key: string): void {
  const why = whyBad(key);
  if (why === undefined) return;
  throw new AppError('invalid-argument', `cannot use object key ${JSON.stringify(key)}: ${why}`);
}

function whyBad(key: string): string | undefined {
  if (Buffer.byteLength(key) > keyBytesMax) return `it is longer than ${keyBytesMax} bytes`;
  if (!key.isWellFormed()) return 'it is not valid Unicode';
  // oxlint-disable-next-line no-control-regex -- they are what is refused
  if (/[\u0000-\u001f\u007f\\]/.test(key)) return 'it has a control character or a backslash';
  const isName = (name: string): boolean => name !== '' && name !== '.' && name !== '..';
  return key.split('/').every(isName) ? undefined : 'a name in it is empty, "." or ".."';
}

/** The prefix in front of keys: "" or "a/b/"; Thanos trims slashes likewise. */
export function prefixOf(configured: string): string {
  const trimmed = configured.replace(/^\/+|\/+$/g, '');
  if (trimmed === '') return '';
  checkKey(trimmed);
  return `${trimmed}/`;
}
