// A connection to a server for gRPC calls, with the credentials of the client.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import {
  Client,
  credentials,
  Metadata,
  type ChannelCredentials,
  type ClientWritableStream,
  type ServiceError,
} from '@grpc/grpc-js';
import { AppError, type ErrorCode, errorMessage } from '../errors.ts';
import { connectionFault } from '../connection-fault.ts';
import { speaksTls, splitAddress } from './speaks-tls.ts';

/** Address and credentials of a server. */
export interface ServerOptions {
  /** host:port. */
  readonly address: string;
  /** True for a connection without TLS. */
  readonly isInsecure: boolean;
  /** True for TLS that accepts any certificate. */
  readonly skipsVerify: boolean;
  /** File of authorities for the server's certificate; "" = the authorities of the system. */
  readonly caFile: string;
  /** File of the client certificate; "" = none. */
  readonly clientCertFile: string;
  readonly clientKeyFile: string;
  readonly bearerToken: string;
  /** File with a token; "" = none. It is read before each call, because tokens are renewed. */
  readonly bearerTokenFile: string;
  /** Further headers of each call. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly sendBytesMax: number;
  readonly receiveBytesMax: number;
  /** Flag names that messages recommend; by default, the names that most programs use. */
  readonly flagNames?: { readonly insecure: string; readonly caFile: string };
}

