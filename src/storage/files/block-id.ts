// Names of blocks: sorted as text they are in the order of creation.
import type { Random } from '../../base/random.ts';

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
