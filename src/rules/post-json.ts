// Posts alerts as JSON to another server.
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { HttpClientConfig } from '../config/config.ts';
import type { DiscoveryContext } from '../discovery/interface.ts';
import { createHttpClient, type HttpClient } from '../http-client/http-client.ts';
import { dropBody, readBody } from '../http-client/read-body.ts';
import { answerBytesMax, resendMillis } from './limits.ts';
import { readRetryAfter } from './retry-after.ts';

/** Creates a client that keeps connections open between two messages. */
export function createPostClient(
  config: HttpClientConfig,
  context: DiscoveryContext,
): Promise<HttpClient> {
  return createHttpClient({ ...context, config, intervalMillis: resendMillis });
}

interface PostOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /**
   * Returns the reason of a permanent refusal in an answer with a status of success; undefined if
   * the body was accepted. Throws if it may be accepted later.
   */
  readonly readAnswer?: ((bytes: Uint8Array) => string | undefined) | undefined;
}

/**
 * Posts a body. Returns the reason for a permanent refusal; undefined if the body was accepted.
 *
 * Errors: AppError 'unavailable' if it may be accepted later; errors of the connection.
 */
export async function postJson(
  client: HttpClient,
  address: string,
  json: string,
  { signal, clock, readAnswer }: PostOptions,
): Promise<string | undefined> {
  const url = new URL(address);
  const { statusCode, headers, body } = await client.dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'POST',
    headers: { ...(await client.headers()), 'content-type': 'application/json' },
    body: json,
    signal,
  });
  const isSuccess = statusCode >= 200 && statusCode <= 299;
  if (isSuccess && readAnswer !== undefined) {
    const bytes = await readBody(body, answerBytesMax);
    return bytes && readAnswer(bytes);
  }
  dropBody(body);
  if (isSuccess) return undefined;
  const why = `the answer has status ${statusCode}`;
  // A malformed message would be refused again and again, and block later messages.
  const isWrong = statusCode === 400 || statusCode === 413 || statusCode === 422;
  if (isWrong) return why;
  const retryAfterMillis = readRetryAfter(headers['retry-after'], clock.nowMillis());
  throw new AppError('unavailable', `cannot send alerts: ${why}`, { retryAfterMillis });
}
