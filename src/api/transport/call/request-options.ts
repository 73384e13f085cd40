// Options that a request sets in its headers: its deadline, its limits and its tags.
import { parseByteSize } from '../../../base/text/byte-size.ts';
import { parseGoDuration } from '../../../base/text/duration.ts';
import { AppError, errorMessage } from '../../../base/errors.ts';
import { symbolizerWaitMillisMax } from '../../../base/limits.ts';
import type { QueryLimits } from '../../../query/interface.ts';

/** Headers (in gRPC: metadata) that lower the limits of one query. */
const rowsMaxHeader = 'parca-query-max-rows';
const memoryMaxHeader = 'parca-query-max-memory';

/**
 * Header (in gRPC: metadata) and parameter for the longest time that an answer waits for symbols.
 */
const namesHeader = 'parca-symbolizer-wait';
const namesParameter = 'symbolizer-wait';

/**
 * Header (in gRPC: metadata) that tags a query, so that its caller can find it among running
 * queries.
 */
const tagHeader = 'parca-query-tag';

const tagLengthMax = 64;

/** Options of a request. */
export interface RequestOptions {
  /** Limits that the request sets. The limits of the server apply as well. */
  readonly limits: Partial<QueryLimits>;
  /** Tags that help the caller find the request. */
  readonly tags: readonly string[];
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Reads the headers, and the parameters `timeout` and `symbolizer-wait` of `url`. Only plain HTTP
 * requests have these parameters.
 *
 * Errors: AppError 'invalid-argument' naming the header or parameter.
 */
export function readRequestOptions(headers: Headers, url?: string): RequestOptions {
  return { limits: readLimits(headers, url), tags: readTags(firstValue(headers[tagHeader])) };
}

function readTags(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  if (/^[\w.-]+$/.test(text) && text.length <= tagLengthMax) return [text];
  const what = `must be 1 to ${tagLengthMax} letters, digits, "_", "." or "-"`;
  throw new AppError('invalid-argument', `${tagHeader}: ${what}, not ${JSON.stringify(text)}`);
}

function readLimits(headers: Headers, url: string | undefined): Partial<QueryLimits> {
  const timeouts = [
    parseTimeout(firstValue(headers['grpc-timeout'])),
    parseConnectTimeout(firstValue(headers['connect-timeout-ms'])),
    timeoutParameter(url),
  ];
  const given = timeouts.filter((millis) => millis !== undefined);
  return {
    ...(given.length === 0 ? {} : { timeMillisMax: Math.max(1, Math.min(...given)) }),
    ...namesWait(headers, url),
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
  const text = firstValue(headers[header]);
  return text === undefined ? {} : { [name]: named(header, () => parse(text)) };
}

/** Parses the deadline header of the Connect protocol. Errors: AppError 'invalid-argument'. */
function parseConnectTimeout(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,10}$/.test(header)) return Number(header);
  throw new AppError(
    'invalid-argument',
    `cannot parse connect-timeout-ms ${JSON.stringify(header)}`,
  );
}

const unitMillis: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/**
 * Parses a `grpc-timeout` header, in milliseconds; undefined without a header.
 *
 * Errors: AppError 'invalid-argument' when it is malformed.
 */
export function parseTimeout(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const match = /^(\d{1,8})([HMSmun])$/.exec(header);
  if (!match) {
    throw new AppError('invalid-argument', `cannot parse grpc-timeout ${JSON.stringify(header)}`);
  }
  return Number(match[1]) * unitMillis[match[2]];
}

/** Returns the parameter `timeout` in milliseconds. */
function timeoutParameter(url: string | undefined): number | undefined {
  const text = findParameter(url, 'timeout');
  if (text === undefined) return undefined;
  return named('timeout', () => {
    const millis = parseMillis(text);
    if (millis > 0) return millis;
    throw new AppError('invalid-argument', `must be longer than 0, not ${text}`);
  });
}

/** Reads the longest time that the answer waits for symbols. The parameter overrides the header. */
function namesWait(headers: Headers, url: string | undefined): Partial<QueryLimits> {
  const parameter = findParameter(url, namesParameter);
  const text = parameter ?? firstValue(headers[namesHeader]);
  if (text === undefined) return {};
  return named(parameter === undefined ? namesHeader : namesParameter, () => {
    const millis = parseMillis(text);
    if (millis >= 0 && millis <= symbolizerWaitMillisMax) return { namesMillisMax: millis };
    const most = `${symbolizerWaitMillisMax / 1_000}s`;
    throw new AppError('invalid-argument', `must be 0 to ${most}, not ${text}`);
  });
}

function findParameter(url: string | undefined, name: string): string | undefined {
  const mark = url?.indexOf('?') ?? -1;
  if (url === undefined || mark === -1) return undefined;
  return new URLSearchParams(url.slice(mark + 1)).get(name) ?? undefined;
}

/** Parses a duration, or a number of seconds, as Prometheus does. The result is in milliseconds. */
function parseMillis(text: string): number {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : parseGoDuration(text);
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

function firstValue(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0];
}
