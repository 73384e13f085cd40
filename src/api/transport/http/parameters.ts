// Reads the parameters of our own HTTP paths, and checks each name and each value.
import { parseDuration } from '../../../base/text/duration.ts';
import { AppError } from '../../../base/errors.ts';
import { parseInstant } from '../../../base/text/instant.ts';
import { nearest } from '../../../base/text/nearest.ts';
import type { TimeRange } from '../../../storage/interface.ts';

/** Parameters by name. */
export type UrlParameters = ReadonlyMap<string, string>;

/** Parameters that every call may have; `readRequestOptions` reads them. */
const ofCalls: ReadonlySet<string> = new Set(['timeout', 'symbolizer-wait']);

/**
 * Reads the parameters of a URL; each of `names` may appear once. Skips the parameters in
 * `repeated`, which `readRepeated` reads, and the parameters of all calls.
 *
 * Errors: AppError 'invalid-argument'.
 */
export function readParameters(
  url: string,
  names: readonly string[],
  repeated: readonly string[] = [],
): Map<string, string> {
  const given = new Map<string, string>();
  for (const [name, value] of parseParameters(url)) {
    if (ofCalls.has(name) || repeated.includes(name)) continue;
    if (!names.includes(name)) {
      const known = [...names, ...repeated];
      const near = nearest(name, known);
      const hint = near === undefined ? `known are ${known.join(', ')}` : `did you mean ${near}?`;
      throw invalid(`unknown parameter ${JSON.stringify(name)}: ${hint}`);
    }
    if (given.has(name)) throw invalid(`too many values for parameter ${name}`);
    given.set(name, value);
  }
  return given;
}

/** Returns all values of a parameter that may appear several times; empty values are left out. */
export function readRepeated(url: string, name: string): string[] {
  return parseParameters(url)
    .getAll(name)
    .filter((value) => value !== '');
}

function parseParameters(url: string): URLSearchParams {
  const mark = url.indexOf('?');
  return new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
}

/**
 * Parses a time in any form that people write. Errors: AppError 'invalid-argument' naming the
 * parameter.
 */
export function readTime(name: string, text: string, nowMillis: number): bigint {
  try {
    return parseInstant(text, nowMillis);
  } catch (error) {
    if (error instanceof AppError) throw invalid(`${name}: ${error.message}`);
    throw error;
  }
}

/** Reads `query`. Errors: AppError 'invalid-argument' if it is missing. */
export function readQueryText(given: UrlParameters): string {
  const query = given.get('query') ?? '';
  if (query === '') throw invalid('query: cannot be blank.');
  return query;
}

/** Reads `start` and `end`; the default is the last hour. Errors: AppError 'invalid-argument'. */
export function readRange(given: UrlParameters, nowMillis: number): TimeRange {
  const from = readTime('start', given.get('start') ?? 'now-1h', nowMillis);
  const to = readTime('end', given.get('end') ?? 'now', nowMillis);
  if (from > to) throw invalid('start timestamp must be before end');
  return { from, to };
}

/** Reads one of `choices`; the default is the first. Errors: AppError 'invalid-argument'. */
export function readChoice<T extends string>(
  given: UrlParameters,
  name: string,
  choices: readonly [T, ...T[]],
): T {
  const text = given.get(name) ?? choices[0];
  const choice = choices.find((one) => one === text);
  if (choice !== undefined) return choice;
  throw invalid(`${name}: must be ${choices.join(', ')}, not ${JSON.stringify(text)}`);
}

/** Reads a whole number from 0 to `largest`. Errors: AppError 'invalid-argument'. */
export function readCount(
  given: UrlParameters,
  name: string,
  initial: number,
  largest: number,
): number {
  const text = given.get(name) ?? String(initial);
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (count <= largest) return count;
  throw invalid(`${name}: must be a number from 0 to ${largest}, not ${JSON.stringify(text)}`);
}

/**
 * Reads a duration such as 30s or 1m30s as nanoseconds; undefined when it is absent.
 *
 * Errors: AppError 'invalid-argument'.
 */
export function readDuration(given: UrlParameters, name: string): bigint | undefined {
  const text = given.get(name);
  if (text === undefined) return undefined;
  try {
    return BigInt(parseDuration(text)) * 1_000_000n;
  } catch (error) {
    if (error instanceof AppError) throw invalid(`${name}: ${error.message}`);
    throw error;
  }
}

function invalid(message: string): AppError {
  return new AppError('invalid-argument', message);
}
