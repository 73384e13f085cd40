// The HTTP app: UI, JSON API, gRPC-Web, metrics, health, reload, profiles of the server.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import { inputLimits } from '../../base/input-limits.ts';
import type { Clock } from '../../base/clock.ts';
import { messageBytesMax, querySliceMillis } from '../../base/limits.ts';
import type { ImportInThread } from '../../formats/import/import-file.ts';
import type { Counter } from '../../base/metrics.ts';
import { createServer } from '../../base/node/http.ts';
import { Pacer, stoppablePacer } from '../../base/pacer.ts';
import { isSmallJson, jsonInSlices } from '../../base/text/json-slices.ts';
import { beginWork, endWork } from '../../base/work.ts';
import type { BuildSymbols, DebuginfodFiles, DebuginfoUploads } from '../../debuginfo/interface.ts';
import type { SourceLinkRule } from '../../config/source-links.ts';
import type { GoBuild } from '../../model/go-build.ts';
import type { DrawPicture, QueryControl, QueryEngine } from '../../query/interface.ts';
import type { Findings } from '../../findings/interface.ts';
import type { RulesStatus } from '../../rules/interface.ts';
import type { ReadRules, ScrapeStatus } from '../../scrape/interface.ts';
import type { PageFiles, Shares, StoredMarks } from '../../shares/interface.ts';
import { whoIs } from '../auth/caller.ts';
import { identifySender } from '../auth/caller-id.ts';
import { addGate } from './http-gate.ts';
import { addLoginRoute } from './login.ts';
import { methodNeeds } from '../auth/scopes.ts';
import type { TransportContext } from '../transport/call/call.ts';
import { findConnection } from '../transport/call/request-memory.ts';
import { retryHeaders } from '../transport/call/retry-info.ts';
import { wireStatus } from '../transport/call/status.ts';
import { isGrpcWeb, serveGrpcWeb } from '../transport/grpc/web.ts';
import { gatewayRoutes, JsonGateway, respondError } from '../transport/json/gateway.ts';
import { addAdminRoutes } from '../routes/admin-routes.ts';
import { addDebuginfoRoutes } from '../debuginfo/debuginfo-routes.ts';
import { addExportRoutes } from '../routes/export-routes.ts';
import { insightCalls } from '../routes/insight-calls.ts';
import { addInsightRoutes } from '../routes/insight-routes.ts';
import { addPageRoute } from '../routes/page-route.ts';
import { addQueriesRoutes } from '../routes/queries-routes.ts';
import type { CardinalityStatus } from '../../ingest/interface.ts';
import type { CallerLimits } from '../transport/call/caller-limits.ts';
import { type AssemblyReader, assemblyCall } from '../routes/assembly-route.ts';
import { pictureCall } from '../routes/picture-route.ts';
import { addCallersRoute } from '../routes/callers-route.ts';
import { addCardinalityRoute } from '../routes/cardinality-route.ts';
import { addFindingsRoutes } from '../routes/findings-routes.ts';
import { addMarksRoutes } from '../routes/marks-routes.ts';
import { addPageFileRoutes } from '../routes/page-file-routes.ts';
import { addPrometheusRoutes } from '../routes/prometheus-routes.ts';
import { addRulesRoutes } from '../routes/rules-routes.ts';
import { addSettingsRoute, type Settings } from '../routes/settings-route.ts';
import { sourceLinksCall } from '../routes/source-links.ts';
import { addShareRoutes } from '../routes/share-routes.ts';
import { addTargetRoutes } from '../routes/target-routes.ts';
import { addSymbolsRoute } from '../routes/symbols-route.ts';
import { pathFields } from '../transport/http/serve-call.ts';
import { addConnectRoute } from '../transport/connect/unary.ts';
import { addRenderRoutes } from '../query/pyroscope/render-routes.ts';
import type { BuildVersion } from '../query/pyroscope/status-routes.ts';
import { addFileRoute } from '../ingest/file/file-route.ts';
import { addOtlpRoute } from '../ingest/otlp/otlp-service.ts';
import { addPyroscopeRoutes } from '../ingest/pyroscope/pyroscope-route.ts';
import type { PushStore } from '../ingest/profile-pushes.ts';
import { addDebuginfodRoutes } from '../debuginfo/debuginfod-routes.ts';
import {
  addOperatorRoutes,
  type OperatorHooks,
  type OperatorOptions,
  plain,
} from '../routes/operator-routes.ts';
import { securityHeaders } from './security-headers.ts';
import { isPageRoute, notBuiltPage, type UiFile } from './ui-files.ts';

