// The agent's HTTP server: status page, metrics, health, and profiles of the agent itself.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { TlsDoor } from '../../src/api/transport/tls.ts';
import { AppError, errorCode, errorMessage } from '../../src/base/errors.ts';
import { whyNotListening } from '../../src/base/listen-error.ts';
import type { Logger } from '../../src/base/logger.ts';
import { hostPort } from '../../src/base/text/host-port.ts';
import { statusProfileSecondsMax } from '../limits.ts';
import type { AgentStatus } from './status.ts';
import { admit, type DoorOptions, withoutSecrets } from './status-door.ts';
import { statusPage, statusStyle } from './status-page.ts';

// An import would evaluate all exports, and evaluating `WebSocket` loads a client of 14 MB.
const { createServer } = process.getBuiltinModule('node:http');
const { createServer: createPort } = process.getBuiltinModule('node:net');

/** Data for the server's responses. */
export interface StatusSource {
  status(): AgentStatus;
  metricsText(): Promise<{ readonly contentType: string; readonly text: string }>;
  cpuProfile(seconds: number, signal: AbortSignal): Promise<Uint8Array>;
  heapProfile(): Promise<Uint8Array>;
  /** Returns the reason why the agent does not work; undefined while it works. */
  problem(): string | undefined;
  readonly logger: Logger;
}

/** Access control of the server. */
export interface StatusDoor extends DoorOptions {
  /** Encrypts connections if the web config file has TLS settings. */
  readonly tls: TlsDoor | undefined;
}

/** A listening server. */
export interface StatusServer {
  /** Address as host:port. */
  readonly address: string;
  close(): Promise<void>;
}

interface Answer {
  readonly status?: number;
  readonly challenges?: readonly string[];
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

const headers: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/**
 * Listens at `host:port`; port 0 selects a free port.
 *
 * Errors: AppError 'unavailable' if the address is not available.
 */
export async function openStatusServer(
  address: string,
  source: StatusSource,
  door: StatusDoor,
): Promise<StatusServer> {
  const server = createServer((request, response) => void respond(request, response, source, door));
  server.requestTimeout = 10_000;
  // The server gets its connections from another listener, so it never listens. Without this event,
  // it would not check timeouts.
  server.emit('listening');
  const take = (socket: Socket): void => void server.emit('connection', socket);
  const { tls } = door;
  tls?.forwardTo(take);
  const sockets = new Set<Socket>();
  const port = createPort((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    if (tls?.isOn === true) tls.encrypt(socket);
    else take(socket);
  });
  port.maxConnections = 64;
  const { host, port: number } = splitAddress(address);
  await listen(port, host, number, address);
  const bound = port.address() as AddressInfo;
  return {
    address: hostPort(bound.address, bound.port),
    close: () =>
      new Promise((resolve) => {
        port.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function listen(server: Server, host: string, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const why = whyNotListening(error);
      reject(new AppError('unavailable', `cannot listen at ${address}: ${why}`, { cause: error }));
    });
    server.listen(port, host === '' ? undefined : host, () => resolve());
  });
}

function splitAddress(address: string): { readonly host: string; readonly port: number } {
  const match = /^(.*):(\d{1,5})$/.exec(address);
  if (match === null) {
    const why = `--http-address must be host:port, not ${JSON.stringify(address)}`;
    throw new AppError('invalid-argument', why);
  }
  return { host: match[1].replace(/^\[|\]$/g, ''), port: Number(match[2]) };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  source: StatusSource,
  door: StatusDoor,
): Promise<void> {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  let answer: Answer;
  try {
    const url = new URL(request.url ?? '/', 'http://agent');
    const isTrusted = await admit(door, request, url.pathname);
    answer = await answerPath(request, url, source, isTrusted, closed.signal);
  } catch (error) {
    if (closed.signal.aborted) return;
    const status = (error instanceof AppError ? statuses.get(errorCode(error)) : undefined) ?? 500;
    if (status === 401 || status === 403) {
      door.gate?.refuse(error, request.headers, request.socket, request.url ?? '');
    }
    if (status === 500) source.logger.error('cannot answer', { error: errorMessage(error) });
    const challenges = status === 401 ? door.gate?.challenges : undefined;
    const body = `${errorMessage(error)}\n`;
    answer = { status, contentType: 'text/plain', body, ...(challenges && { challenges }) };
  }
  const { status = 200, contentType, body, challenges } = answer;
  if (challenges !== undefined) response.setHeader('www-authenticate', challenges);
  response.writeHead(status, { ...headers, 'content-type': contentType });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** HTTP status of each expected error. */
const statuses: ReadonlyMap<string, number> = new Map([
  ['invalid-argument', 400],
  ['unauthenticated', 401],
  ['permission-denied', 403],
  ['resource-exhausted', 429],
]);

/** `isTrusted` is true if the response may contain command lines. */
async function answerPath(
  request: IncomingMessage,
  url: URL,
  source: StatusSource,
  isTrusted: boolean,
  signal: AbortSignal,
): Promise<Answer> {
  const shown = (): AgentStatus => (isTrusted ? source.status() : withoutSecrets(source.status()));
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return plain(405, 'only GET is answered here');
  }
  switch (url.pathname) {
    case '/':
      return { contentType: 'text/html; charset=utf-8', body: statusPage(shown()) };
    case '/style.css':
      return { contentType: 'text/css', body: statusStyle };
    case '/status.json':
      return { contentType: 'application/json', body: JSON.stringify(shown()) };
    case '/metrics': {
      const { contentType, text } = await source.metricsText();
      return { contentType, body: text };
    }
    case '/healthy':
    case '/-/healthy':
      return plain(200, 'ok');
    case '/ready':
    case '/-/ready': {
      const problem = source.problem();
      return problem === undefined ? plain(200, 'ready') : plain(503, problem);
    }
    case '/debug/pprof/profile':
      return gzipped(await source.cpuProfile(seconds(url), signal));
    case '/debug/pprof/heap':
    case '/debug/pprof/allocs':
      return gzipped(await source.heapProfile());
    default:
      return plain(404, `there is no ${url.pathname} here`);
  }
}

function seconds(url: URL): number {
  const text = url.searchParams.get('seconds') ?? '30';
  const value = Number(text);
  if (value > 0 && value <= statusProfileSecondsMax) return value;
  const wanted = `more than 0, at most ${statusProfileSecondsMax}`;
  throw new AppError(
    'invalid-argument',
    `cannot take a profile: seconds must be ${wanted}, not ${text}`,
  );
}

function plain(status: number, text: string): Answer {
  return { status, contentType: 'text/plain; charset=utf-8', body: `${text}\n` };
}

function gzipped(body: Uint8Array): Answer {
  return { contentType: 'application/octet-stream', body };
}
