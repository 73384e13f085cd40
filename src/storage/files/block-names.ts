// Ids of blocks and the names of their files, in a storage directory and in a bucket.
import { int64Max } from '../../base/int64.ts';
import type { Random } from '../../base/random.ts';

/** Folder of the blocks. It has the same name in a storage directory and in a bucket. */
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

/** Returns the name of the file with the deletions of a block. */
export function deletedName(id: string): string {
  return id + deletedSuffix;
}

/** Returns the path of the file with the deletions of a block. It is next to the block. */
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

/** Number of base-36 digits of a time, enough for any int64. */
const timeDigits = 13;
const randomDigits = 7;

/**
 * Returns the time at which a block id was created; the largest int64 if the id has another form.
 */
export function parseCreatedNanos(id: string): bigint {
  const digits = /^([0-9a-z]{13})-[0-9a-z]{14}$/.exec(id)?.[1];
  if (digits === undefined) return int64Max;
  let nanos = 0n;
  for (const digit of digits) nanos = nanos * 36n + BigInt(Number.parseInt(digit, 36));
  return nanos < int64Max ? nanos : int64Max;
}

/**
 * Returns a new block id: the time and 64 random bits, as letters, digits and a hyphen. Ids sort in
 * the order of their creation.
 */
export function createBlockId(nowNanos: bigint, random: Random): string {
  const time = (nowNanos < 0n ? 0n : nowNanos).toString(36).padStart(timeDigits, '0');
  const word = (): string => random.uint32().toString(36).padStart(randomDigits, '0');
  return `${time}-${word()}${word()}`;
}
