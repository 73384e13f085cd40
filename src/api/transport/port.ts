// The port. Connections that begin with an HTTP/2 preface go to the HTTP/2 server, others to
// HTTP/1.1.
import type { Server as HttpServer } from 'node:http';
import {
  constants,
  createServer as createHttp2Server,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
} from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { whyNotListening } from '../../base/listen-error.ts';
import { inputLimits } from '../../base/input-limits.ts';
import {
  connectionWindowBytes,
  endlessStreamMillisMax,
  pipelinedRequestsMax,
  streamWindowBytes,
} from '../limits.ts';
import type { TlsDoor } from './tls.ts';
import type { Counter } from '../../base/metrics.ts';
import { UnreadAnswers, type UnreadAnswersOptions } from './unread-answers.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
/**
 * Minimum number of bytes needed to recognize HTTP/2, whose preface begins with "PRI". Methods of
 * HTTP/1.1 also begin with "P" and "PR" (PUT, PROPFIND).
 */
const decisionBytesMin = 3;

export interface PortOptions {
  /** Address: `host:port`, `:port` or `[v6]:port`. */
  readonly address: string;
  /** Further addresses that the server listens on. */
  readonly moreAddresses?: readonly string[];
  readonly connectionsMax: number;
  /** Encrypts connections if the web config file has TLS settings. */
  readonly tls: TlsDoor;
  readonly connectionsPerAddressMax: number;
  /**
   * Begins a connection now or in a later turn of the event loop. A connection that closes before
   * its turn is dropped.
   */
  readonly beginInTurn: (socket: Socket, begin: () => void) => void;
  /** Counts connections that are refused, by the label `limit`. */
  readonly refused: Counter;
  readonly unread: UnreadAnswersOptions;
  /**
   * Longest time in milliseconds in which a new connection may send nothing. After the first byte,
   * its first request may take as long again.
   */
  readonly firstByteMillisMax: number;
  /**
   * Returns true if a stream stays open until its caller ends it, so that `close` waits for it only
   * briefly.
   */
  isEndless(headers: IncomingHttpHeaders): boolean;
}

/** A listening port. */
export interface Port {
  readonly host: string;
  readonly port: number;
  /** Returns the number of open connections. */
  connectionCount(): number;
  /**
   * Waits up to `graceMillis` for running requests, then closes their connections and stops
   * listening. Until then the port still answers new connections. Idempotent.
   */
  close(graceMillis: number): Promise<void>;
}

/**
 * Creates the HTTP/2 server for `openPort`. It has large upload windows, and limits on all other
 * resources.
 */
export function createGrpcServer(): Http2Server {
  const server = createHttp2Server({
    settings: {
      initialWindowSize: streamWindowBytes,
      maxConcurrentStreams: inputLimits.streamsPerConnection,
      maxHeaderListSize: inputLimits.headerBytes,
    },
    // The unit is megabytes. With the default of 10, 32 concurrent uploads of 1 MB get
    // ENHANCE_YOUR_CALM.
    maxSessionMemory: 1_024,
  });
  server.on('session', (session) => {
    session.setLocalWindowSize(connectionWindowBytes);
    session.setTimeout(inputLimits.idleConnection, () => session.destroy());
    session.on('error', () => undefined);
  });
  server.on('sessionError', () => undefined);
  return server;
}

/**
 * Listens, and passes connections to `http` or `http2`, neither of which listens itself.
 *
 * Errors: AppError 'failed-precondition' which names an address that cannot be bound.
 */
