// An object store. Its objects never change; they are written as a whole and read in ranges.
import { AppError } from '../../base/errors.ts';
import type { File } from '../../base/files.ts';
import { objectsListedMax } from '../limits.ts';

/** One object of a folder. */
export interface BucketObject {
  /** Key without the folder. */
  readonly name: string;
  readonly bytes: number;
}

/**
 * One bucket under one prefix. Keys are names joined by "/", as `checkKey` allows.
 *
 * Errors of every method: AppError 'invalid-argument' for a bad key; 'unavailable' when the bucket
 * cannot be reached, throttles or sends invalid answers, after retries; 'deadline-exceeded' when it
 * is too slow; 'failed-precondition' when it refuses the request, mostly because of wrong
 * credentials; 'resource-exhausted' when it is full.
 */
export interface Bucket {
  /** Name for messages, without secrets. */
  readonly name: string;
  /**
   * Lists the objects of a folder ("" = the top) whose names `isWanted` accepts, sorted by name.
   * Skips subfolders and other objects.
   */
  list(folder: string, isWanted: (name: string) => boolean): Promise<BucketObject[]>;
  /** Lists the names of the folders at the top, sorted. */
  folders(): Promise<string[]>;
  /** Returns the size of an object in bytes; undefined if there is none. */
  size(key: string): Promise<number | undefined>;
  /**
   * Reads exactly the bytes offset .. offset + length of an object, into new memory.
   *
   * Errors, in addition to those of every method: 'not-found'; 'data-loss' when the object is
   * shorter; the reason of `signal`, which aborts the request.
   */
  readRange(key: string, offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** Stores all bytes of `source` under a key, or none of them. Replaces an existing object. */
  put(key: string, source: Pick<File, 'read' | 'size'>): Promise<void>;
  /**
   * Stores an object unless there is already one with that key. Returns false if there is one. If
   * the request was sent twice, that may be the object that this call has created itself. `token`
   * distinguishes callers.
   */
  putNew(key: string, content: Uint8Array, token: string): Promise<boolean>;
  /** Removes an object, if there is one. */
  remove(key: string): Promise<void>;
  /** Closes connections. */
  close(): Promise<void>;
}

/** S3's own limit. */
const keyBytesMax = 1_024;

/**
 * Refuses keys that would lead out of the bucket's folder on a disk, or that object stores
 * interpret differently.
 */
export function checkKey(key: string): void {
  const why = keyMistake(key);
  if (why === undefined) return;
  throw new AppError('invalid-argument', `cannot use object key ${JSON.stringify(key)}: ${why}`);
}

function keyMistake(key: string): string | undefined {
  if (Buffer.byteLength(key) > keyBytesMax) return `it is longer than ${keyBytesMax} bytes`;
  if (!key.isWellFormed()) return 'it is not valid Unicode';
  // oxlint-disable-next-line no-control-regex -- they are what is refused
  if (/[\u0000-\u001f\u007f\\]/.test(key)) return 'it has a control character or a backslash';
  const isName = (name: string): boolean => name !== '' && name !== '.' && name !== '..';
  return key.split('/').every(isName) ? undefined : 'a name in it is empty, "." or ".."';
}

/**
 * Returns a configured prefix as the prefix of keys: "" or "a/b/". Trims slashes as Thanos does.
 */
export function toPrefix(configured: string): string {
  const trimmed = configured.replace(/^\/+|\/+$/g, '');
  if (trimmed === '') return '';
  checkKey(trimmed);
  return `${trimmed}/`;
}

/** Returns the objects below a prefix whose names `isWanted` accepts, sorted by name. */
export function wantedObjects(
  objects: readonly { readonly key: string; readonly bytes: number }[],
  prefix: string,
  isWanted: (name: string) => boolean,
): BucketObject[] {
  return objects.flatMap(({ key, bytes }) => {
    const name = key.slice(prefix.length);
    return key.startsWith(prefix) && name !== '' && isWanted(name) ? [{ name, bytes }] : [];
  });
}

/** Returns the names of folders below a prefix. */
export function folderNames(keys: readonly string[], prefix: string): string[] {
  const below = keys.filter((key) => key.startsWith(prefix));
  return below
    .map((key) => key.slice(prefix.length).replace(/\/$/, ''))
    .filter((name) => name !== '');
}

/**
 * Refuses a list with more objects than a server can keep. Errors: AppError 'resource-exhausted'.
 */
export function checkListed(count: number, folder: string, bucketName: string): void {
  if (count <= objectsListedMax) return;
  const why = `it has more than ${objectsListedMax} objects`;
  throw new AppError('resource-exhausted', `cannot list ${folder} of ${bucketName}: ${why}`);
}
