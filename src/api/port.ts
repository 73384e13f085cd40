// The one port: HTTP/2 by its preface goes to one server, everything else to the HTTP/1.1 server.
import type { Server as HttpServer } from 'node:http';
import {
  createServer as createHttp2Server,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
} from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { AppError, errorMessage } from '../base/errors.ts';
import {
  connectionWindowBytes,
  endlessStreamMillisMax,
  headerBytesMax,
  idleConnectionMillisMax,
  streamsPerConnectionMax,
  streamWindowBytes,
} from '../base/limits.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
/** HTTP/1.1 methods start with "P" and "PR" too (PUT, PROPFIND): no decision before this many. */
const decisionBytesMin = 3;

export interface PortOptions {
  /** `host:port`, `:port` or `[v6]:port`. */
  readonly address: string;
  readonly connectionsMax: number;
  /** The longest a new connection may stay silent. */
  readonly firstByteMillisMax: number;
  /** Whether a stream is open until its caller ends it: closing waits only a moment for it. */
  isEndless(headers: IncomingHttpHeaders): boolean;
}

/** A port that listens. */
export interface Port {
  readonly host: string;
  readonly port: number;
  /** Open connections. */
  connectionCount(): number;
  /**
   * Lets what is under way finish for `graceMillis`, then cuts it and stops listening: until then
   * new connections are answered, and may be told to go elsewhere. Idempotent.
   */
  close(graceMillis: number): Promise<void>;
}

/** The HTTP/2 server for `openPort`: large upload windows, everything else bounded. */
export function createGrpcServer(): Http2Server {
  const server = createHttp2Server({
    settings: {
      initialWindowSize: streamWindowBytes,
      maxConcurrentStreams: streamsPerConnectionMax,
      maxHeaderListSize: headerBytesMax,
    },
    // In MB. The default of 10 answers 32 concurrent uploads of 1 MB with ENHANCE_YOUR_CALM.
    maxSessionMemory: 1_024,
  });
  server.on('session', (session) => {
    session.setLocalWindowSize(connectionWindowBytes);
    session.setTimeout(idleConnectionMillisMax, () => session.destroy());
    session.on('error', () => undefined);
  });
  server.on('sessionError', () => undefined);
  return server;
}

/**
 * Listens and hands connections to `http` (which never listens itself) or `http2`.
 *
 * Errors: AppError 'failed-precondition' naming the address when it cannot be bound.
 */
export async function openPort(
  clock: Clock,
  http: HttpServer,
  http2: Http2Server,
  options: PortOptions,
): Promise<Port> {
  const sockets = new Set<Socket>();
  const sessions = new Set<ServerHttp2Session>();
  const underWay = new UnderWay();
  let closing: Promise<void> | undefined;
  http2.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  const endless = new UnderWay();
  http2.on('stream', (stream, headers) => {
    (options.isEndless(headers) ? endless : underWay).add(stream);
  });
  // Before the handler, which may answer at once.
  http.prependListener('request', (_request, response) => {
    underWay.add(response);
    if (closing !== undefined) response.setHeader('connection', 'close');
  });
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    dispatch(clock, socket, http, http2, options.firstByteMillisMax);
  });
  server.maxConnections = options.connectionsMax;
  await listen(server, options.address);
  // Without this an http.Server that never listens never checks its timeouts: half a request
  // would hold its connection for good.
  http.emit('listening');
  const { address, port } = boundAddress(server);
  const close = (graceMillis: number): Promise<void> => {
    closing ??= closeAll(
      clock,
      { server, http, sockets, sessions, underWay, endless },
      graceMillis,
    );
    return closing;
  };
  return { host: address, port, connectionCount: () => sockets.size, close };
}

function dispatch(
  clock: Clock,
  socket: Socket,
  http: HttpServer,
  http2: Http2Server,
  firstByteMillisMax: number,
): void {
  const timer = clock.setTimer(firstByteMillisMax, () => socket.destroy());
  socket.once('close', () => timer.cancel());
  const look = (): void => {
    const bytes: unknown = socket.read();
    if (!(bytes instanceof Uint8Array)) {
      if (!socket.readableEnded && !socket.destroyed) socket.once('readable', look);
      return;
    }
    const length = Math.min(bytes.length, preface.length);
    const isHttp2 = preface.subarray(0, length).equals(bytes.subarray(0, length));
    socket.unshift(bytes);
    if (isHttp2 && bytes.length < decisionBytesMin) {
      socket.once('readable', look);
      return;
    }
    timer.cancel();
    (isHttp2 ? http2 : http).emit('connection', socket);
  };
  socket.once('readable', look);
}

/** Errors: AppError 'invalid-argument' when `address` is not `host:port`. */
export function parseAddress(address: string): { readonly host: string | undefined; port: number } {
  const match = /^(?:\[([^\]]*)\]|([^:]*)):(\d{1,5})$/.exec(address);
  const port = Number(match?.[3]);
  if (!match || port > 65_535) {
    throw new AppError(
      'invalid-argument',
      `cannot listen on ${JSON.stringify(address)}: expected host:port or :port`,
    );
  }
  return { host: match[1] || match[2] || undefined, port };
}

function listen(server: Server, address: string): Promise<void> {
  const { host, port } = parseAddress(address);
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const isTaken = 'code' in error && error.code === 'EADDRINUSE';
      const why = isTaken ? 'the address is already in use' : errorMessage(error);
      reject(
        new AppError('failed-precondition', `cannot listen on ${address}: ${why}`, {
          cause: error,
        }),
      );
    });
    server.listen({ port, ...(host !== undefined && { host }) }, resolve);
  });
}

function boundAddress(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new AppError('internal', 'cannot tell the address of the port');
  }
  return address;
}

async function closeAll(
  clock: Clock,
  open: {
    readonly server: Server;
    readonly http: HttpServer;
    readonly sockets: ReadonlySet<Socket>;
    readonly sessions: ReadonlySet<ServerHttp2Session>;
    readonly underWay: UnderWay;
    readonly endless: UnderWay;
  },
  graceMillis: number,
): Promise<void> {
  const { server, http, sockets, sessions, underWay, endless } = open;
  // Tells clients to take another connection for what they ask next.
  for (const session of sessions) session.close();
  const outOfTime = Promise.withResolvers<void>();
  const cut = clock.setTimer(graceMillis, () => {
    for (const socket of sockets) socket.destroy();
    outOfTime.resolve();
  });
  await Promise.race([underWay.none(), outOfTime.promise]);
  // Long enough for a last message to those who watch.
  const isLate = Promise.withResolvers<void>();
  const late = clock.setTimer(endlessStreamMillisMax, isLate.resolve);
  await Promise.race([endless.none(), isLate.promise, outOfTime.promise]);
  late.cancel();
  const isClosed = new Promise<void>((resolve) => server.close(() => resolve()));
  // What was answered may not have left the process yet.
  for (const socket of sockets) socket.destroySoon();
  await isClosed;
  cut.cancel();
  http.close();
}

/** What tells that an answer is sent, or that nobody waits for it: a response or a stream. */
interface Answering {
  once(event: 'close', listener: () => void): unknown;
}

export class UnderWay {
  #count = 0;
  #waiting: (() => void)[] = [];

  /** Counts a request until its answer is closed. */
  add(answer: Answering): void {
    this.#count += 1;
    answer.once('close', () => {
      this.#count -= 1;
      if (this.#count > 0) return;
      for (const resolve of this.#waiting.splice(0)) resolve();
    });
  }

  /** Resolves when there is none. */
  async none(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
