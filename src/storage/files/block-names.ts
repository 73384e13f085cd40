// Ids of blocks and the names of their files, in a storage directory and in a bucket.
import { int64Max } from '../../base/int64.ts';
import type { Random } from '../../base/random.ts';

/** The folder of the blocks, in a storage directory and in a bucket. */
export const blocksFolder = 'blocks';
const blockSuffix = '.block';
const deletedSuffix = '.deleted';

/** Returns the path of the blocks folder of a storage directory. */
export function joinBlocksPath(storagePath: string): string {
  return `${storagePath}/${blocksFolder}`;
}

export function blockName(id: string): string {
  return id + blockSuffix;
}

/** Name of the file with a block's deletions. */
export function deletedName(id: string): string {
  return id + deletedSuffix;
}

/** Path of the file with a block's deletions, which is next to the block. */
export function deletedPath(blockPath: string): string {
  return deletedName(withoutSuffix(blockPath, blockSuffix) ?? blockPath);
}

/** Returns the id of the block with this file name; undefined for other files. */
export function parseBlockId(name: string): string | undefined {
  return withoutSuffix(name, blockSuffix);
}

/** Returns the id of the block whose deletions have this file name; undefined for other files. */
export function parseDeletedId(name: string): string | undefined {
  return withoutSuffix(name, deletedSuffix);
}

function withoutSuffix(name: string, suffix: string): string | undefined {
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;
}

/** Digits of a time in base 36, enough for any int64. */
const timeDigits = 13;
const randomDigits = 7;

/**
 * Returns the time at which a block id was created; the largest int64 for an id of another form.
 */
export function parseCreatedNanos(id: string): bigint {
  const digits = /^([0-9a-z]{13})-[0-9a-z]{14}$/.exec(id)?.[1];
  if (digits === undefined) return int64Max;
  let nanos = 0n;
  for (const digit of digits) nanos = nanos * 36n + BigInt(Number.parseInt(digit, 36));
  return nanos < int64Max ? nanos : int64Max;
}

/**
 * Returns a new block id: the time and 64 random bits, as letters, digits and a hyphen. Sorted ids
 * are in the order of their creation.
 */
export function createBlockId(nowNanos: bigint, random: Random): string {
  const time = (nowNanos < 0n ? 0n : nowNanos).toString(36).padStart(timeDigits, '0');
  const word = (): string => random.uint32().toString(36).padStart(randomDigits, '0');
  return `${time}-${word()}${word()}`;
}
