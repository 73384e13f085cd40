// One GET of a discovery: a deadline, a limit, and errors that say what was asked.
import { AppError } from '../base/errors.ts';
import { inputLimits, inputLimitTable } from '../base/input-limits.ts';
import { dropBody, type HttpClient, readBody } from '../config/http-client.ts';

/** An answer that takes longer has failed. */
const requestMillisMax = 60_000;

export interface GetRequest {
  readonly client: HttpClient;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Name of what is asked for, for messages. */
  readonly what: string;
  /** Returns why an answer of a content type is refused. */
  readonly typeMistake?: (type: string) => string | undefined;
}

/**
 * The body of a 200 answer.
 *
 * Errors: AppError 'unavailable' for other answers and larger ones; those of the network.
 */
export async function getText(request: GetRequest): Promise<string> {
  const { client, what, signal } = request;
  const { origin, pathname, search } = new URL(request.url);
  const { statusCode, headers, body } = await client.dispatcher.request({
    origin,
    path: pathname + search,
    method: 'GET',
    headers: { ...(await client.headers()), accept: 'application/json', ...request.headers },
    signal: AbortSignal.any([signal, AbortSignal.timeout(requestMillisMax)]),
  });
  // Reading the rest would let a refusal take the connection for as long as it likes.
  const refuse = (why: string, limit?: string): AppError => {
    dropBody(body);
    return new AppError('unavailable', `cannot get ${what}: ${why}`, { limit });
  };
  if (statusCode !== 200) throw refuse(`the answer has status ${statusCode}`);
  const type = headers['content-type'];
  const mistake = request.typeMistake?.(typeof type === 'string' ? type.trim() : '');
  if (mistake !== undefined) throw refuse(mistake);
  const bytesMax = inputLimits.discoveryBytes;
  const bytes = await readBody(body, bytesMax);
  if (bytes === undefined) {
    const { flag } = inputLimitTable.discoveryBytes;
    throw refuse(`the answer has more than ${bytesMax} bytes`, flag);
  }
  return Buffer.from(bytes).toString();
}
