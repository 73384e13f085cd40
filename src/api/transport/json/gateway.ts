// Serves unary methods over HTTP and JSON, with the paths and the mapping of grpc-gateway.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { assert } from '../../../base/assert.ts';
import { errorCode, errorMessage } from '../../../base/errors.ts';
import { jsonMessageBytesMax } from '../../limits.ts';
import type { Call, TransportContext } from '../call/call.ts';
import { runHttpCall } from '../call/http-call.ts';
import type { CallContext, UnaryMethod } from '../call/method.ts';
import type { Caller } from '../../auth/caller.ts';
import { decodeMessage, readBody } from '../call/request-body.ts';
import type { ByteLease } from '../call/request-memory.ts';
import { readRequestOptions, type RequestOptions } from '../call/request-options.ts';
import { jsonDetails, retryHeaders } from '../call/retry-info.ts';
import { TooLargeError, wireStatus } from '../call/status.ts';
import type { JsonTurns } from './json-turns.ts';
import { parseQuery } from './query-parameters.ts';
import { readJsonBody } from './read-json.ts';
import { loadSchema } from './load-schema.ts';
import type { Schema } from './schema.ts';
import { jsonToMessage } from './to-message.ts';

/** A path of the gateway, below `{path-prefix}/api`. */
export interface GatewayRoute {
  readonly verb: 'GET' | 'POST';
  /** Path in which `:name` stands for a field of the request. */
  readonly path: string;
  readonly method: string;
}

const profileStore = '/parca.profilestore.v1alpha1.ProfileStoreService';
const query = '/parca.query.v1alpha1.QueryService';
const debuginfo = '/parca.debuginfo.v1alpha1.DebuginfoService';

export const gatewayRoutes: readonly GatewayRoute[] = [
  { verb: 'POST', path: '/profiles/writeraw', method: `${profileStore}/WriteRaw` },
  { verb: 'POST', path: '/profiles/writearrow', method: `${profileStore}/WriteArrow` },
  { verb: 'GET', path: '/agents', method: '/parca.profilestore.v1alpha1.AgentsService/Agents' },
  { verb: 'GET', path: '/profiles/query_range', method: `${query}/QueryRange` },
  { verb: 'GET', path: '/profiles/query', method: `${query}/Query` },
  { verb: 'GET', path: '/profiles/series', method: `${query}/Series` },
  { verb: 'GET', path: '/profiles/types', method: `${query}/ProfileTypes` },
  { verb: 'GET', path: '/profiles/labels', method: `${query}/Labels` },
  { verb: 'GET', path: '/profiles/labels/:label_name/values', method: `${query}/Values` },
  { verb: 'POST', path: '/profiles/share', method: `${query}/ShareProfile` },
  { verb: 'GET', path: '/profiles/has_profile_data', method: `${query}/HasProfileData` },
  { verb: 'POST', path: '/shouldinitiateupload', method: `${debuginfo}/ShouldInitiateUpload` },
  { verb: 'POST', path: '/initiateupload', method: `${debuginfo}/InitiateUpload` },
  { verb: 'POST', path: '/markuploadfinished', method: `${debuginfo}/MarkUploadFinished` },
  {
    verb: 'POST',
    path: '/telemetry/panic',
    method: '/parca.telemetry.v1alpha1.TelemetryService/ReportPanic',
  },
  { verb: 'GET', path: '/targets', method: '/parca.scrape.v1alpha1.ScrapeService/Targets' },
];

/** Methods whose answers grow with the number of series. */
const listMethods: ReadonlySet<string> = new Set(
  ['Series', 'Labels', 'Values', 'ProfileTypes'].map((name) => `${query}/${name}`),
);

/** Serves the methods of `transport` as JSON. */
export class JsonGateway {
  readonly #transport: TransportContext;

  constructor(transport: TransportContext) {
    this.#transport = transport;
  }