/** Makes calls to a server. */
export interface Server {
  /**
   * Makes a unary call with encoded messages; `signal` cancels it.
   *
   * Errors: AppError with the code of the status and "cannot call <method> of <address>: <why>".
   */
  call(
    method: string,
    request: Uint8Array,
    millisMax: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array>;
  /**
   * Makes a call that sends a stream of encoded messages and gets one message back.
   *
   * Errors: as in `call`, and errors of `messages`.
   */
  sendStream(
    method: string,
    messages: AsyncIterable<Uint8Array>,
    millisMax: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array>;
  /**
   * Makes a call that sends a stream of encoded messages, and returns the response stream as it
   * arrives.
   *
   * Errors: as in `call`, and errors of `messages`.
   */
  stream(
    method: string,
    messages: AsyncIterable<Uint8Array>,
    millisMax: number,
    signal?: AbortSignal,
  ): AsyncIterable<Uint8Array>;
  close(): void;
}

/** Status numbers of gRPC, in order. Source: gRPC's statuscodes.md. */
const codes: readonly ErrorCode[] = [
  'internal', // OK, which is not an error
  'cancelled',
  'internal', // UNKNOWN
  'invalid-argument',
  'deadline-exceeded',
  'not-found',
  'already-exists',
  'failed-precondition', // PERMISSION_DENIED
  'resource-exhausted',
  'failed-precondition',
  'aborted',
  'out-of-range',
  'unimplemented',
  'internal',
  'unavailable',
  'data-loss',
  'failed-precondition', // UNAUTHENTICATED
];

/**
 * Creates a client of a server; the first call connects.
 *
 * Errors: AppError 'invalid-argument' if a file of certificates cannot be read or used.
 */
export function createServer(options: ServerOptions): Server {
  const client = new Client(options.address, channelCredentials(options), {
    'grpc.max_send_message_length': options.sendBytesMax,
    'grpc.max_receive_message_length': options.receiveBytesMax,
    'grpc.enable_retries': 0,
    'grpc.initial_reconnect_backoff_ms': 200,
    'grpc.max_reconnect_backoff_ms': 5_000,
    'grpc.use_local_subchannel_pool': 1,
    // Detects dead connections.
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
  });
  return {
    call: (method, request, millisMax, signal) =>
      new Promise((resolve, reject) => {
        const fail = (error: unknown): void => void fails(reject, method, options, error);
        let metadata: Metadata;
        try {
          metadata = callMetadata(options);
        } catch (error) {
          fail(error);
          return;
        }
        const cancel = (): void => call.cancel();
        const call = client.makeUnaryRequest(
          method,
          identity,
          identity,
          asBuffer(request),
          metadata,
          { deadline: deadlineIn(millisMax) },
          (error: ServiceError | null, response?: Buffer) => {
            signal?.removeEventListener('abort', cancel);
            if (error !== null) fail(error);
            else resolve(response ?? new Uint8Array(0));
          },
        );
        signal?.addEventListener('abort', cancel, { once: true });
        if (signal?.aborted === true) cancel();
      }),
    sendStream: (method, messages, millisMax, signal) =>
      sendStream(client, options, method, messages, millisMax, signal),
    stream: (method, messages, millisMax, signal) =>
      openStream(client, options, method, messages, millisMax, signal),
    close: () => client.close(),
  };
}

async function sendStream(
  client: Client,
  options: ServerOptions,
  method: string,
  messages: AsyncIterable<Uint8Array>,
  millisMax: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const ended = Promise.withResolvers<Uint8Array>();
  const call = client.makeClientStreamRequest(
    method,
    identity,
    identity,
    callMetadata(options),
    { deadline: deadlineIn(millisMax) },
    (error: ServiceError | null, response?: Buffer) => {
      if (error !== null) void fails(ended.reject, method, options, error);
      else ended.resolve(response ?? new Uint8Array(0));
    },
  );
  const cancel = (): void => call.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    for await (const message of messages) {
      if (signal?.aborted === true) cancel();
      const isTaken = await Promise.race([written(call, message), ended.promise]);
      // The server may have answered before all messages were sent.
      if (isTaken !== true) break;
    }
    call.end();
    return await ended.promise;
  } catch (error) {
    call.cancel();
    ended.promise.catch(() => undefined);
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

async function* openStream(
  client: Client,
  options: ServerOptions,
  method: string,
  messages: AsyncIterable<Uint8Array>,
  millisMax: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const call = client.makeBidiStreamRequest<Buffer, Buffer>(
    method,
    identity,
    identity,
    callMetadata(options),
    { deadline: deadlineIn(millisMax) },
  );
  const cancel = (): void => call.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  let sendError: unknown;
  const send = async (): Promise<void> => {
    for await (const message of messages) await written(call, message);
    call.end();
  };
  // The server may answer and end the call before it has all messages.
  send().catch((error: unknown) => {
    sendError = error;
    call.cancel();
  });
  try {
    for await (const answer of call) yield answer;
  } catch (error) {
    if (sendError instanceof AppError) throw sendError;
    throw await callError(method, options, error);
  } finally {
    signal?.removeEventListener('abort', cancel);
    call.cancel();
  }
}

/** Waits until the connection has space for the next message. */
function written(
  call: Pick<ClientWritableStream<Buffer>, 'write'>,
  message: Uint8Array,
): Promise<true> {
  return new Promise((resolve, reject) => {
    call.write(asBuffer(message), (error?: Error | null) => {
      if (error) reject(error);
      else resolve(true);
    });
  });
}

function deadlineIn(millis: number): Date {
  return new Date(performance.timeOrigin + performance.now() + millis);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const identity = (bytes: Buffer): Buffer => bytes;

function channelCredentials(options: ServerOptions): ChannelCredentials {
  if (options.isInsecure) return credentials.createInsecure();
  const { caFile, clientCertFile, clientKeyFile, skipsVerify } = options;
  const read = (path: string): Buffer | null => (path === '' ? null : readCertificate(path));
  try {
    const tls = credentials.createSsl(
      read(caFile),
      read(clientKeyFile),
      read(clientCertFile),
      skipsVerify ? { checkServerIdentity: () => undefined, rejectUnauthorized: false } : {},
    );
    return isIP(splitAddress(options.address).host) === 0 ? tls : withoutServerName(tls);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('invalid-argument', `cannot use certificates: ${errorMessage(error)}`);
  }
}

function readCertificate(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new AppError('invalid-argument', `cannot read certificate: ${errorMessage(error)}`);
  }
}

function callMetadata({ bearerToken, bearerTokenFile, headers }: ServerOptions): Metadata {
  const metadata = new Metadata();
  const token = bearerTokenFile === '' ? bearerToken : readFileSync(bearerTokenFile, 'utf8').trim();
  if (token !== '') metadata.set('authorization', `Bearer ${token}`);
  for (const [name, value] of headers) metadata.set(name, value);
  return metadata;
}

/**
 * Makes TLS connections send no server name. A server name must not be an IP address, and Node
 * would print a warning.
 */
function withoutServerName(tls: ChannelCredentials): ChannelCredentials {
  const create = tls._createSecureConnector.bind(tls);
  tls._createSecureConnector = (...args) => {
    const connector: { connectionOptions?: { servername?: string } } & ReturnType<typeof create> =
      create(...args);
    if (connector.connectionOptions !== undefined) connector.connectionOptions.servername = '';
    return connector;
  };
  return tls;
}

/** Rejects a call with the reason for its failure, if that is known. */
async function fails(
  reject: (error: AppError) => void,
  method: string,
  options: ServerOptions,
  error: unknown,
): Promise<void> {
  reject(await callError(method, options, error));
}

async function callError(
  method: string,
  options: ServerOptions,
  error: unknown,
): Promise<AppError> {
  const isService = error instanceof Error && 'code' in error && typeof error.code === 'number';
  const code = isService ? codes[Number(error.code)] : undefined;
  const details = isService && 'details' in error ? String(error.details) : errorMessage(error);
  const why = code === 'unavailable' ? await connectionReason(options, details) : details;
  const name = method.slice(method.lastIndexOf('/') + 1);
  const message = `cannot call ${name} of ${options.address}: ${why}`;
  return new AppError(code ?? 'unavailable', message, { cause: error });
}

const usualFlagNames = { insecure: '--insecure', caFile: '--ca-file' };

/** Returns the reason why there is no connection, and the flag that may help. */
async function connectionReason(options: ServerOptions, details: string): Promise<string> {
  const [, last = details] =
    /^No connection established\. Last error: (?:Error: )?(.*?)\.? Resolution note: /s.exec(
      details,
    ) ?? [];
  const fault = connectionFault(last);
  const { isInsecure, flagNames = usualFlagNames, address } = options;
  if (fault?.kind === 'no-tls') return `${fault.text}: set ${flagNames.insecure}`;
  if (fault?.kind === 'authority') return `${fault.text}: set ${flagNames.caFile}`;
  if (fault?.kind === 'closed' && isInsecure) {
    const { host, port } = splitAddress(address);
    if (await speaksTls(host, port)) return `it speaks TLS: leave out ${flagNames.insecure}`;
  }
  return fault?.text ?? last.trim();
}
