// The gate in front of all HTTP paths, which refuses callers that may not use a path.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { runAs } from '../../base/current-caller.ts';
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import { methodPath } from '../transport/call/method.ts';
import { findConnection } from '../transport/call/request-memory.ts';
import type { TransportContext } from '../transport/call/call.ts';
import { retryHeaders } from '../transport/call/retry-info.ts';
import { wireStatus } from '../transport/call/status.ts';
import { sendConnectError } from '../transport/connect/unary.ts';
import { endWebCall, isGrpcWeb } from '../transport/grpc/web.ts';
import { isPageRoute } from './ui-files.ts';
import { sendError } from '../transport/http/serve-call.ts';
import { auditedRoutes } from './audited.ts';
import { hasBody, holdBack } from './hold-back.ts';
import { errorOfStatus } from '../auth/audit.ts';
import { type Caller, checkScope } from '../auth/caller.ts';
import { identifySender } from '../auth/caller-id.ts';
import type { Gate } from '../auth/gate.ts';
import { isEncryptedBy, sendLoginPage, findTokenFault } from './login.ts';
import { methodNeeds, namelessRoutes, type RouteNeed, routeNeed } from '../auth/scopes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    need?: RouteNeed | undefined;
  }
  interface FastifyRequest {
    caller: Caller;
  }
}

/**
 * Makes the gate check every path that is added later. If a path has no scope in the table, the
 * start fails, so that no path is forgotten.
 */
export function addGate(
  app: FastifyInstance,
  transport: TransportContext,
  pathPrefix: string,
): void {
  const { gate } = transport;
  // No default value is set, so that a path without the gate cannot get a caller by mistake.
  app.decorateRequest('caller');
  app.addHook('onRoute', (route) => {
    const need = route.config?.need ?? findNeed(route, pathPrefix);
    route.config = { ...route.config, need };
  });
  app.addHook('onRequest', async (request, reply) => {
    for (const [name, value] of gate.config.headers) reply.header(name, value);
    try {
      await admit(gate, request, pathPrefix);
      if (request.headers.expect !== undefined) reply.raw.writeContinue();
      return undefined;
    } catch (error) {
      const what = `${request.method} ${request.url}`;
      gate.refuse(error, request.headers, findConnection(request.raw), what);
      await holdBack(transport, error, request, reply);
      return refuse(gate, error, request, reply, pathPrefix);
    }
  });
  app.addHook('onRequest', (request, _reply, done) => {
    runAs(identifySender(request.caller, findConnection(request.raw)).caller, done);
  });
  app.addHook('onResponse', async (request, reply) => {
    const path = (request.routeOptions.url ?? '').slice(pathPrefix.length);
    const action = auditedRoutes.get(`${request.method} ${path}`);
    // A refused request has no caller. Its refusal has been logged already.
    if (action === undefined || (request.caller as Caller | undefined) === undefined) return;
    const { name } = request.caller;
    const { peer } = identifySender(request.caller, findConnection(request.raw));
    const what = `${request.method} ${request.url}`;
    const isWhole = reply.raw.writableFinished;
    const gone = new AppError('cancelled', 'the caller disconnected before its answer');
    const error = isWhole ? errorOfStatus(reply.raw.statusCode) : gone;
    gate.audit.outcome({ action, who: name, from: peer, what }, error);
  });
}

function findNeed({ method, url }: RouteOptions, pathPrefix: string): RouteNeed {
  const path = url.startsWith(pathPrefix) ? url.slice(pathPrefix.length) : url;
  const needs = new Set([method].flat().map((verb) => routeNeed(verb, path)));
  const [need] = needs;
  if (needs.size === 1 && need !== undefined) return need;
  throw new AppError('internal', `${String(method)} ${url} has no scope in auth/scopes.ts`);
}

async function admit(gate: Gate, request: FastifyRequest, pathPrefix: string): Promise<void> {
  const { headers, method, routeOptions } = request;
  // Paths that do not exist also require a caller.
  const need = routeOptions.config.need ?? 'method';
  const path = (routeOptions.url ?? '').slice(pathPrefix.length);
  const isEncrypted = isEncryptedBy(request);
  if (!namelessRoutes.has(path) && (isReading(method) || headers.origin !== undefined)) {
    gate.checkHost(headers.host ?? headers[':authority']?.toString() ?? '', isEncrypted);
  }
  if (need === 'open') return;
  const found = gate.identify(headers, findConnection(request.raw));
  // Only the check of a new password takes a promise; other requests continue immediately.
  const caller = found instanceof Promise ? await found : found;
  if (need === 'method') {
    // The scope is checked here, so that a refusal is counted and sent before the body is read.
    const called = methodPath(request.url);
    checkScope(caller, methodNeeds.get(called) ?? 'any', called);
  } else {
    const what = isPageRequest(request, pathPrefix) ? 'the page' : `${method} ${routeOptions.url}`;
    checkScope(caller, need, what);
  }
  if (!isReading(method)) gate.checkOrigin(headers);
  request.caller = caller;
}

/** Returns true if a browser requests the page. */
function isPageRequest({ method, url }: FastifyRequest, pathPrefix: string): boolean {
  const path = url.slice(pathPrefix.length);
  return isReading(method) && isPageRoute(path.slice(1).split('?')[0]);
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Answers with an error in the form of the client's protocol, without reading the body. */
function refuse(
  gate: Gate,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  pathPrefix: string,
): FastifyReply {
  const { raw, url } = request;
  const contentType = request.headers['content-type'] ?? '';
  const isUnknown = errorCode(error) === 'unauthenticated';
  if (isUnknown) reply.header('www-authenticate', gate.challenges);
  reply.header('cache-control', 'no-store');
  // Otherwise, HTTP/1.1 would take the unread rest of the body for the next request.
  if (raw.httpVersionMajor === 1 && hasBody(request)) reply.header('connection', 'close');
  if (isGrpcWeb(contentType)) {
    reply.hijack();
    endWebCall(raw, reply.raw, undefined, error);
    return reply;
  }
  const path = url.slice(pathPrefix.length);
  if (request.routeOptions.url?.endsWith('/:service/:method') === true) {
    return sendConnectError(reply, error);
  }
  if (path.startsWith('/api/')) return sendError(reply, error);
  const isPage = isPageRequest(request, pathPrefix);
  if (isUnknown && isPage && gate.config.tokens.length > 0) {
    return sendLoginPage(request, reply, pathPrefix);
  }
  const token = gate.sessionToken(request.headers.cookie);
  const why = token === undefined ? '' : findTokenFault(token);
  if (isPage && why !== '') {
    // The token lost its scope after the login. The session ends, and the form is shown again.
    reply.header('set-cookie', gate.sessions.end(`${pathPrefix}/`, isEncryptedBy(request)));
    return sendLoginPage(request, reply, pathPrefix, why);
  }
  const text = `${errorMessage(error)}\n`;
  const status = wireStatus(errorCode(error)).http;
  reply.headers(retryHeaders(error));
  return reply.code(status).type('text/plain; charset=utf-8').send(text);
}
