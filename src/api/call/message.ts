// What handlers share: decoding of requests, and the times of messages.
import Long from 'long';
import { AppError, errorMessage } from '../../base/errors.ts';
import type { TimeRange } from '../../storage/interface.ts';

/** The message that `decode` makes of `bytes`. Errors: AppError 'invalid-argument'. */
export function decodeRequest<T>(
  type: { readonly name: string; decode(bytes: Uint8Array): T },
  bytes: Uint8Array,
): T {
  try {
    return type.decode(bytes);
  } catch (error) {
    throw malformed(type.name, error);
  }
}

/** The error of a request whose bytes are not a message of its type. */
export function malformed(typeName: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError('invalid-argument', `cannot decode ${typeName}: ${errorMessage(cause)}`, {
    cause,
  });
}

/** google.protobuf.Timestamp or Duration as pbjs decodes it. */
export interface WireTime {
  readonly seconds?: Long | null | undefined;
  readonly nanos?: number | null | undefined;
}

const nanosPerSecond = 1_000_000_000n;
const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

/** Nanoseconds, clamped to int64 (a Go zero time is year 1, far below it). */
export function toNanos(time: WireTime): bigint {
  const seconds = time.seconds ? BigInt(time.seconds.toString()) : 0n;
  const nanos = seconds * nanosPerSecond + BigInt(time.nanos ?? 0);
  return nanos < int64Min ? int64Min : nanos > int64Max ? int64Max : nanos;
}

/** A Timestamp: nanos are never negative. */
export function toTimestamp(nanos: bigint): { seconds: Long; nanos: number } {
  const remainder = ((nanos % nanosPerSecond) + nanosPerSecond) % nanosPerSecond;
  return {
    seconds: Long.fromString(((nanos - remainder) / nanosPerSecond).toString()),
    nanos: Number(remainder),
  };
}

/** A Duration: nanos have the sign of the whole. */
export function toDuration(nanos: bigint): { seconds: Long; nanos: number } {
  return {
    seconds: Long.fromString((nanos / nanosPerSecond).toString()),
    nanos: Number(nanos % nanosPerSecond),
  };
}

/**
 * The range of two optional times. A time that is not set, or is the epoch, is no bound; without
 * any bound the range is undefined.
 */
export function toOptionalRange(
  start: WireTime | null | undefined,
  end: WireTime | null | undefined,
): TimeRange | undefined {
  const from = start ? toNanos(start) : 0n;
  const to = end ? toNanos(end) : 0n;
  if (from === 0n && to === 0n) return undefined;
  return { from, to: to === 0n ? int64Max : to };
}
