// Decoding of requests, and conversion of protobuf times.
import Long from 'long';
import { AppError, errorMessage } from '../../../base/errors.ts';
import { decodedRequestBytesMax } from '../../limits.ts';
import { int64Max, int64Min } from '../../../base/int64.ts';
import type { TimeRange } from '../../../storage/interface.ts';

/**
 * Decodes a request. An empty message of 2 bytes becomes an object, so only requests without lists
 * may be large, or those whose lists were counted before.
 *
 * Errors: AppError 'invalid-argument'; 'resource-exhausted' past `bytesMax`.
 */
export function decodeRequest<T>(
  type: { readonly name: string; decode(bytes: Uint8Array): T },
  bytes: Uint8Array,
  bytesMax = decodedRequestBytesMax,
): T {
  if (bytes.length > bytesMax) {
    const why = `it has ${bytes.length} bytes, the limit is ${bytesMax}`;
    throw new AppError('resource-exhausted', `cannot decode ${type.name}: ${why}`);
  }
  try {
    return type.decode(bytes);
  } catch (error) {
    throw malformed(type.name, error);
  }
}

/** Error for a request whose bytes are not a message of its type. */
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

/** Converts to nanoseconds, clamped to int64: Go's zero time, year 1, does not fit. */
export function toNanos(time: WireTime): bigint {
  const seconds = time.seconds ? BigInt(time.seconds.toString()) : 0n;
  const nanos = seconds * nanosPerSecond + BigInt(time.nanos ?? 0);
  return nanos < int64Min ? int64Min : nanos > int64Max ? int64Max : nanos;
}

/** Converts to a Timestamp, whose nanos are never negative. */
export function toTimestamp(nanos: bigint): { seconds: Long; nanos: number } {
  const remainder = ((nanos % nanosPerSecond) + nanosPerSecond) % nanosPerSecond;
  return {
    seconds: Long.fromString(((nanos - remainder) / nanosPerSecond).toString()),
    nanos: Number(remainder),
  };
}

/** Converts to a Duration, whose nanos have the sign of its seconds. */
export function toDuration(nanos: bigint): { seconds: Long; nanos: number } {
  return {
    seconds: Long.fromString((nanos / nanosPerSecond).toString()),
    nanos: Number(nanos % nanosPerSecond),
  };
}

/**
 * Returns the range between two optional times. An unset time or the epoch means "no bound";
 * without any bound it is undefined.
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
