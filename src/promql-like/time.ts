// The times of `@`: seconds since the epoch, exact to the nanosecond.
import { int64Max } from '../base/int64.ts';

const nanosPerSecond = 1_000_000_000n;

/** Returns `1764000000` or `1764000000.25` in nanoseconds; undefined for others and after 2262. */
export function parseTime(text: string): bigint | undefined {
  const match = /^(\d{1,10})(?:\.(\d{1,9}))?$/.exec(text);
  if (match === null) return undefined;
  const [, seconds, fraction = ''] = match;
  const nanos = BigInt(seconds) * nanosPerSecond + BigInt(fraction.padEnd(9, '0'));
  return nanos > int64Max ? undefined : nanos;
}

/**
 * Returns the shortest string that parseTime turns back into the time, which is not before 1970.
 */
function printTime(nanos: bigint): string {
  const fraction = String(nanos % nanosPerSecond)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const seconds = String(nanos / nanosPerSecond);
  return fraction === '' ? seconds : `${seconds}.${fraction}`;
}

/** Prints `@ 1764000000 to 1764000600`, as it is written after a selector. */
export function printTimeSpan({
  from,
  to,
}: {
  readonly from: bigint;
  readonly to: bigint;
}): string {
  return `@ ${printTime(from)} to ${printTime(to)}`;
}
