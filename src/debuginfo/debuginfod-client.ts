// Requests one file from one debuginfod server. The caller's signal limits the time, and the reader
// of the body limits the size.
import type { Dispatcher } from 'undici';
import { AppError, networkMessage } from '../base/errors.ts';
import { debuginfodRedirectsMax } from './limits.ts';
import { undici } from '../http-client/undici.ts';

/** Form of build ids for which debuginfod servers are asked; other ids are never sent to them. */
export const buildIdPattern = /^[0-9a-f]{8,128}$/;

export interface DebuginfodRequest {
  /** Address of the server without a slash at its end; it may include a path. */
  readonly server: string;
  /** Build id in hex. */
  readonly buildId: string;
  /**
   * Absolute name of a source file. If it is given, the source is requested instead of the debug
   * file.
   */
  readonly source?: string;
  readonly dispatcher: Dispatcher;
  readonly userAgent: string;
  /** Ends the request, even while the body is being read. */
  readonly signal: AbortSignal;
}

/**
 * Requests a file of a build id. The caller must read the body to its end, or abort the signal.
 * Returns undefined if the server does not have the file.
 *
 * Errors: AppError 'unavailable' when the server cannot be reached or fails, 'failed-precondition'
 * for redirects to other servers; the signal's reason.
 */
export async function requestDebuginfo(
  options: DebuginfodRequest,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const { server, buildId, source } = options;
  // The name is resolved here, because ".." in the request's URL would lead to other paths of the
  // server.
  const encoded = source?.split('/').map(encodeURIComponent).join('/');
  const file = encoded === undefined ? undefined : new URL(`http://sources${encoded}`).pathname;
  let url = `${server}/buildid/${buildId}/${file === undefined ? 'debuginfo' : `source${file}`}`;
  for (let redirects = 0; ; redirects += 1) {
    const { statusCode, headers, body } = await get(url, options);
    // The body may be abandoned before anybody reads it, and an error without a listener would end
    // the process.
    body.on('error', () => undefined);
    if (statusCode === 200) return readBody(body, options);
    body.destroy();
    if (statusCode === 404) return undefined;
    const location = [headers.location ?? []].flat()[0];
    if (statusCode < 300 || statusCode >= 400 || location === undefined) {
      throw new AppError('unavailable', `${server} answers ${statusCode}`);
    }
    const next = URL.parse(location, url);
    const isOwn = next?.origin === new URL(url).origin;
    if (!isOwn || redirects === debuginfodRedirectsMax) {
      const why = isOwn ? `more than ${debuginfodRedirectsMax} times` : 'to another server';
      throw new AppError('failed-precondition', `${server} redirects ${why}: ${location}`);
    }
    url = next.href;
  }
}

async function get(url: string, options: DebuginfodRequest): Promise<Dispatcher.ResponseData> {
  const { dispatcher, signal, userAgent, server } = options;
  // Servers may search their archives for a long time, so only the signal limits the time.
  const limits = { headersTimeout: 0, bodyTimeout: 0 };
  try {
    return await undici().request(url, {
      dispatcher,
      signal,
      headers: { 'user-agent': userAgent },
      ...limits,
    });
  } catch (error) {
    throw failure(error, signal, server);
  }
}

async function* readBody(
  body: Dispatcher.ResponseData['body'],
  { signal, server }: DebuginfodRequest,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk as Uint8Array;
  } catch (error) {
    throw failure(error, signal, server);
  }
}

function failure(error: unknown, signal: AbortSignal, server: string): unknown {
  if (signal.aborted) return signal.reason;
  return new AppError('unavailable', `cannot reach ${server}: ${networkMessage(error)}`);
}
