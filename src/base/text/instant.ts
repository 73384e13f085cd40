// Points in time as text: RFC 3339, Unix times, and times relative to now.
import { parseDuration } from './duration.ts';
import { AppError } from '../errors.ts';

const rfc3339Form = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)$/;
const relativeForm = /^now(?:([+-])(\w+))?$/;
const unixForm = /^(\d{1,14})(?:\.(\d{1,9}))?$/;
/**
 * Maximum number of digits of a time in seconds, which is enough until the year 5138. Longer
 * numbers are milliseconds; these begin in 1973.
 */
const unixSecondsDigitsMax = 11;

/** Returns an RFC 3339 time as nanoseconds since 1970; undefined for other strings. */
export function parseRfc3339(text: string): bigint | undefined {
  const match = rfc3339Form.exec(text);
  if (match === null) return undefined;
  const [, day, time, fraction = '', zone] = match;
  const millis = Date.parse(`${day}T${time}${zone.toUpperCase()}`);
  if (Number.isNaN(millis)) return undefined;
  return BigInt(millis) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

/**
 * Parses a time in any form that a person or a script may write, and returns nanoseconds since
 * 1970: "2026-11-21T10:00:00Z", Unix seconds or milliseconds, "now", "now-1h30m", "now-2d".
 *
 * Errors: AppError 'invalid-argument' that names the forms.
 */
export function parseInstant(text: string, nowMillis: number): bigint {
  const nanos = readInstant(text, nowMillis);
  if (nanos !== undefined && BigInt.asIntN(64, nanos) === nanos) return nanos;
  throw new AppError(
    'invalid-argument',
    `cannot read time ${JSON.stringify(text)}: expected RFC 3339 such as 2026-11-21T10:00:00Z, ` +
      'Unix seconds or milliseconds, now, or now-1h, in the years 1678 to 2262',
  );
}

function readInstant(text: string, nowMillis: number): bigint | undefined {
  const relative = relativeForm.exec(text);
  if (relative !== null) {
    const [, sign, distance] = relative;
    const millis = sign === undefined ? 0 : parseDuration(distance);
    return BigInt(nowMillis + (sign === '-' ? -millis : millis)) * 1_000_000n;
  }
  const unix = unixForm.exec(text);
  if (unix === null) return parseRfc3339(text);
  const [, whole, fraction] = unix;
  if (whole.length <= unixSecondsDigitsMax) {
    return BigInt(whole) * 1_000_000_000n + BigInt((fraction ?? '').padEnd(9, '0'));
  }
  return fraction === undefined ? BigInt(whole) * 1_000_000n : undefined;
}