  /** Serves one request and ends the response; never rejects. */
  async serve(
    route: GatewayRoute,
    pathFields: Readonly<Record<string, string>>,
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller,
  ): Promise<void> {
    const transport = this.#transport;
    let method: UnaryMethod;
    let options: RequestOptions;
    try {
      const found = transport.findMethod(route.method, caller);
      assert(found.kind === 'unary', route.method);
      method = found;
      options = readRequestOptions(request.headers, request.url);
    } catch (error) {
      request.resume();
      respondError(response, error);
      return;
    }
    await runHttpCall(
      transport,
      request,
      response,
      caller,
      method,
      options,
      async (call, lease) => {
        const json = await this.#run(route, method, pathFields, request, call, lease);
        if (json instanceof Readable) await call.bounded(respondStream(response, json));
        else respondJson(response, 200, json);
      },
      (error) => {
        if (!request.complete && request.httpVersionMajor === 1) {
          response.setHeader('connection', 'close');
        }
        respondError(response, error);
      },
    );
  }

  async #run(
    route: GatewayRoute,
    method: UnaryMethod,
    pathFields: Readonly<Record<string, string>>,
    request: IncomingMessage,
    call: Call,
    lease: ByteLease,
  ): Promise<Buffer | Readable> {
    const schema = await loadSchema();
    const { url = '' } = request;
    let message: Uint8Array;
    if (route.verb === 'GET') {
      const { request: type } = schema.method(route.method);
      const fields = { ...parseQuery(schema, type, url), ...pathFields };
      message = jsonToMessage(schema, type, fields);
    } else {
      const body = await this.#readBody(request, call, lease);
      const { clock } = this.#transport.runner;
      message = await call.bounded(
        readJsonBody(route.method, body, clock, () => call.context.signal),
      );
    }
    const { jsonTurns } = this.#transport;
    const { context } = call;
    return call.bounded(answerAsJson(schema, method, message, context, jsonTurns, lease));
  }

  async #readBody(request: IncomingMessage, call: Call, lease: ByteLease): Promise<Uint8Array> {
    const { messageBytesMax, stallMillisMax, runner } = this.#transport;
    const limits = { clock: runner.clock, lease, bytesMax: messageBytesMax, stallMillisMax };
    const sent = await call.bounded(readBody(request, limits));
    const encoding = request.headers['content-encoding'] ?? 'identity';
    return decodeMessage(sent, encoding, messageBytesMax, lease);
  }
}

/**
 * Calls a method, and returns its response as JSON. A long response is a stream, which the caller
 * must read or destroy. `lease` is charged with the bytes of a long response before it is
 * converted.
 */
export async function answerAsJson(
  schema: Schema,
  method: UnaryMethod,
  request: Uint8Array,
  context: CallContext,
  turns: JsonTurns,
  lease?: ByteLease,
): Promise<Buffer | Readable> {
  const types = schema.method(method.path);
  const listTurn = listMethods.has(method.path) ? await turns.takeList(context) : undefined;
  let json: Buffer | Readable | undefined;
  try {
    const answer = await method.handle(request, context);
    if (answer.length > jsonMessageBytesMax) lease?.take(answer.length);
    json = await turns.open(schema, types.response, answer, context, listTurn);
    return json;
  } finally {
    if (!(json instanceof Readable)) listTurn?.end();
  }
}

/** Returns an answer as one string. */
export async function wholeJson(answer: Buffer | Readable): Promise<string> {
  return answer instanceof Readable ? text(answer) : answer.toString();
}

/** Returns the HTTP status and the JSON body of an error, in the form of grpc-gateway. */
export function errorAnswer(error: unknown): { readonly status: number; readonly body: string } {
  const { grpc, http } = wireStatus(errorCode(error));
  const status = error instanceof TooLargeError ? 413 : http;
  const body = { code: grpc, message: errorMessage(error), details: jsonDetails(error) };
  return { status, body: JSON.stringify(body) };
}

/** Sends an error and ends the response. */
export function respondError(response: ServerResponse, error: unknown): void {
  const { status, body } = errorAnswer(error);
  respondJson(response, status, body, retryHeaders(error));
}

const jsonHeaders = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * Sends a long answer while it is made. Rejects if the caller disconnects or the call ends early.
 */
function respondStream(response: ServerResponse, json: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    // The call aborts the stream when the response closes early.
    json.once('error', (error) => {
      response.destroy();
      reject(error);
    });
    response.once('finish', resolve);
    response.writeHead(200, jsonHeaders);
    json.pipe(response);
  });
}

function respondJson(
  response: ServerResponse,
  status: number,
  json: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const body = typeof json === 'string' ? Buffer.from(json) : json;
  response.writeHead(status, {
    ...headers,
    ...jsonHeaders,
    'content-length': body.length,
  });
  response.end(body);
}
