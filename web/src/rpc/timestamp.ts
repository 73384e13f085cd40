// Converts times in messages to nanoseconds.
import type { Timestamp } from './messages.gen.ts';

const nanosPerSecond = 1_000_000_000n;

/** Splits nanoseconds since the epoch (or of a duration). */
export function toTimestamp(nanos: bigint): Timestamp {
  const rest = ((nanos % nanosPerSecond) + nanosPerSecond) % nanosPerSecond;
  return { seconds: (nanos - rest) / nanosPerSecond, nanos: Number(rest) };
}

/** Returns the nanoseconds of a timestamp or duration; 0 if absent. */
export function toNanos(time: Timestamp | undefined): bigint {
  return time === undefined ? 0n : time.seconds * nanosPerSecond + BigInt(time.nanos);
}