export async function openPort(
  clock: Clock,
  http: HttpServer,
  http2: Http2Server,
  options: PortOptions,
): Promise<Port> {
  const sockets = new Set<Socket>();
  /** Sockets to which answers are written. With TLS, these are the encrypting sockets. */
  const answering = new Set<Socket>();
  const sessions = new Set<ServerHttp2Session>();
  const underWay = new UnderWay();
  let closing: Promise<void> | undefined;
  http2.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    const timer = clock.setTimer(2 * options.firstByteMillisMax, () => session.destroy());
    session.once('close', () => timer.cancel()).once('stream', () => timer.cancel());
  });
  const endless = new UnderWay();
  const unread = new UnreadAnswers(clock, options.unread);
  http2.on('stream', (stream, headers) => {
    unread.add(stream, () => stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM));
    (options.isEndless(headers) ? endless : underWay).add(stream);
  });
  const pipelines = new Pipelines(options.refused);
  // Prepended, because the handler may answer immediately.
  http.prependListener('request', (request, response) => {
    if (!pipelines.admit(request.socket, response)) return;
    underWay.add(response);
    unread.add(response, () => response.destroy());
    if (closing !== undefined) response.setHeader('connection', 'close');
  });
  // Without this listener, Node would ask the client for the body before the gate has read the
  // headers.
  http.on('checkContinue', (request, response) => http.emit('request', request, response));
  const callers = new Map<string, number>();
  const answer = (socket: Socket): void => {
    answering.add(socket);
    socket.once('close', () => answering.delete(socket));
    dispatch(clock, socket, http, http2, options);
  };
  const { tls } = options;
  tls.forwardTo(answer);
  const accept = (socket: Socket): void => {
    socket.on('error', () => undefined);
    if (!admit(socket, callers, options)) return;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    if (!tls.isOn) {
      answer(socket);
      return;
    }
    options.beginInTurn(socket, () => tls.encrypt(socket));
  };
  const servers: Server[] = [];
  for (const one of [options.address, ...(options.moreAddresses ?? [])]) {
    const server = createServer({ noDelay: true }, accept);
    server.maxConnections = options.connectionsMax;
    server.on('drop', () => options.refused.add(1, { limit: 'all' }));
    await listen(server, one);
    servers.push(server);
  }
  // An http.Server that does not listen checks its timeouts only after this event. Without the
  // check, half a request would hold its connection forever.
  http.emit('listening');
  const { address, port } = boundAddress(servers[0]);
  const close = (graceMillis: number): Promise<void> => {
    closing ??= closeAll(
      clock,
      { servers, http, sockets, answering, sessions, underWay, endless },
      graceMillis,
    );
    return closing;
  };
  return { host: address, port, connectionCount: () => sockets.size, close };
}

/** Number of unanswered requests on each HTTP/1.1 connection. */
class Pipelines {
  readonly #waiting = new WeakMap<Socket, number>();
  readonly #refused: Counter;

  constructor(refused: Counter) {
    this.#refused = refused;
  }

