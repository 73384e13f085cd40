// The API: a port, its transports, and the services that they call.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  constants,
  Http2ServerRequest,
  Http2ServerResponse,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import {
  busyRetryMillis,
  connectionBytesInFlightMax,
  connectionsMax,
  connectionsPerAddressMax,
  drainMillisMax,
  messageBytesMax,
  requestBytesInFlightMax,
  selfProfileSecondsMax,
  unreadAnswersBytesMax,
} from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import type {
  BuildSymbols,
  DebuginfodFiles,
  DebuginfoUploads,
  FilesForOthers,
} from '../debuginfo/interface.ts';
import type { ImportInThread } from '../formats/import/import-file.ts';
import type { CardinalityStatus, Ingester } from '../ingest/interface.ts';
import type {
  AnswerSharing,
  QueryControl,
  QueryEngine,
  SeriesDeleter,
} from '../query/interface.ts';
import type { ScrapeStatus } from '../scrape/interface.ts';
import type { SourceReader } from '../sources/interface.ts';
import type { PartSource } from '../storage/part-source.ts';
import { assert } from '../base/assert.ts';
import type { Random } from '../base/random.ts';
import type { WebConfig } from '../config/web/web-config.ts';
import { Audit, type AuditSink } from './auth/audit.ts';
import { audited } from './audited.ts';
import { type Caller, checkScope } from './auth/caller.ts';
import { Gate } from './auth/gate.ts';
import type { CheckPassword } from './auth/password-checks.ts';
import { isLoopback } from './auth/hosts.ts';
import { methodNeeds } from './auth/scopes.ts';
import { CallerLimits } from './transport/call/caller-limits.ts';
import { createCallMetrics, type TransportContext } from './transport/call/call.ts';
import { type Method, methodPath, methodTable, type MethodTable } from './transport/call/method.ts';
import { RequestMemory } from './transport/call/request-memory.ts';
import { isNativeGrpc, serveGrpc } from './transport/grpc/native.ts';
import { healthMethods } from './services/health-service.ts';
import { type AppHooks, createHttpApp, type HttpApp } from './app.ts';
import type { OperatorHooks } from './routes/operator-routes.ts';
import { Readiness, type Use } from './services/readiness.ts';
import { uiFilesOnce } from './ui-files.ts';
import { createGrpcServer, openPort, parseAddress, type Port } from './transport/port.ts';
import { logsMethods } from './ingest/otlp/logs-service.ts';
import { otlpMethods } from './ingest/otlp/otlp-service.ts';
import { pusherMethods } from './ingest/pyroscope/pusher-service.ts';
import type { BuildVersion } from './query/pyroscope/status-routes.ts';
import { type KeptForClients, pyroscopeMethods } from './query/pyroscope/pyroscope-methods.ts';
import { queryMethods, type Sharing, sharingIsOff } from './query/query-service.ts';
import { partsMethods } from './services/parts-service.ts';
import { reflectionMethods } from './services/reflection-service.ts';
import { JsonTurns } from './transport/json/json-turns.ts';
import { ImportTurns } from './transport/call/import-turns.ts';
import { scrapeMethods } from './services/scrape-service.ts';
import type { AdminActions } from './routes/admin-routes.ts';
import { noCardinality } from './routes/cardinality-route.ts';
import type { Settings } from './routes/settings-route.ts';
import { telemetryMethods } from './services/telemetry-service.ts';
import { StreamTurns } from './transport/stream-turns.ts';
import { TlsDoor } from './transport/tls.ts';
import { AgentTable } from './ingest/agent-table.ts';
import { debuginfoMethods } from './debuginfo/debuginfo-service.ts';
import { ProfilePushes, type PushStore } from './ingest/profile-pushes.ts';
import { profileStoreMethods } from './ingest/parca/profile-store-service.ts';

/** Access to the machine for the API. */
export interface ApiHost {
  readonly clock: Clock;
  readonly files: Files;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly random: Random;
}