/** Parts of the program that the HTTP app needs for its answers. */
export interface AppHooks extends OperatorHooks {
  readonly importInThread: ImportInThread;
  readonly readRules: ReadRules;
  readonly callerLimits: CallerLimits;
  /** Returns the engine; throws AppError 'unavailable' while the server starts. */
  engine(): QueryEngine;
  /** Returns the engine for Pyroscope's clients; throws AppError where they are not served. */
  pyroscope(): QueryEngine;
  /**
   * Returns the uploads of debug information; throws AppError 'unavailable' while the server
   * starts.
   */
  debuginfo(): DebuginfoUploads;
  /**
   * Returns the files for clients of debuginfod; throws AppError 'unavailable' while the server
   * starts.
   */
  debuginfodFiles(): DebuginfodFiles;
  /** Returns the store of pushes; throws AppError 'unavailable' while the server starts. */
  pushes(): PushStore;
  /** Returns the shared profiles; throws AppError 'failed-precondition' where sharing is off. */
  shares(): Shares;
  /** Returns the marked times; throws AppError 'unavailable' while the server starts. */
  marks(): StoredMarks;
  /** Returns the page's stored files; throws AppError 'unavailable' while the server starts. */
  pageFiles(): PageFiles;
  /** Returns the findings; throws AppError 'unavailable' while the server starts. */
  findings(): Findings;
  /** Returns true if profiles can be shared now. */
  isSharing(): boolean;
  /** Returns the running queries; throws AppError 'unavailable' while the server starts. */
  queries(): QueryControl;
  /**
   * Returns build ids and the state of their symbols; throws AppError 'unavailable' while the
   * server starts.
   */
  symbols(): readonly BuildSymbols[];
  /** Returns the settings; throws AppError 'unavailable' while the server starts. */
  settings(): Settings;
  /** Returns the reader of code; throws AppError 'unavailable' while the server starts. */
  assembly(): AssemblyReader;
  drawPicture(): DrawPicture;
  /** Returns the rules of links; throws AppError 'unavailable' while the server starts. */
  sourceLinks(): readonly SourceLinkRule[];
  /**
   * Returns the build information of a Go program; undefined if it is not known. Throws AppError
   * 'unavailable' while the server starts.
   */
  goBuild(buildId: string): GoBuild | undefined;
  /** Returns the counts of active series; throws AppError 'unavailable' while the server starts. */
  cardinality(): CardinalityStatus;
  /** Returns the rules; throws AppError 'unavailable' while the server starts. */
  rules(): RulesStatus;
  /** Returns the state of targets; throws AppError 'unavailable' while the server starts. */
  scrape(): ScrapeStatus;
  /**
   * Loads the files of the UI, and returns them by path. It is called again as long as there are
   * none.
   */
  uiFiles(): Promise<ReadonlyMap<string, UiFile>>;
  /** Called when a browser requests a page, which will send queries soon. */
  onPageOpened(): void;
}

export interface AppOptions extends OperatorOptions {
  /** Origins whose pages may call the API; "*" means any. */
  readonly corsAllowedOrigins: readonly string[];
  readonly readTimeoutMillis: number;
  /** Version of the program, and its commit. */
  readonly build?: BuildVersion;
}

