// Decoding of requests, and conversion of protobuf times.
import Long from 'long';
import protobuf from 'protobufjs/minimal.js';
import { AppError, errorMessage } from '../../../base/errors.ts';
import { decodedFieldsMax, decodedRequestBytesMax } from '../../limits.ts';
import { int64Max, int64Min } from '../../../base/int64.ts';
import type { TimeRange } from '../../../storage/interface.ts';

/**
 * Decodes a request. Even an empty message of 2 bytes becomes an object, so the number of fields is
 * limited. `bytesMax` may be large only for requests without lists.
 *
 * Errors: AppError 'invalid-argument'; 'resource-exhausted' above `bytesMax` or `decodedFieldsMax`.
 */
export function decodeRequest<T>(
  type: { readonly name: string; decode(reader: protobuf.Reader): T },
  bytes: Uint8Array,
  bytesMax = decodedRequestBytesMax,
): T {
  const refuse = (why: string): AppError =>
    new AppError('resource-exhausted', `cannot decode ${type.name}: ${why}`);
  if (bytes.length > bytesMax) {
    throw refuse(`it has ${bytes.length} bytes, the limit is ${bytesMax}`);
  }
  const reader = protobuf.Reader.create(bytes);
  // A shorter request cannot have too many fields, because each field takes at least two bytes.
  if (bytes.length > 2 * decodedFieldsMax) {
    const readTag = reader.tag.bind(reader);
    let left = decodedFieldsMax;
    reader.tag = () => {
      left -= 1;
      if (left < 0) throw refuse(`it has more than ${decodedFieldsMax} fields`);
      return readTag();
    };
  }
  try {
    return type.decode(reader);
  } catch (error) {
    throw malformed(type.name, error);
  }
}

/**
 * Passes the content of each length-delimited field to `take`, and skips other fields. The bytes
 * are not copied, so a field that `take` ignores costs nothing.
 *
 * Errors: AppError 'invalid-argument'; 'resource-exhausted' above `decodedFieldsMax`.
 */
export function readFields(
  typeName: string,
  bytes: Uint8Array,
  take: (field: number, content: Uint8Array) => void,
): void {
  try {
    const reader = protobuf.Reader.create(bytes);
    for (let count = 0; reader.pos < reader.len; count += 1) {
      if (count >= decodedFieldsMax) {
        const why = `it has more than ${decodedFieldsMax} fields`;
        throw new AppError('resource-exhausted', `cannot decode ${typeName}: ${why}`);
      }
      const tag = reader.uint32();
      if (tag >>> 3 === 0) throw new RangeError(`field number 0 at ${reader.pos}`);
      if ((tag & 7) !== 2) {
        reader.skipType(tag & 7);
        continue;
      }
      const length = reader.uint32();
      const start = reader.pos;
      if (length > reader.len - start) throw new RangeError(`index out of range: ${start}`);
      reader.pos = start + length;
      take(tag >>> 3, bytes.subarray(start, start + length));
    }
  } catch (error) {
    throw malformed(typeName, error);
  }
}

/** Returns the error for a request whose bytes are not a message of its type. */
export function malformed(typeName: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError('invalid-argument', `cannot decode ${typeName}: ${errorMessage(cause)}`, {
    cause,
  });
}

/** A google.protobuf.Timestamp or Duration as pbjs decodes it. */
export interface WireTime {
  readonly seconds?: Long | null | undefined;
  readonly nanos?: number | null | undefined;
}

const nanosPerSecond = 1_000_000_000n;

/**
 * Converts a time to nanoseconds, clamped to int64, which cannot represent Go's zero time (year 1).
 */
export function toNanos(time: WireTime): bigint {
  const seconds = time.seconds ? BigInt(time.seconds.toString()) : 0n;
  const nanos = seconds * nanosPerSecond + BigInt(time.nanos ?? 0);
  return nanos < int64Min ? int64Min : nanos > int64Max ? int64Max : nanos;
}

/** Converts nanoseconds to a Timestamp, whose `nanos` are never negative. */
export function toTimestamp(nanos: bigint): { seconds: Long; nanos: number } {
  const remainder = ((nanos % nanosPerSecond) + nanosPerSecond) % nanosPerSecond;
  return {
    seconds: Long.fromString(((nanos - remainder) / nanosPerSecond).toString()),
    nanos: Number(remainder),
  };
}

/** Converts nanoseconds to a Duration, whose `nanos` have the sign of its seconds. */
export function toDuration(nanos: bigint): { seconds: Long; nanos: number } {
  return {
    seconds: Long.fromString((nanos / nanosPerSecond).toString()),
    nanos: Number(nanos % nanosPerSecond),
  };
}

/**
 * Returns the range between two optional times. An unset time, or 0, means "no bound". The result
 * is undefined if there is no bound.
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