/** The services of the API. */
export interface ApiServices {
  readonly ingester: Ingester;
  readonly debuginfo: DebuginfoUploads;
  /** Files for gdb and other clients of debuginfod. */
  readonly debuginfodFiles: DebuginfodFiles;
  readonly engine: QueryEngine;
  /** Engine over profiles under Pyroscope's names; absent where its clients are not served. */
  readonly pyroscope?: QueryEngine;
  /** Things that Pyroscope's clients keep here; absent where they are not served. */
  readonly kept?: KeptForClients;
  readonly queries: QueryControl;
  readonly scrape: ScrapeStatus;
  readonly answers: AnswerSharing;
  readonly sources: SourceReader;
  /** Returns the reason for which profiles cannot be stored now; undefined if they can. */
  readonly whyNoWrites?: () => string | undefined;
  /** Blocks and heads of this server, for query servers; undefined where it has none. */
  readonly parts?: PartSource | undefined;
  /** Files of debug information, for query servers. */
  readonly files?: FilesForOthers;
  /** Returns why answers may hang, or undefined. */
  readonly problem?: () => string | undefined;
  /** Called when somebody opens the page, which asks for a report some tenths of a second later. */
  readonly onPageOpened?: () => void;
  /** Undefined when the admin API is off. */
  readonly admin: AdminActions | undefined;
  /** Counts what a delete would remove; absent where nothing can be deleted. */
  readonly countDeleted?: SeriesDeleter;
  /** Undefined when sharing is off. */
  readonly sharing: Sharing | undefined;
  /** Returns the build ids, and the state of the names of each. */
  readonly symbols: () => readonly BuildSymbols[];
  /** Returns the flags and the configuration of the server. */
  readonly settings: () => Settings;
  /** Returns the counts of active series; absent where no profiles are written. */
  readonly cardinality?: () => CardinalityStatus;
}