/** The HTTP/1.1 server, which does not open a port itself, and the handler of its requests. */
export interface HttpApp {
  readonly server: Server;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/** Builds the app with all routes. `requests` counts answers by route and code. */
export async function createHttpApp(
  transport: TransportContext,
  hooks: AppHooks,
  requests: Counter,
  options: AppOptions,
): Promise<HttpApp> {
  let server: Server | undefined;
  const app = fastify({
    bodyLimit: messageBytesMax,
    routerOptions: { maxParamLength: 4_096, ignoreTrailingSlash: false },
    serverFactory: (handler) => {
      server = createServer(serverOptions(options), inTurns(transport, handler));
      return server;
    },
  });
  // Fastify must not parse bodies: the handlers read them, with their own limits of size and time.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.addHook('onRequest', (request, reply, done) => {
    noteWork(request, reply);
    done();
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    requests.add(1, { route, code: String(reply.raw.statusCode) });
  });
  addHeaders(app);
  addJsonSlices(app, transport.runner.clock);
  app.setErrorHandler((error, request, reply) => failRequest(transport, error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    const isApi = request.url.startsWith(`${options.pathPrefix}/api/`);
    if (isApi || isGrpcWeb(request.headers['content-type'])) {
      return grpcWebOr404(transport, request, reply);
    }
    return plain(reply, 404, 'Not Found');
  });
  if (options.corsAllowedOrigins.length > 0) await allowOrigins(app, options.corsAllowedOrigins);
  addGate(app, transport, options.pathPrefix);
  await app.register(
    async (scope) => {
      addApiRoutes(scope, transport);
      addLoginRoute(scope, transport, transport.gate, options.pathPrefix);
      addFileRoute(scope, transport, () => hooks.pushes(), hooks.importInThread);
      addPyroscopeRoutes(scope, transport, () => hooks.pushes(), hooks.importInThread);
      addRenderRoutes(scope, transport, hooks, options.build);
      addOtlpRoute(scope, transport, () => hooks.pushes());
      addConnectRoute(scope, transport, grpcWebOr404);
      addExportRoutes(scope, transport, () => hooks.engine());
      addAnswerRoutes(scope, transport, hooks);
      addAdminRoutes(scope, transport, hooks);
      addDebuginfoRoutes(scope, transport, () => hooks.debuginfo());
      addDebuginfodRoutes(scope, transport, () => hooks.debuginfodFiles());
      addKeptRoutes(scope, transport, hooks);
      addPageRoute(scope, transport, () => hooks.isSharing());
      addQueriesRoutes(scope, () => hooks.queries());
      addSymbolsRoute(scope, () => hooks.symbols());
      addCallersRoute(scope, hooks.callerLimits);
      addSettingsRoute(scope, () => hooks.settings());
      addStatusRoutes(scope, transport, hooks);
      addTargetRoutes(scope, transport, () => hooks.scrape(), hooks.readRules);
      addOperatorRoutes(scope, hooks, options);
      addUiRoutes(scope, transport, hooks, options.pathPrefix);
    },
    { prefix: options.pathPrefix },
  );
  if (options.pathPrefix !== '') addRedirects(app, options.pathPrefix);
  await app.ready();
  if (!server) throw new AppError('internal', 'cannot create HTTP server');
  return { server, handle: (request, response) => app.routing(request, response) };
}

/** Adds our own paths for answers about profiles. */
function addAnswerRoutes(
  scope: FastifyInstance,
  transport: TransportContext,
  hooks: AppHooks,
): void {
  const engine = (): QueryEngine => hooks.engine();
  addInsightRoutes(scope, transport, engine, [
    ...insightCalls,
    assemblyCall(() => hooks.assembly()),
    pictureCall(() => hooks.drawPicture()),
    sourceLinksCall({
      rules: () => hooks.sourceLinks(),
      goBuild: (buildId) => hooks.goBuild(buildId),
    }),
  ]);
}

/** Adds the paths of data that users store on the server. */
function addKeptRoutes(scope: FastifyInstance, transport: TransportContext, hooks: AppHooks): void {
  addShareRoutes(scope, transport, () => hooks.shares());
  addMarksRoutes(scope, transport, () => hooks.marks());
  addPageFileRoutes(scope, transport, () => hooks.pageFiles());
  addFindingsRoutes(scope, transport, () => hooks.findings());
}

/** Adds the paths that report on the server. */
function addStatusRoutes(
  scope: FastifyInstance,
  transport: TransportContext,
  hooks: AppHooks,
): void {
  addCardinalityRoute(scope, transport.runner.clock, () => hooks.cardinality());
  addRulesRoutes(scope, () => hooks.rules());
  addPrometheusRoutes(scope, transport, () => hooks.rules());
}

/** Writes the JSON of large answers in slices. */
function addJsonSlices(app: FastifyInstance, clock: Clock): void {
  const written = new WeakMap<FastifyRequest, Buffer>();
  app.addHook('preSerialization', async (request, reply, payload) => {
    if (isSmallJson(payload)) return payload;
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort(new AppError('cancelled', 'the client has gone')));
    const pacer = stoppablePacer(new Pacer(clock, querySliceMillis), gone.signal);
    written.set(request, await jsonInSlices(payload, pacer));
    return {};
  });
  app.addHook('onSend', async (request, _reply, payload) => written.get(request) ?? payload);
}

/** Counts a request as running until its answer is sent or its caller disconnects. */
function noteWork(request: FastifyRequest, { raw }: FastifyReply): void {
  const work = beginWork(() => {
    const { method, routeOptions, caller } = request;
    return `${method} ${routeOptions.url ?? 'unknown'} by ${whoIs(caller, request.ip)}`;
  });
  raw.once('close', () => endWork(work));
}

/** Adds the default headers of each answer. */
function addHeaders(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    for (const [name, value] of Object.entries(securityHeaders)) {
      // Headers of the login page, and headers that the web config file sets, take precedence.
      if (!reply.hasHeader(name)) reply.header(name, value);
    }
    // Caches must not store answers about this server or its profiles. Files of the page have their
    // own header.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
}

