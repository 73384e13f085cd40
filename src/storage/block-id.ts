// Names of blocks: sorted as text they are in the order of creation.
import type { Random } from '../base/random.ts';

/** Digits of a time in base 36: enough for every int64. */
const timeDigits = 13;
const randomDigits = 7;

/** A name that no other block has: the time, and 64 random bits, in letters, digits and hyphens. */
export function createBlockId(nowNanos: bigint, random: Random): string {
  const time = (nowNanos < 0n ? 0n : nowNanos).toString(36).padStart(timeDigits, '0');
  const word = (): string => random.uint32().toString(36).padStart(randomDigits, '0');
  return `${time}-${word()}${word()}`;
}