/** The services of a server that sends what it scrapes to another one. */
export interface ScraperServices {
  readonly scrape: ScrapeStatus;
  /** Takes pushes that the other server may not know, and settles when it has them. */
  readonly pushes: PushStore;
  /** Calls a method of the other server, by its path, with an encoded request. */
  readonly forward: (path: string, request: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>;
  /** Calls a method of the other server with a stream of encoded requests. */
  readonly forwardStream: (
    path: string,
    requests: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ) => AsyncIterable<Uint8Array>;
}

/** Methods with one request that a server passes on as they come if it only scrapes. */
const forwardedMethods: readonly string[] = [
  '/parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw',
  '/parca.profilestore.v1alpha1.ProfileStoreService/WriteArrow',
  '/parca.debuginfo.v1alpha1.DebuginfoService/ShouldInitiateUpload',
  '/parca.debuginfo.v1alpha1.DebuginfoService/InitiateUpload',
  '/parca.debuginfo.v1alpha1.DebuginfoService/MarkUploadFinished',
  '/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export',
];

/** Methods with a stream of requests that it passes on. */
const forwardedStreams: readonly string[] = [
  '/parca.profilestore.v1alpha1.ProfileStoreService/Write',
  '/parca.debuginfo.v1alpha1.DebuginfoService/Upload',
];

/** Functions of the program that do not belong to a service. */
export interface ApiHooks extends Omit<OperatorHooks, 'readiness' | 'admin' | 'countDeleted'> {
  readonly checkPassword: CheckPassword;
  /** Takes the lines of the audit log; undefined without one. */
  readonly auditSink?: AuditSink | undefined;
  readonly importInThread: ImportInThread;
}

export interface ApiOptions {
  /** Either `host:port` or `:port`. */
  readonly address: string;
  /** Addresses at which the same is served. */
  readonly moreAddresses?: readonly string[];
  /** Version of the program, and its commit. */
  readonly build?: BuildVersion;
  /** Either "" or "/prefix". */
  readonly pathPrefix: string;
  readonly corsAllowedOrigins: readonly string[];
  /** Longest silence while a request is read. */
  readonly readTimeoutMillis: number;
  /** Longest time of a call. */
  readonly writeTimeoutMillis: number;
  /** Names by which browsers may reach a server on the loopback that lets everybody in. */
  readonly allowedHosts: readonly string[];
  /** TLS, and who is let in; `applyWebConfig` replaces it. */
  readonly web: WebConfig;
  /** Folder of the built web UI. */
  readonly uiFolder: string;
  /** Limits that differ from the usual ones. */
  readonly limits?: Partial<ApiLimits>;
}

/** Limits of the port and of its requests. */
export interface ApiLimits {
  /** Bytes of a message or body, before and after decompression. */
  readonly messageBytesMax: number;
  /** Bytes that all requests hold together. */
  readonly requestBytesMax: number;
  /** Bytes that the requests of a connection hold together. */
  readonly connectionBytesMax: number;
  /** Bytes of all answers that wait for their callers to read them. */
  readonly unreadBytesMax: number;
  readonly connectionsMax: number;
  /** Connections from one address. */
  readonly connectionsPerAddressMax: number;
}

const defaultLimits: ApiLimits = {
  messageBytesMax,
  requestBytesMax: requestBytesInFlightMax,
  connectionBytesMax: connectionBytesInFlightMax,
  unreadBytesMax: unreadAnswersBytesMax,
  connectionsMax,
  connectionsPerAddressMax,
};

/** The listening API. Until `serve` it refuses calls with UNAVAILABLE. */
export interface Api {
  readonly host: string;
  readonly port: number;
  /** Token with the scope read, by which this server may scrape itself. */
  readonly ownToken: string;
  /** Returns what `/-/ready` answers for a use: status and text. */
  readiness(use: Use): { readonly code: number; readonly text: string };
  /**
   * Uses another web config from now on; open connections stay.
   *
   * Errors: AppError 'invalid-argument' when TLS cannot use it, and then the last one stays.
   */
  applyWebConfig(config: WebConfig): void;
  /** Returns the largest number of queries of a caller that run at once; 0 = no limit. */
  queriesAtOnce(caller: string): number;
  /** Answers every call from now on. */
  serve(services: ApiServices): void;
  /** Answers calls of a server that only scrapes, and passes others on, from now on. */
  serveScraper(services: ScraperServices): void;
  /** Refuses new calls, finishes the running ones, then closes the port. Idempotent. */
  close(): Promise<void>;
}

/** Listens. Errors: AppError 'failed-precondition' when the address cannot be bound. */
export async function openApi(host: ApiHost, hooks: ApiHooks, options: ApiOptions): Promise<Api> {
  const { clock, logger, metrics } = host;
  const limits = { ...defaultLimits, ...options.limits };
  const memory = createRequestMemory(metrics, limits);
  let isReady = false;
  let methods: MethodTable = new Map();
  let served: (ApiServices & { readonly pushes: ProfilePushes }) | undefined;
  let whyNot = startingError;
  const services = (): NonNullable<typeof served> => served ?? refuse(whyNot);
  let doors: Doors = { scrape: () => services().scrape, pushes: () => services().pushes };
  const readiness = readinessOf(metrics, () => ({ isReady, served }));
  const { gate, tls, callerLimits, access } = openEntrance(host, hooks, options);
  const missing = (path: string): never =>
    refuse(served === undefined ? whyNot : () => unknownMethod(path));
  const transport: TransportContext = {
    runner: { clock, logger, metrics: createCallMetrics(metrics) },
    memory,
    jsonTurns: new JsonTurns(clock),
    importTurns: new ImportTurns(clock),
    messageBytesMax: limits.messageBytesMax,
    callMillisMax: options.writeTimeoutMillis,
    stallMillisMax: options.readTimeoutMillis,
    gate,
    kindOf: (path) => methods.get(path)?.kind,
    findMethod: (path, caller) => allowed(gate, caller, methods.get(path) ?? missing(path)),
  };
  const names = new Set<string>();
  const health = healthMethods(readiness, clock, names, () => whyNot === stoppingError);
  const always = health.concat(reflectionMethods(names));
  const publish = (list: readonly Method[]): void => {
    methods = scopedTable([...list, ...always]);
    for (const path of methods.keys()) names.add(serviceOf(path));
  };
  const begin = (list: readonly Method[]): void => {
    publish(list);
    isReady = true;
    readiness.announce();
  };
  publish([]);
  const shared = { ...hooks, readiness, callerLimits, ...servicesOf(services) };
  const ofDoors = { scrape: () => doors.scrape(), pushes: () => doors.pushes() };
  const appHooks = { ...shared, ...ofDoors, onPageOpened: () => served?.onPageOpened?.() };
  const app = await buildHttpApp(host, options, transport, appHooks);
  const port = await openSharedPort(host, app, transport, tls, options, limits);
  observeUse(metrics, port.connectionCount, () => memory.usedBytes);
  return {
    host: port.host,
    port: port.port,
    ...access,
    readiness: (use) => readiness.answer(use),
    serve(given) {
      const agents = new AgentTable(clock);
      served = { ...given, pushes: new ProfilePushes(given.ingester, agents, callerLimits) };
      begin(methodsOf(given, served.pushes, agents, host));
    },
    serveScraper(given) {
      whyNot = scraperError;
      doors = { scrape: () => given.scrape, pushes: () => given.pushes };
      begin(scraperMethods(given, host));
    },
    async close() {
      isReady = false;
      // Running calls continue. Health and reflection still know the names of the other services.
      methods = methodTable(always);
      served = undefined;
      whyNot = stoppingError;
      readiness.announce();
      await port.close(drainMillisMax).then(() => hooks.auditSink?.flush());
    },
  };
}

/** Parts that a server that only scrapes has, too. */
type Doors = Pick<AppHooks, 'scrape' | 'pushes'>;

function unknownMethod(path: string): AppError {
  return new AppError('unimplemented', `unknown method ${path}`);
}

function refuse(why: () => AppError): never {
  throw why();
}

/** TLS and the gate, which stand between a connection and the services. */
interface Entrance {
  readonly tls: TlsDoor;
  readonly gate: Gate;
  readonly callerLimits: CallerLimits;
  readonly access: Pick<Api, 'ownToken' | 'applyWebConfig' | 'queriesAtOnce'>;
}

function openEntrance(host: ApiHost, hooks: ApiHooks, options: ApiOptions): Entrance {
  const { clock, logger, metrics, random } = host;
  const ownToken = secret(random).toString('hex');
  const gate = new Gate(
    {
      clock,
      metrics,
      ownToken,
      key: secret(random),
      audit: new Audit(clock, logger, hooks.auditSink),
      checkPassword: hooks.checkPassword,
      // A server that the network reaches is open to it anyway, by any of its names.
      allowedHosts: [options.address, ...(options.moreAddresses ?? [])].every((one) =>
        isLoopback(parseAddress(one).host ?? ''),
      )
        ? options.allowedHosts
        : undefined,
      allowedOrigins: options.corsAllowedOrigins,
    },
    options.web,
  );
  const tls = new TlsDoor({ clock, logger, metrics }, options.readTimeoutMillis);
  tls.apply(options.web);
  const callerLimits = new CallerLimits(clock, metrics);
  callerLimits.apply(options.web.callerLimits);
  const access: Entrance['access'] = {
    ownToken,
    queriesAtOnce: (caller) => callerLimits.queriesAtOnce(caller),
    applyWebConfig(config) {
      tls.apply(config);
      gate.apply(config);
      callerLimits.apply(config.callerLimits);
    },
  };
  return { tls, gate, callerLimits, access };
}

/** Returns the method. Errors: AppError 'permission-denied' when the caller lacks its scope. */
function allowed({ audit }: Gate, caller: Caller, method: Method): Method {
  const { path } = method;
  const need = methodNeeds.get(path);
  assert(need !== undefined, path);
  checkScope(caller, need, path);
  return audited(method, caller, audit);
}

/** Indexes methods by path, each of which has a scope. */
function scopedTable(list: readonly Method[]): MethodTable {
  for (const { path } of list) {
    assert(methodNeeds.has(path), `${path} has no scope in auth/scopes.ts`);
  }
  return methodTable(list);
}

/** Returns 32 random bytes. */
function secret(random: Random): Buffer {
  return Buffer.from(Uint32Array.from({ length: 8 }, () => random.uint32()).buffer);
}

/** Parts of the services that the HTTP paths use. */
function servicesOf(
  services: () => ApiServices,
): Omit<
  AppHooks,
  'pushes' | 'uiFiles' | 'onPageOpened' | 'readiness' | 'callerLimits' | 'scrape' | keyof ApiHooks
> {
  return {
    engine: () => services().engine,
    pyroscope: () => services().pyroscope ?? pyroscopeIsOff(),
    debuginfo: () => services().debuginfo,
    debuginfodFiles: () => services().debuginfodFiles,
    queries: () => services().queries,
    admin: () => services().admin ?? adminIsOff(),
    countDeleted: () => services().countDeleted ?? adminIsOff(),
    shares: () => (services().sharing ?? sharingIsOff()).shares,
    isSharing: () => services().sharing !== undefined,
    settings: () => services().settings(),
    cardinality: () => (services().cardinality ?? noCardinality)(),
    symbols: () => services().symbols(),
  };
}

/** Returns the methods of all services that need more than the API itself. */
function methodsOf(
  services: ApiServices,
  pushes: ProfilePushes,
  agents: AgentTable,
  host: ApiHost,
): Method[] {
  const { clock } = host;
  const { pyroscope, kept } = services;
  const isForPyroscope = pyroscope !== undefined && kept !== undefined;
  return [
    ...profileStoreMethods(pushes, agents, clock),
    ...pusherMethods(pushes, clock),
    ...otlpMethods(pushes),
    ...logsMethods(host),
    ...debuginfoMethods(services.debuginfo),
    ...queryMethods({ ...services, clock }),
    ...(isForPyroscope ? pyroscopeMethods({ engine: pyroscope, clock }, kept) : []),
    ...scrapeMethods(services.scrape, clock),
    ...partsMethods(services.parts, services.files, clock),
    ...telemetryMethods(host),
  ];
}

function scraperMethods(services: ScraperServices, host: ApiHost): Method[] {
  const { scrape, pushes, forward, forwardStream } = services;
  const passed = forwardedMethods.map((path): Method => ({
    path,
    kind: 'unary',
    handle: (request, { signal }) => forward(path, request, signal),
  }));
  const streams = forwardedStreams.map((path): Method => ({
    path,
    kind: 'stream',
    keepsRequests: false,
    handle: (requests, { signal }) => forwardStream(path, requests, signal),
  }));
  // Pyroscope's pushes become writes that every server of the other end knows.
  return [
    ...passed,
    ...streams,
    ...pusherMethods(pushes, host.clock),
    ...logsMethods(host),
    ...scrapeMethods(scrape, host.clock),
    ...telemetryMethods(host),
  ];
}

/** Builds the checks; `served` returns undefined for a server that only scrapes. */
function readinessOf(
  metrics: Metrics,
  state: () => { readonly isReady: boolean; readonly served: ApiServices | undefined },
): Readiness {
  const readiness = new Readiness(metrics);
  readiness.add({
    uses: ['read', 'write'],
    why: () => (state().isReady ? undefined : 'it is starting or stopping'),
  });
  readiness.add({ uses: ['read'], why: () => state().served?.problem?.() });
  readiness.add({
    uses: ['write'],
    why: () => state().served?.whyNoWrites?.(),
  });
  return readiness;
}

function pyroscopeIsOff(): never {
  throw new AppError('unimplemented', "this server does not serve Pyroscope's clients");
}

function adminIsOff(): never {
  throw new AppError(
    'failed-precondition',
    'cannot do this: the admin API is off; start the server with --enable-admin-api',
  );
}

function observeUse(metrics: Metrics, connections: () => number, requestBytes: () => number): void {
  metrics.observedGauge('parca_api_connections', 'Open connections.', connections);
  metrics.observedGauge('parca_api_request_bytes', 'Bytes of requests in memory.', requestBytes);
}

function createRequestMemory(metrics: Metrics, limits: ApiLimits): RequestMemory {
  return new RequestMemory(
    { bytesMax: limits.requestBytesMax, connectionBytesMax: limits.connectionBytesMax },
    metrics.counter(
      'parca_api_requests_without_room_total',
      'Requests refused for want of memory, of all requests or of their connection.',
      ['limit'],
    ),
  );
}

function startingError(): AppError {
  return new AppError('unavailable', 'the server is starting: stored profiles are being read', {
    retryAfterMillis: busyRetryMillis,
  });
}

function scraperError(): AppError {
  const why = 'this server only scrapes and passes writes on: ask the one that it sends to';
  return new AppError('unimplemented', why);
}

function stoppingError(): AppError {
  return new AppError('unavailable', 'the server is stopping', {
    retryAfterMillis: busyRetryMillis,
  });
}

async function buildHttpApp(
  host: ApiHost,
  options: ApiOptions,
  transport: TransportContext,
  hooks: Omit<AppHooks, 'uiFiles'>,
): Promise<HttpApp> {
  const { files, logger, metrics } = host;
  const uiFiles = uiFilesOnce(files, options.uiFolder, `${options.pathPrefix}/`);
  const requests = metrics.counter('parca_http_requests_total', 'HTTP requests answered.', [
    'route',
    'code',
  ]);
  return createHttpApp(transport, { ...hooks, uiFiles }, logger, requests, {
    ...options,
    profileSecondsMax: profileSecondsMaxOf(options.writeTimeoutMillis),
  });
}

/** Longest CPU profile of the server, in whole seconds: it must end within the limit of a call. */
export function profileSecondsMaxOf(writeTimeoutMillis: number): number {
  return Math.max(1, Math.min(selfProfileSecondsMax, Math.floor(writeTimeoutMillis / 1000)));
}

/** Opens the port. HTTP/2 streams that are not native gRPC are handled like HTTP/1.1 requests. */
async function openSharedPort(
  host: ApiHost,
  app: HttpApp,
  transport: TransportContext,
  tls: TlsDoor,
  options: ApiOptions,
  limits: ApiLimits,
): Promise<Port> {
  const http2 = createGrpcServer();
  const turns = new StreamTurns();
  http2.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags, raw) => {
    stream.on('error', () => undefined);
    if (isNativeGrpc(headers)) {
      turns.add(stream, () => void serveGrpc(transport, stream, headers));
      return;
    }
    if (headers[':path'] === undefined) {
      // CONNECT, which asks for a tunnel to another server.
      stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
      return;
    }
    turns.add(stream, () => {
      // Node's compatibility classes have the methods of HTTP/1.1 requests, but not their type.
      const request: unknown = new Http2ServerRequest(stream, headers, {}, raw);
      const response: unknown = new Http2ServerResponse(stream);
      app.handle(request as IncomingMessage, response as ServerResponse);
    });
  });
  return openPort(host.clock, app.server, http2, {
    address: options.address,
    moreAddresses: options.moreAddresses ?? [],
    connectionsMax: limits.connectionsMax,
    connectionsPerAddressMax: limits.connectionsPerAddressMax,
    unread: {
      bytesMax: limits.unreadBytesMax,
      silenceMillisMax: options.writeTimeoutMillis,
      cutOff: host.metrics.counter(
        'parca_api_answers_cut_off_total',
        'Answers cut off because their callers did not read them: too much memory, or time.',
        ['limit'],
      ),
    },
    refused: host.metrics.counter(
      'parca_api_connections_refused_total',
      'Connections closed as too many were open, of all or from one address, or for too many requests.',
      ['limit'],
    ),
    tls,
    firstByteMillisMax: options.readTimeoutMillis,
    isEndless: (headers) => isNativeGrpc(headers) && isStreamMethod(transport, headers),
  });
}

function isStreamMethod(transport: TransportContext, headers: IncomingHttpHeaders): boolean {
  return transport.kindOf(methodPath(headers[':path'] ?? '')) === 'stream';
}

function serviceOf(path: string): string {
  return path.slice(1, path.lastIndexOf('/'));
}
