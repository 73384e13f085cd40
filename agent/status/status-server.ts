// The agent's own HTTP server: status page, metrics, health, and profiles of the agent itself.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError, errorMessage } from '../../src/base/errors.ts';
import { whyNotListening } from '../../src/base/listen-error.ts';
import type { Logger } from '../../src/base/logger.ts';
import { hostPort } from '../../src/base/text/host-port.ts';
import { statusProfileSecondsMax } from '../limits.ts';
import type { AgentStatus } from './status.ts';
import { statusPage, statusStyle } from './status-page.ts';

// An import reads every export, and `WebSocket` loads a client of 14 MB.
const { createServer } = process.getBuiltinModule('node:http');

/** Answers of the server. */
export interface StatusSource {
  status(): AgentStatus;
  metricsText(): Promise<{ readonly contentType: string; readonly text: string }>;
  cpuProfile(seconds: number, signal: AbortSignal): Promise<Uint8Array>;
  heapProfile(): Promise<Uint8Array>;
  /** Returns why the agent does not work; undefined while it does. */
  problem(): string | undefined;
  readonly logger: Logger;
}

/** A server that listens. */
export interface StatusServer {
  /** host:port. */
  readonly address: string;
  close(): Promise<void>;
}

interface Answer {
  readonly status?: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

const headers: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/**
 * Listens at `host:port`; port 0 takes any.
 *
 * Errors: AppError 'unavailable' when the address is not available.
 */
export async function openStatusServer(
  address: string,
  source: StatusSource,
): Promise<StatusServer> {
  const server = createServer((request, response) => void respond(request, response, source));
  server.requestTimeout = 10_000;
  server.maxConnections = 64;
  const { host, port } = splitAddress(address);
  await listen(server, host, port, address);
  const bound = server.address() as AddressInfo;
  return {
    address: hostPort(bound.address, bound.port),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
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
): Promise<void> {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  let answer: Answer;
  try {
    answer = await answerOf(request, source, closed.signal);
  } catch (error) {
    if (closed.signal.aborted) return;
    const status = error instanceof AppError && error.code === 'invalid-argument' ? 400 : 500;
    if (status === 500) source.logger.error('cannot answer', { error: errorMessage(error) });
    answer = { status, contentType: 'text/plain', body: `${errorMessage(error)}\n` };
  }
  const { status = 200, contentType, body } = answer;
  response.writeHead(status, { ...headers, 'content-type': contentType });
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function answerOf(
  request: IncomingMessage,
  source: StatusSource,
  signal: AbortSignal,
): Promise<Answer> {
  const url = new URL(request.url ?? '/', 'http://agent');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return plain(405, 'only GET is answered here');
  }
  switch (url.pathname) {
    case '/':
      return { contentType: 'text/html; charset=utf-8', body: statusPage(source.status()) };
    case '/style.css':
      return { contentType: 'text/css', body: statusStyle };
    case '/status.json':
      return { contentType: 'application/json', body: JSON.stringify(source.status()) };
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