/** Redirects the root to the prefix. */
function addRedirects(app: FastifyInstance, pathPrefix: string): void {
  app.get('/', (_request, reply) => reply.redirect(`${pathPrefix}/`));
  // Links of the page are relative to its folder. The redirect keeps the parameters.
  app.get(pathPrefix, (request, reply) =>
    reply.redirect(`${pathPrefix}/${request.url.slice(pathPrefix.length)}`),
  );
}

/**
 * Makes requests wait for their turn. Requests of closed connections are dropped: port.ts closes a
 * connection that has too many requests.
 */
function inTurns(
  { requestTurns }: TransportContext,
  handler: HttpApp['handle'],
): HttpApp['handle'] {
  return (request, response) => {
    const { socket } = request;
    const isOpen = (): boolean => !socket.destroyed;
    if (!isOpen()) return;
    const begin = (): void => handler(request, response);
    requestTurns.add({ connection: socket, isOpen, begin });
  };
}

function serverOptions(options: AppOptions): Parameters<typeof createServer>[0] {
  return {
    maxHeaderSize: inputLimits.headerBytes,
    headersTimeout: options.readTimeoutMillis,
    // This is enough for a slow but steady upload. The body reader ends stalled uploads much
    // earlier.
    requestTimeout: Math.max(options.readTimeoutMillis, 300_000),
    keepAliveTimeout: 75_000,
    connectionsCheckingInterval: 500,
  };
}

async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  const { default: cors } = await import('@fastify/cors');
  await app.register(cors, {
    origin: origins.includes('*') ? true : [...origins],
    // With "*", a browser would send a reader's password for a page of any site.
    credentials: !origins.includes('*'),
    methods: ['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['grpc-status', 'grpc-message', 'grpc-status-details-bin', 'retry-after'],
  });
}

function addApiRoutes(app: FastifyInstance, transport: TransportContext): void {
  const gateway = new JsonGateway(transport);
  for (const route of gatewayRoutes) {
    app.route({
      method: route.verb,
      url: `/api${route.path}`,
      config: { need: methodNeeds.get(route.method) },
      handler: async (request, reply) => {
        if (isGrpcWeb(request.headers['content-type'])) {
          await grpcWebOr404(transport, request, reply);
          return;
        }
        takeOver(reply);
        await gateway.serve(
          route,
          pathFields(request.params),
          request.raw,
          reply.raw,
          request.caller,
        );
      },
    });
  }
}

async function grpcWebOr404(
  transport: TransportContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  takeOver(reply);
  if (isGrpcWeb(request.headers['content-type'])) {
    await serveGrpcWeb(transport, request.raw, reply.raw, request.caller);
    return;
  }
  request.raw.resume();
  respondError(reply.raw, new AppError('not-found', 'Not Found'));
}

/** Leaves the answer to the handler, and keeps the headers that hooks have set, such as CORS. */
function takeOver(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.hijack();
}

function addUiRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  hooks: AppHooks,
  pathPrefix: string,
): void {
  app.get('/api', (request, reply) => grpcWebOr404(transport, request, reply));
  app.get('/api/*', (request, reply) => grpcWebOr404(transport, request, reply));
  app.get('/*', async (request, reply) => {
    const files = await hooks.uiFiles();
    const path = decodeURI(request.url.slice(pathPrefix.length + 1).split('?')[0]);
    const isPage = isPageRoute(path);
    if (isPage) hooks.onPageOpened();
    const file = files.get(path) ?? (isPage ? files.get('index.html') : undefined);
    if (file) return sendFile(request, reply, file);
    if (!isPage) return plain(reply, 404, 'Not Found');
    return reply.code(503).type('text/html; charset=utf-8').send(notBuiltPage);
  });
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: UiFile): FastifyReply {
  reply.headers({ 'cache-control': file.cacheControl, etag: file.etag });
  reply.header('vary', 'accept-encoding');
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  reply.type(file.contentType);
  const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  if (!file.gzipped || !takesGzip) return reply.send(file.bytes);
  return reply.header('content-encoding', 'gzip').send(file.gzipped);
}

async function failRequest(
  transport: TransportContext,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { caller } = identifySender(request.caller, findConnection(request.raw));
  await transport.refusalWaits.before(error, caller, reply.raw);
  const ownStatus =
    typeof error === 'object' && error !== null && 'statusCode' in error
      ? Number(error.statusCode)
      : wireStatus(errorCode(error)).http;
  const status = ownStatus >= 400 && ownStatus <= 599 ? ownStatus : 500;
  if (status === 500) {
    const stack = error instanceof Error ? error.stack : undefined;
    const fields = { path: request.url, error: errorMessage(error), stack };
    transport.runner.logger.error('request failed', fields);
  }
  return plain(reply.headers(retryHeaders(error)), status, errorMessage(error));
}
