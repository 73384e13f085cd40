// JSON forms of protobuf's timestamps and durations.
import { AppError } from '../../../base/errors.ts';
import { parseRfc3339 } from '../../../base/text/instant.ts';

/** A timestamp or duration as messages have it. */
export interface SecondsNanos {
  readonly seconds: bigint;
  readonly nanos: number;
}

const nanosPerSecond = 1_000_000_000n;
const durationForm = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/;

/** Parses a time in RFC 3339. Errors: AppError 'invalid-argument'. */
export function parseTimestamp(text: string): SecondsNanos {
  const time = parseRfc3339(text);
  if (time === undefined) {
    throw new AppError('invalid-argument', `invalid timestamp ${JSON.stringify(text)}`);
  }
  return splitNanos(time);
}

function splitNanos(time: bigint): SecondsNanos {
  const nanos = ((time % nanosPerSecond) + nanosPerSecond) % nanosPerSecond;
  return { seconds: (time - nanos) / nanosPerSecond, nanos: Number(nanos) };
}

/** Formats a time in RFC 3339 in UTC, with 0, 3, 6 or 9 digits after the point. */
export function formatTimestamp({ seconds, nanos }: SecondsNanos): string {
  const date = new Date(Number(seconds) * 1000);
  if (Number.isNaN(date.getTime())) {
    throw new AppError('out-of-range', `cannot print timestamp: ${seconds} seconds`);
  }
  return `${date.toISOString().slice(0, 19)}${fraction(nanos)}Z`;
}

/** Formats nanoseconds since 1970 like `formatTimestamp`. */
export function formatNanos(time: bigint): string {
  return formatTimestamp(splitNanos(time));
}

/** Parses a duration such as `10s`, `1.5s` or `-0.1s`. Errors: AppError 'invalid-argument'. */
export function parseDuration(text: string): SecondsNanos {
  const match = durationForm.exec(text);
  if (!match) throw new AppError('invalid-argument', `invalid duration ${JSON.stringify(text)}`);
  const sign = match[1] === '-' ? -1 : 1;
  const nanos = sign * Number((match[3] ?? '').padEnd(9, '0'));
  return { seconds: BigInt(sign) * BigInt(match[2]), nanos };
}

/** Formats a duration in seconds, with 0, 3, 6 or 9 digits after the point. */
export function formatDuration({ seconds, nanos }: SecondsNanos): string {
  const isNegative = seconds < 0n || nanos < 0;
  const whole = seconds < 0n ? -seconds : seconds;
  return `${isNegative ? '-' : ''}${whole}${fraction(Math.abs(nanos))}s`;
}

function fraction(nanos: number): string {
  if (nanos === 0) return '';
  const digits = String(nanos).padStart(9, '0');
  return `.${digits.replace(/(?:000){1,2}$/, '')}`;
}

/**
 * Formats milliseconds since 1970. 0 becomes Go's zero time, which means "never" in Prometheus'
 * API.
 */
export function formatGoTime(millis: number): string {
  return millis === 0 ? '0001-01-01T00:00:00Z' : new Date(millis).toISOString();
}
