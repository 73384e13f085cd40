// What a caller says about the limits of its own request: how long it waits, what it may cost.
import { parseByteSize } from '../base/byte-size.ts';
import { parseGoDuration } from '../base/duration.ts';
import { AppError, errorMessage } from '../base/errors.ts';
import type { QueryLimits } from '../query/interface.ts';
import { parseTimeout } from './grpc-headers.ts';

/** Headers, or metadata of gRPC, that lower the limits of one query. */
export const rowsMaxHeader = 'parca-query-max-rows';
export const memoryMaxHeader = 'parca-query-max-memory';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Reads the headers, and the `timeout` parameter of a plain HTTP request where `url` is given.
 *
 * Errors: AppError 'invalid-argument' naming the header or parameter.
 */
export function readCallerLimits(headers: Headers, url?: string): Partial<QueryLimits> {
  const timeouts = [parseTimeout(textOf(headers['grpc-timeout'])), timeoutParameter(url)];
  const given = timeouts.filter((millis) => millis !== undefined);
  return {
    ...(given.length === 0 ? {} : { timeMillisMax: Math.max(1, Math.min(...given)) }),
    ...limit('rowsMax', headers, rowsMaxHeader, parseCount),
    ...limit('memoryBytesMax', headers, memoryMaxHeader, parseByteSize),
  };
}

function limit(
  name: 'rowsMax' | 'memoryBytesMax',
  headers: Headers,
  header: string,
  parse: (text: string) => number,
): Partial<QueryLimits> {
  const text = textOf(headers[header]);
  return text === undefined ? {} : { [name]: named(header, () => parse(text)) };
}

/** As Prometheus takes it: a duration, or seconds. */
function timeoutParameter(url = ''): number | undefined {
  const mark = url.indexOf('?');
  const text = mark === -1 ? null : new URLSearchParams(url.slice(mark + 1)).get('timeout');
  if (text === null) return undefined;
  return named('timeout', () => {
    const millis = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : parseGoDuration(text);
    if (millis > 0) return millis;
    throw new AppError('invalid-argument', `must be longer than 0, not ${text}`);
  });
}

function parseCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count)) return count;
  throw new AppError('invalid-argument', `must be a number of rows, not ${JSON.stringify(text)}`);
}

function named<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new AppError('invalid-argument', `${name}: ${errorMessage(error)}`, { cause: error });
  }
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0];
}
