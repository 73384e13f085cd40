// Sends the requests of Azure's client with our HTTP client, so that our proxies, certificates and
// limits apply.
import type { Readable } from 'node:stream';
import { readBody } from '../../../http-client/read-body.ts';
import type { HttpClient } from '../../../http-client/http-client.ts';
import { objectAnswerBytesMax } from '../../limits.ts';
import { TryAgain } from '../attempts.ts';
import { type AnswerHeaders, joinedHeaders } from './joined-headers.ts';

/**
 * Headers of `@azure/core-rest-pipeline`, or of the older client that the blob package still uses.
 */
type AzureHeaders =
  | Iterable<readonly [string, string]>
  | { toJson(): Readonly<Record<string, string>> };

/** Fields of a client's request that this file uses. */
export interface AzureRequest {
  readonly url: string;
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS' | 'TRACE';
  readonly headers: AzureHeaders;
  readonly body?: unknown;
  readonly abortSignal?: AbortSignal;
  /** Status codes whose response body is returned as a stream. */
  readonly streamResponseStatusCodes?: ReadonlySet<number>;
}

interface AzureAnswer {
  readonly request: AzureRequest;
  readonly status: number;
  readonly headers: unknown;
  readonly bodyAsText?: string;
  readonly readableStreamBody?: Readable;
}

export interface AzureTransport {
  sendRequest(request: AzureRequest): Promise<AzureAnswer>;
}

/** Headers that apply to the connection, or to an encoding that is already removed. */
const ownHeaders: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
]);

/**
 * Returns a transport for the client's pipeline. `makeHeaders` is the client's own function: the
 * client expects headers that it has created.
 */
export function createAzureTransport(
  http: HttpClient,
  makeHeaders: (headers: Record<string, string>) => object,
  answerMillis: number | undefined,
): AzureTransport {
  const bothHeaders = (headers: AnswerHeaders): object => {
    const all = joinedHeaders(headers);
    return Object.assign(makeHeaders(all), { toJson: () => all });
  };
  return {
    sendRequest: async (request) => {
      const { origin, pathname, search } = new URL(request.url);
      await http.headers();
      const { statusCode, headers, body } = await http.dispatcher.request({
        origin,
        path: pathname + search,
        method: request.method,
        headers: toHeaders(request),
        body: toBody(request.body),
        signal: request.abortSignal ?? null,
        headersTimeout: answerMillis ?? 0,
        bodyTimeout: 0,
      });
      const answer = { request, status: statusCode, headers: bothHeaders(headers) };
      const streamed = request.streamResponseStatusCodes;
      if (streamed?.has(statusCode) === true || streamed?.has(Infinity) === true) {
        return { ...answer, readableStreamBody: body };
      }
      const bytes = await readBody(body, objectAnswerBytesMax);
      if (bytes === undefined) {
        const why = `it answers more than ${objectAnswerBytesMax} bytes`;
        throw new TryAgain('unavailable', why);
      }
      return { ...answer, bodyAsText: new TextDecoder().decode(bytes) };
    },
  };
}

function toHeaders({ headers }: AzureRequest): Record<string, string> {
  const all = 'toJson' in headers ? Object.entries(headers.toJson()) : [...headers];
  const pairs = all.filter(([name]) => !ownHeaders.has(name.toLowerCase()));
  return Object.fromEntries(pairs);
}

function toBody(body: unknown): Uint8Array | string | null {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  return null;
}
