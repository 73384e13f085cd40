// Sends the requests of Amazon's client with our HTTP client, so that our proxies, certificates and
// limits apply.
import { Readable } from 'node:stream';
import { canonicalQuery } from '../../../http-client/logins/aws-signature.ts';
import type { HttpClient } from '../../../http-client/http-client.ts';
import { readBody } from '../../../http-client/read-body.ts';
import { objectAnswerBytesMax } from '../../limits.ts';
import { TryAgain } from '../attempts.ts';
import { joinedHeaders } from './joined-headers.ts';

/** Fields of a signed request of the client that this file uses. */
export interface S3Request {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly query: Readonly<Record<string, string | readonly string[] | null>>;
  headers: Record<string, string>;
  readonly body?: unknown;
}

interface S3Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | Readable;
}

/** The client's option `requestHandler`. */
export interface S3Transport {
  handle(
    request: S3Request,
    options?: { readonly abortSignal?: AbortSignal },
  ): Promise<{ readonly response: S3Answer }>;
  destroy(): void;
  httpHandlerConfigs(): object;
  updateHttpClientConfig(): void;
}

/**
 * Returns a transport. It reads answers completely, up to a limit, unless they are the content of
 * an object.
 */
export function createS3Transport(http: HttpClient, answerMillis: number | undefined): S3Transport {
  return {
    handle: async (request, { abortSignal } = {}) => {
      // This reloads certificates, which may have changed on the disk.
      await http.headers();
      const { statusCode, headers, body } = await http.dispatcher.request({
        origin: originOf(request),
        path: `${request.path}${queryOf(request)}`,
        method: request.method,
        headers: request.headers,
        body: toBody(request.body),
        signal: abortSignal ?? null,
        headersTimeout: answerMillis ?? 0,
        bodyTimeout: 0,
      });
      const answer = { statusCode, headers: joinedHeaders(headers) };
      if (statusCode < 300 && request.query['x-id'] === 'GetObject') {
        return { response: { ...answer, body } };
      }
      const bytes = await readBody(body, objectAnswerBytesMax);
      if (bytes !== undefined) return { response: { ...answer, body: bytes } };
      throw new TryAgain('unavailable', `it answers more than ${objectAnswerBytesMax} bytes`);
    },
    destroy: () => undefined,
    httpHandlerConfigs: () => ({}),
    updateHttpClientConfig: () => undefined,
  };
}

function originOf({ protocol, hostname, port }: S3Request): string {
  return `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`;
}

/** Returns the query string in the order and encoding in which it was signed. */
function queryOf({ query }: S3Request): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? '']).map((one) => [name, String(one)] as const),
  );
  return pairs.length === 0 ? '' : `?${canonicalQuery(pairs)}`;
}

function toBody(body: unknown): Uint8Array | string | Readable | null {
  if (typeof body === 'string' || body instanceof Uint8Array || body instanceof Readable) {
    return body;
  }
  return null;
}
