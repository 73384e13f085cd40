// Sends one request of a discovery or a login, with a deadline, a size limit, and errors that name
// the request.
import { parseJsonText } from '../base/text/json.ts';
import { AppError, type ErrorCode, errorCode } from '../base/errors.ts';
import { inputLimits, inputLimitTable } from '../base/input-limits.ts';
import type { HttpClient } from './http-client.ts';
import { dropBody, readBody } from './read-body.ts';

/** Longest time until an answer is complete, in milliseconds. */
const requestMillisMax = 60_000;

/** Error codes by HTTP status; other statuses are 'unavailable'. */
const failureCodes: ReadonlyMap<number, ErrorCode> = new Map([
  [403, 'permission-denied'],
  [404, 'not-found'],
]);

/** Name and value pairs of a query string; a name may have several values. */
export type Query = readonly (readonly [name: string, value: string])[];

/** A request, independent of the client that sends it. */
export interface Request {
  readonly url: string;
  /** Parameters that are added to the query of `url`. */
  readonly query?: Query;
  /** Body of the request. */
  readonly body?: string;
  /** Method; the default is POST for a request with a body, GET for a request without one. */
  readonly method?: 'PUT';
  /** Headers by names in lower case. They override headers of the client. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Name of the requested resource in error messages; by default, the path of `url`. */
  readonly what?: string;
  /** Explanations of status codes for error messages. */
  readonly hints?: ReadonlyMap<number, string>;
  /**
   * Returns the reason why an answer with this content type is refused; undefined if it is
   * accepted.
   */
  readonly typeMistake?: (type: string) => string | undefined;
}

/** A successful answer. */
export interface Answer {
  readonly text: string;
  /** Headers by names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Sends a request.
 *
 * Errors: AppError 'not-found' for status 404, 'permission-denied' for 403, 'unavailable' for other
 * failures and answers that are too large; network errors.
 */
export type Send = (request: Request) => Promise<Answer>;

/** Returns a function that sends requests with a client. `signal` ends them. */
export function createSend(client: HttpClient, signal: AbortSignal): Send {
  return (request) => sendBy(client, request, signal);
}

/**
 * Returns the JSON of an answer.
 *
 * Errors: as in `send`; AppError 'resource-exhausted' for too many objects, 'unavailable' for an
 * answer that is not JSON.
 */
export async function getJson(send: Send, request: Request): Promise<unknown> {
  const { text } = await send(request);
  const what = `cannot get ${new URL(request.url).pathname}`;
  try {
    return parseJsonText(text, what);
  } catch (error) {
    if (errorCode(error) === 'resource-exhausted') throw error;
    throw new AppError('unavailable', `${what}: the answer is not JSON`, { cause: error });
  }
}

async function sendBy(client: HttpClient, request: Request, signal: AbortSignal): Promise<Answer> {
  const { body: content, query = [] } = request;
  const url = new URL(request.url);
  for (const [name, value] of query) url.searchParams.append(name, value);
  const { what = url.pathname } = request;
  const clientHeaders = await client.headers();
  const deadline = AbortSignal.timeout(requestMillisMax);
  const { statusCode, headers, body } = await client.dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: request.method ?? (content === undefined ? 'GET' : 'POST'),
    headers: { ...clientHeaders, accept: 'application/json', ...request.headers },
    ...(content === undefined ? {} : { body: content }),
    signal: AbortSignal.any([signal, deadline]),
  });
  // The rest of the body is not read, because it could keep the connection open forever.
  const refuse = (why: string, limit?: string): AppError => {
    dropBody(body);
    return new AppError(
      failureCodes.get(statusCode) ?? 'unavailable',
      `cannot get ${what}: ${why}`,
      { limit },
    );
  };
  if (statusCode < 200 || statusCode > 299) {
    const hint = request.hints?.get(statusCode);
    throw refuse(`the answer has status ${statusCode}${hint === undefined ? '' : `: ${hint}`}`);
  }
  const type = headers['content-type'];
  const mistake = request.typeMistake?.(typeof type === 'string' ? type.trim() : '');
  if (mistake !== undefined) throw refuse(mistake);
  const bytesMax = inputLimits.discoveryBytes;
  const bytes = await readBody(body, bytesMax);
  if (bytes === undefined) {
    const { flag } = inputLimitTable.discoveryBytes;
    throw refuse(`the answer has more than ${bytesMax} bytes`, flag);
  }
  return { text: Buffer.from(bytes).toString(), headers };
}
