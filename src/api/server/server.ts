// The API: a port, its transports, and the services that they call.
import { AppError } from '../../base/errors.ts';
import {
  busyRetryMillis,
  connectionBytesInFlightMax,
  connectionsMax,
  connectionsPerAddressMax,
  messageBytesMax,
  requestBytesInFlightMax,
  unreadAnswersBytesMax,
} from '../../base/limits.ts';
import { drainMillisMax } from '../limits.ts';
import type { Metrics } from '../../base/metrics.ts';
import { assert } from '../../base/assert.ts';
import type { WebConfig } from '../../config/web/web-config.ts';
import { audited } from './audited.ts';
import { type Caller, checkScope } from '../auth/caller.ts';
import type { Gate } from '../auth/gate.ts';
import { methodNeeds } from '../auth/scopes.ts';
import { createCallMetrics, type TransportContext } from '../transport/call/call.ts';
import { type Method, methodTable, type MethodTable } from '../transport/call/method.ts';
import { RefusalWaits } from '../transport/call/refusal-waits.ts';
import { RequestMemory } from '../transport/call/request-memory.ts';
import { RequestTurns } from '../transport/call/request-turns.ts';
import { healthMethods } from '../services/health-service.ts';
import type { AppHooks } from './app.ts';
import { Readiness, type Use } from '../services/readiness.ts';
import type { Port } from '../transport/port.ts';
import { reflectionMethods } from '../services/reflection-service.ts';
import { JsonTurns } from '../transport/json/json-turns.ts';
import { AgentTable } from '../ingest/agent-table.ts';
import { ProfilePushes, type PushStore } from '../ingest/profile-pushes.ts';
import type {
  ApiHost,
  ApiServices,
  ScraperServices,
  ApiHooks,
  ApiOptions,
  ApiLimits,
  Api,
} from '../interface.ts';
import { createMethods, scraperMethods } from './service-methods.ts';
import { type Entrance, openEntrance } from './entrance.ts';
import { openSharedPort } from './shared-port.ts';
import { httpServices, buildHttpApp } from './http-app.ts';

const defaultLimits: ApiLimits = {
  messageBytesMax,
  requestBytesMax: requestBytesInFlightMax,
  connectionBytesMax: connectionBytesInFlightMax,
  unreadBytesMax: unreadAnswersBytesMax,
  connectionsMax,
  connectionsPerAddressMax,
};

/**
 * Opens the port and starts the API. Errors: AppError 'failed-precondition' when the address cannot
 * be bound.
 */
export async function openApi(host: ApiHost, hooks: ApiHooks, options: ApiOptions): Promise<Api> {
  const server = new Server(host, hooks, options);
  await server.listen();
  return server;
}

/** State of a server. It begins as 'starting' and ends as 'stopping'. */
type State =
  | { readonly kind: 'starting' }
  | {
      readonly kind: 'serving';
      readonly services: ApiServices;
      readonly pushes: ProfilePushes;
    }
  | { readonly kind: 'scraper'; readonly services: ScraperServices }
  | { readonly kind: 'stopping' };

class Server implements Api {
  #state: State = { kind: 'starting' };
  #methods: MethodTable = new Map();
  #port: Port | undefined;
  readonly #host: ApiHost;
  readonly #hooks: ApiHooks;
  readonly #options: ApiOptions;
  readonly #limits: ApiLimits;
  readonly #memory: RequestMemory;
  readonly #readiness: Readiness;
  readonly #entrance: Entrance;
  /** Methods that are available in every state: health and reflection. */
  readonly #always: readonly Method[];
  /** Names of all services that this server has offered in any state. */
  readonly #names = new Set<string>();
  readonly #afterClose: (() => Promise<void>)[] = [];