  /**
   * Counts a request until it is answered. If the connection has too many requests, destroys it and
   * returns false; the handler must then ignore the request.
   */
  admit(socket: Socket, response: Answering): boolean {
    if (socket.destroyed) return false;
    const count = (this.#waiting.get(socket) ?? 0) + 1;
    if (count > pipelinedRequestsMax) {
      this.#refused.add(1, { limit: 'pipelined' });
      stopParser(socket);
      socket.destroy();
      return false;
    }
    this.#waiting.set(socket, count);
    response.once('close', () => this.#waiting.set(socket, (this.#waiting.get(socket) ?? 1) - 1));
    return true;
  }
}

/**
 * Makes the parser of a connection ignore the rest of its input, which may contain more than a
 * thousand requests. Node has no public function for that. A callback that returns 2 tells the
 * parser that the rest belongs to another protocol.
 */
function stopParser(socket: Socket & { parser?: { onIncoming?: unknown } | null }): void {
  if (typeof socket.parser?.onIncoming === 'function') socket.parser.onIncoming = () => 2;
}

/**
 * Counts a connection of an address until it closes. If the address has too many connections,
 * destroys it and returns false.
 */
function admit(
  socket: Socket,
  callers: Map<string, number>,
  { connectionsPerAddressMax, refused }: PortOptions,
): boolean {
  const { remoteAddress: address = '' } = socket;
  const count = callers.get(address) ?? 0;
  if (count >= connectionsPerAddressMax) {
    refused.add(1, { limit: 'address' });
    socket.destroy();
    return false;
  }
  callers.set(address, count + 1);
  socket.once('close', () => {
    const left = (callers.get(address) ?? 0) - 1;
    if (left > 0) callers.set(address, left);
    else callers.delete(address);
  });
  return true;
}

function dispatch(
  clock: Clock,
  socket: Socket,
  http: HttpServer,
  http2: Http2Server,
  { beginInTurn, firstByteMillisMax }: PortOptions,
): void {
  // After the process was suspended, this timer may fire before waiting bytes are read. The bytes
  // are read first: closing a socket with unread bytes would reset a caller that sent them in time.
  let isSilent = true;
  const timer = clock.setTimer(firstByteMillisMax, () => {
    // The event loop reads sockets between two immediates.
    setImmediate(() => setImmediate(() => void (isSilent && socket.destroy())));
  });
  socket.once('close', () => timer.cancel());
  // First bytes that are too few to identify the protocol. They are kept here, because a socket
  // with unshifted bytes is readable again at once: a single "P" would keep the event loop busy
  // forever.
  let held: Uint8Array = new Uint8Array(0);
  const look = (): void => {
    const chunk: unknown = socket.read();
    if (!(chunk instanceof Uint8Array)) {
      if (!socket.readableEnded && !socket.destroyed) socket.once('readable', look);
      return;
    }
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const length = Math.min(bytes.length, preface.length);
    const isHttp2 = preface.subarray(0, length).equals(bytes.subarray(0, length));
    if (isHttp2 && bytes.length < decisionBytesMin) {
      held = bytes;
      socket.once('readable', look);
      return;
    }
    isSilent = false;
    timer.cancel();
    socket.unshift(bytes);
    // Hundreds of connections may deliver their first bytes in one turn, and each of them a
    // thousand requests. So the connections are passed on in several turns.
    beginInTurn(socket, () => void (isHttp2 ? http2 : http).emit('connection', socket));
  };
  socket.once('readable', look);
}

/** Parses `host:port`. Errors: AppError 'invalid-argument'. */
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
      const why = whyNotListening(error);
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
    readonly servers: readonly Server[];
    readonly http: HttpServer;
    readonly sockets: ReadonlySet<Socket>;
    readonly answering: ReadonlySet<Socket>;
    readonly sessions: ReadonlySet<ServerHttp2Session>;
    readonly underWay: UnderWay;
    readonly endless: UnderWay;
  },
  graceMillis: number,
): Promise<void> {
  const { servers, http, sockets, answering, sessions, underWay, endless } = open;
  // This tells clients to open another connection for their next request.
  for (const session of sessions) session.close();
  const outOfTime = Promise.withResolvers<void>();
  const cut = clock.setTimer(graceMillis, () => {
    for (const socket of sockets) socket.destroy();
    outOfTime.resolve();
  });
  await Promise.race([underWay.none(), outOfTime.promise]);
  // This gives endless streams time to send a last message.
  const isLate = Promise.withResolvers<void>();
  const late = clock.setTimer(endlessStreamMillisMax, isLate.resolve);
  await Promise.race([endless.none(), isLate.promise, outOfTime.promise]);
  late.cancel();
  const areClosed = servers.map(
    (server) => new Promise<void>((resolve) => server.close(() => resolve())),
  );
  // The end of an answer may still be in the buffer of its socket.
  for (const socket of answering) socket.destroySoon();
  await Promise.all(areClosed);
  cut.cancel();
  http.close();
}

/** A response or a stream. It closes when its answer is sent or its caller disconnects. */
interface Answering {
  once(event: 'close', listener: () => void): unknown;
}

class UnderWay {
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

  /** Resolves when the count is 0. */
  async none(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
