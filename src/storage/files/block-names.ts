// The names of a block's files, in a storage directory and in a bucket.
import type { Random } from '../../base/random.ts';

/** The folder of the blocks, in a storage directory and in a bucket. */
export const blocksFolder = 'blocks';
const blockSuffix = '.block';
const deletedSuffix = '.deleted';

/** The folder of the blocks of a storage directory. */
export function blocksPathOf(storagePath: string): string {
  return `${storagePath}/${blocksFolder}`;
}

export function blockName(id: string): string {
  return id + blockSuffix;
}

/** The side file that says what is deleted of a block. */
export function deletedName(id: string): string {
  return id + deletedSuffix;
}

/** Path of the side file, which lies beside the block. */
export function deletedPathOf(blockPath: string): string {
  return deletedName(withoutSuffix(blockPath, blockSuffix) ?? blockPath);
}

/** The id of the block whose file has this name; undefined for other files. */
export function blockIdOf(name: string): string | undefined {
  return withoutSuffix(name, blockSuffix);
}

/** The id of the block whose side file has this name; undefined for other files. */
export function deletedIdOf(name: string): string | undefined {
  return withoutSuffix(name, deletedSuffix);
}

function withoutSuffix(name: string, suffix: string): string | undefined {
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;
}

/** Digits of a time in base 36: enough for every int64. */
const timeDigits = 13;
const randomDigits = 7;

const int64Max = 2n ** 63n - 1n;

/** When the block of an id was made; the end of time for an id of another form. */
export function createdNanosOf(id: string): bigint {
  const digits = /^([0-9a-z]{13})-[0-9a-z]{14}$/.exec(id)?.[1];
  if (digits === undefined) return int64Max;
  let nanos = 0n;
  for (const digit of digits) nanos = nanos * 36n + BigInt(Number.parseInt(digit, 36));
  return nanos < int64Max ? nanos : int64Max;
}

/** A name that no other block has: the time, and 64 random bits, in letters, digits and hyphens. */
export function createBlockId(nowNanos: bigint, random: Random): string {
  const time = (nowNanos < 0n ? 0n : nowNanos).toString(36).padStart(timeDigits, '0');
  const word = (): string => random.uint32().toString(36).padStart(randomDigits, '0');
  return `${time}-${word()}${word()}`;
}