  constructor(host: ApiHost, hooks: ApiHooks, options: ApiOptions) {
    this.#host = host;
    this.#hooks = hooks;
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#memory = createRequestMemory(host.metrics, this.#limits);
    this.#readiness = createReadiness(host.metrics, () => this.#state);
    this.#entrance = openEntrance(host, hooks, options);
    const isStopping = (): boolean => this.#state.kind === 'stopping';
    const health = healthMethods(this.#readiness, host.clock, this.#names, isStopping);
    this.#always = health.concat(reflectionMethods(this.#names));
    this.#publish([]);
  }

  /** Opens the port. Errors: AppError 'failed-precondition' when the address cannot be bound. */
  async listen(): Promise<void> {
    const { metrics } = this.#host;
    const transport = this.#transport();
    const app = await buildHttpApp(this.#host, this.#options, transport, this.#appHooks());
    const { tls } = this.#entrance;
    const port = await openSharedPort(this.#host, app, transport, tls, this.#options, this.#limits);
    observeUse(metrics, port.connectionCount, () => this.#memory.usedBytes);
    this.#port = port;
  }

  get host(): string {
    return this.#listening.host;
  }

  get port(): number {
    return this.#listening.port;
  }

  get ownToken(): string {
    return this.#entrance.ownToken;
  }

  readiness(use: Use): { readonly code: number; readonly text: string } {
    return this.#readiness.answer(use);
  }

  applyWebConfig(config: WebConfig): void {
    const { tls, gate, callerLimits } = this.#entrance;
    tls.apply(config);
    gate.apply(config);
    callerLimits.apply(config.callerLimits);
  }

  queriesAtOnce(caller: string): number {
    return this.#entrance.callerLimits.queriesAtOnce(caller);
  }

  serve(services: ApiServices): void {
    const agents = new AgentTable(this.#host.clock);
    const { callerLimits } = this.#entrance;
    const pushes = new ProfilePushes(services.ingester, agents, callerLimits);
    this.#state = { kind: 'serving', services, pushes };
    this.#publish(createMethods(services, pushes, agents, this.#host, this.#hooks.importInThread));
    this.#readiness.announce();
  }

  serveScraper(services: ScraperServices): void {
    this.#state = { kind: 'scraper', services };
    this.#publish(scraperMethods(services, this.#host, this.#hooks.importInThread));
    this.#readiness.announce();
  }

  onClosed(work: () => Promise<void>): void {
    this.#afterClose.push(work);
  }

  async close(): Promise<void> {
    this.#state = { kind: 'stopping' };
    // Running calls continue. Health and reflection still know the names of the services.
    this.#methods = methodTable(this.#always);
    this.#readiness.announce();
    await this.#port?.close(drainMillisMax);
    await this.#hooks.auditSink?.flush();
    for (const work of this.#afterClose) await work();
  }

  get #listening(): Port {
    assert(this.#port !== undefined, 'the port is open');
    return this.#port;
  }

  #publish(list: readonly Method[]): void {
    this.#methods = scopedTable([...list, ...this.#always]);
    for (const path of this.#methods.keys()) this.#names.add(serviceName(path));
  }

  /** Returns the services. Errors: AppError that states why the services are not available. */
  #services(): ApiServices {
    const state = this.#state;
    return state.kind === 'serving' ? state.services : refuse(state);
  }

  #method(path: string, caller: Caller): Method {
    const method = this.#methods.get(path);
    if (method !== undefined) return allowed(this.#entrance.gate, caller, method);
    if (this.#state.kind !== 'serving') return refuse(this.#state);
    throw new AppError('unimplemented', `unknown method ${path}`);
  }

  #transport(): TransportContext {
    const { clock, logger, metrics } = this.#host;
    return {
      runner: { clock, logger, metrics: createCallMetrics(metrics) },
      memory: this.#memory,
      requestTurns: new RequestTurns(clock),
      refusalWaits: new RefusalWaits(clock, metrics),
      jsonTurns: new JsonTurns(clock),
      messageBytesMax: this.#limits.messageBytesMax,
      callMillisMax: this.#options.writeTimeoutMillis,
      stallMillisMax: this.#options.readTimeoutMillis,
      gate: this.#entrance.gate,
      methodKind: (path) => this.#methods.get(path)?.kind,
      findMethod: (path, caller) => this.#method(path, caller),
    };
  }

  #appHooks(): Omit<AppHooks, 'uiFiles'> {
    return {
      ...this.#hooks,
      ...httpServices(() => this.#services()),
      readiness: this.#readiness,
      callerLimits: this.#entrance.callerLimits,
      scrape: () => hasDoors(this.#state).services.scrape,
      pushes: () => pushStore(hasDoors(this.#state)),
      onPageOpened: () => {
        if (this.#state.kind === 'serving') this.#state.services.onPageOpened?.();
      },
    };
  }
}

/** States in which pushes and requests about targets are answered. */
type OpenState = Extract<State, { kind: 'serving' | 'scraper' }>;

function hasDoors(state: State): OpenState {
  return state.kind === 'serving' || state.kind === 'scraper' ? state : refuse(state);
}

function pushStore(state: OpenState): PushStore {
  return state.kind === 'serving' ? state.pushes : state.services.pushes;
}

/** Throws an error because the server's services are not available. */
function refuse({ kind }: State): never {
  if (kind === 'scraper') throw scraperError();
  throw kind === 'stopping' ? stoppingError() : startingError();
}

/**
 * Returns the method if its caller may call it. Errors: AppError 'permission-denied' when the
 * caller lacks its scope.
 */
function allowed({ audit }: Gate, caller: Caller, method: Method): Method {
  const { path } = method;
  const need = methodNeeds.get(path);
  assert(need !== undefined, path);
  checkScope(caller, need, path);
  return audited(method, caller, audit);
}

/** Indexes methods by path. Each of them must have a scope. */
function scopedTable(list: readonly Method[]): MethodTable {
  for (const { path } of list) {
    assert(methodNeeds.has(path), `${path} has no scope in auth/scopes.ts`);
  }
  return methodTable(list);
}

/** Builds the checks that tell whether the server is ready for pushes and queries. */
function createReadiness(metrics: Metrics, state: () => State): Readiness {
  const services = (): ApiServices | undefined => {
    const now = state();
    return now.kind === 'serving' ? now.services : undefined;
  };
  const isOpen = (): boolean => state().kind === 'serving' || state().kind === 'scraper';
  const readiness = new Readiness(metrics);
  readiness.add({
    uses: ['read', 'write'],
    why: () => (isOpen() ? undefined : 'it is starting or stopping'),
  });
  readiness.add({ uses: ['read'], why: () => services()?.problem?.() });
  readiness.add({ uses: ['write'], why: () => services()?.whyNoWrites?.() });
  return readiness;
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

function serviceName(path: string): string {
  return path.slice(1, path.lastIndexOf('/'));
}
