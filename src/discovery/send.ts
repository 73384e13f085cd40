// One request of a discovery: a deadline, a limit, and errors that name the request.
import { AppError } from '../base/errors.ts';
import { inputLimits, inputLimitTable } from '../base/input-limits.ts';
import { dropBody, type HttpClient, readBody } from '../config/http-client.ts';

/** Longest time of an answer. */
const requestMillisMax = 60_000;

export interface Request {
  readonly client: HttpClient;
  readonly url: string;
  /** Text to send. */
  readonly body?: string;
  /** Method; by default POST with a body, and GET without one. */
  readonly method?: 'PUT';
  /** Names are in lower case; they win over headers of the client. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Name of the requested thing, for messages. */
  readonly what: string;
  /** Returns why an answer of a content type is refused. */
  readonly typeMistake?: (type: string) => string | undefined;
}

/** An answer with a status of success. */
export interface Answer {
  readonly text: string;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Returns the text of an answer.
 *
 * Errors: those of send.
 */
export async function getText(request: Request): Promise<string> {
  return (await send(request)).text;
}

/**
 * Sends a request.
 *
 * Errors: AppError 'not-found' for status 404, 'unavailable' for other failures and answers that
 * are too large; those of the network.
 */
export async function send(request: Request): Promise<Answer> {
  const { client, what, signal, body: sent } = request;
  const { origin, pathname, search } = new URL(request.url);
  const own = await client.headers();
  const { statusCode, headers, body } = await client.dispatcher.request({
    origin,
    path: pathname + search,
    method: request.method ?? (sent === undefined ? 'GET' : 'POST'),
    headers: { ...own, accept: 'application/json', ...request.headers },
    ...(sent === undefined ? {} : { body: sent }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(requestMillisMax)]),
  });
  // The rest is not read: after a refusal, it could keep the connection for any time.
  const refuse = (why: string, limit?: string): AppError => {
    dropBody(body);
    const code = statusCode === 404 ? 'not-found' : 'unavailable';
    return new AppError(code, `cannot get ${what}: ${why}`, { limit });
  };
  if (statusCode < 200 || statusCode > 299) {
    throw refuse(`the answer has status ${statusCode}`);
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
