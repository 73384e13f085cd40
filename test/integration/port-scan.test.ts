// Scans the port with TLS and tokens: each path and each method, over every protocol, without a
// token, with a token of all other scopes, and with the right token. The paths and methods come
// from the server's own tables, and a server with a path or method that is missing there does not
// start.
import assert from 'node:assert/strict';
import { type ClientHttp2Session, connect } from 'node:http2';
import { after, before, test } from 'node:test';
import { createHash } from 'node:crypto';
import { Agent, request } from 'undici';
import {
  methodNeeds,
  type Need,
  type RouteNeed,
  routeNeeds,
  listScopes,
} from '../../src/api/auth/scopes.ts';
import { gatewayRoutes } from '../../src/api/transport/json/gateway.ts';
import { openWebConfig, type Scope, scopes } from '../../src/config/web/web-config.ts';
import { emptyServices, startApi, type TestApi } from '../support/api.ts';
import { createCertificates, serverTls } from '../support/certificates.ts';

const certificates = createCertificates();
const ca = certificates.text('ca.pem');
let server: TestApi;
let agent: Agent;
let session: ClientHttp2Session;

/**
 * Returns the name of a token that has only one scope; `allBut` returns that of a token with all
 * scopes but one.
 */
const only = (need: Need): string => `only ${need}`;
const allBut = (scope: Scope): string => `all but ${scope}`;

before(async () => {
  certificates.make('server', 'IP:127.0.0.1');
  const token = (text: string, given: readonly Scope[]) => ({
    name: text,
    scopes: given,
    sha256: createHash('sha256').update(tokenText(text)).digest('hex'),
  });
  const tokens = scopes.flatMap((scope) => [
    token(only(scope), [scope]),
    token(
      allBut(scope),
      scopes.filter((one) => one !== scope),
    ),
  ]);
  tokens.push(token(only('read and debuginfo'), listScopes('read and debuginfo')));
  const tls = serverTls(certificates, 'server');
  server = await startApi({
    services: { pyroscope: emptyServices.engine },
    options: { web: { ...openWebConfig, tls, tokens } },
  });
  agent = new Agent({ connect: { ca }, allowH2: false });
  session = connect(`https://${server.address}`, { ca });
});
after(async () => {
  session.close();
  await agent.close();
  await server.close();
  certificates.remove();
});

function tokenText(name: string): string {
  return name.replaceAll(' ', '-');
}

function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${tokenText(token)}` };
}

/** Asks over HTTP/1.1. */
async function ask(
  verb: string,
  path: string,
  token?: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string; headers: Record<string, unknown> }> {
  const answer = await request(`https://${server.address}${path}`, {
    method: verb as 'GET',
    headers: { ...headers, ...authorization(token) },
    dispatcher: agent,
  });
  return { status: answer.statusCode, text: await answer.body.text(), headers: answer.headers };
}

/**
 * Returns the gRPC status of a call over HTTP/2 without a message; a stream is cut after its
 * headers.
 */
async function call(path: string, token: string | undefined): Promise<number> {
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    te: 'trailers',
    'content-type': 'application/grpc',
    'grpc-timeout': '2S',
    ...authorization(token),
  });
  stream.end();
  return new Promise((resolve, reject) => {
    const take = (headers: Record<string, unknown>): void => {
      if (headers['grpc-status'] !== undefined) resolve(Number(headers['grpc-status']));
    };
    stream.on('response', take).on('trailers', take).on('error', reject);
    stream.on('close', () => reject(new Error(`${path} ended without a status`)));
    stream.resume();
  });
}

const routes: readonly (readonly [verb: string, path: string, need: RouteNeed])[] = [
  ...[...routeNeeds].map(([key, need]) => {
    const [, verb, path] = /^(\S+) (.*)$/.exec(key) ?? [];
    const url = path.replaceAll(/:\w+/g, 'x').replace('*', 'explore');
    return [verb === '*' ? 'POST' : verb, url.startsWith('/') ? url : `/${url}`, need] as const;
  }),
  ...gatewayRoutes.map(({ verb, path, method }) => {
    const need = methodNeeds.get(method);
    assert.ok(need !== undefined, method);
    return [verb, `/api${path.replaceAll(/:\w+/g, 'x')}`, need] as const;
  }),
];

test('no path answers without a token, and each names the way to get in', async () => {
  assert.ok(routes.length > 40);
  for (const [verb, path] of routes) {
    if (path === '/login' || path === '/logout') continue;
    for (const asked of verb === 'GET' ? ['GET', 'HEAD'] : [verb]) {
      const { status, text, headers } = await ask(asked, path);
      assert.deepEqual([status, headers['www-authenticate']], [401, 'Bearer realm="parca"'], path);
      assert.doesNotMatch(text, /<script|assets/, path);
    }
  }
  for (const path of ['/nothing', '/api/nothing', '/api/v1/nothing', '/%2e%2e/metrics', '//']) {
    assert.equal((await ask('GET', path)).status, 401, path);
    assert.equal((await ask('PUT', path)).status, 401, path);
  }
  const wrong = await ask('GET', '/metrics', 'unknown');
  assert.deepEqual([wrong.status, wrong.text], [401, 'cannot let you in: the token is unknown\n']);
});

test('each path wants its scope: any other is 403, the right one gets further', async () => {
  for (const [verb, path, need] of routes) {
    if (need === 'open' || need === 'method') continue;
    for (const scope of listScopes(need)) {
      const { status, text } = await ask(verb, path, allBut(scope));
      assert.equal(status, 403, `${verb} ${path}: ${text}`);
      assert.match(text, new RegExp(`does not have the scope ${scope}`), path);
    }
    const { status } = await ask(verb, path, only(need === 'any' ? 'write' : need));
    // A reload returns 403 for another reason: the admin API is disabled.
    assert.ok(status !== 401 && (status !== 403 || path === '/-/reload'), `${path}: ${status}`);
  }
});

test('each method wants its scope, natively, by gRPC-Web, by Connect', async () => {
  assert.ok(methodNeeds.size > 20);
  for (const [path, need] of methodNeeds) {
    const web = (token?: string) =>
      ask('POST', path, token, { 'content-type': 'application/grpc-web+proto' });
    const connectCall = (token?: string) =>
      ask('POST', path, token, { 'content-type': 'application/json' });
    assert.equal(await call(path, undefined), 16, path);
    assert.equal(await call(`/prefix${path}`, undefined), 16, path);
    assert.match((await web()).text, /grpc-status:16/, path);
    const none = await connectCall();
    assert.equal(none.status, 401, path);
    assert.match(none.text, /"code":"unauthenticated"/, path);
    const isUnary = !/\/(Watch|Write|Upload|ServerReflectionInfo)$/.test(path);
    for (const scope of listScopes(need)) {
      const wrong = allBut(scope);
      assert.equal(await call(path, wrong), 7, path);
      assert.equal(await call(`/api${path}`, wrong), 7, path);
      assert.match((await web(wrong)).text, /grpc-status:7/, path);
      assert.match(
        (await ask('POST', `/api${path}`, wrong, { 'content-type': 'application/grpc-web' })).text,
        /grpc-status:7/,
        path,
      );
      const denied = await connectCall(wrong);
      if (isUnary) assert.equal(denied.status, 403, path);
      else assert.notEqual(denied.status, 200, path);
    }
    if (!isUnary) continue;
    const right = only(need === 'any' ? 'admin' : need);
    const status = await call(path, right);
    assert.ok(status !== 16 && status !== 7, `${path}: ${status}`);
    assert.doesNotMatch((await web(right)).text, /grpc-status:(16|7)\r/, path);
  }
});

test('another spelling of a path needs no other scope', async () => {
  const query = '/parca.query.v1alpha1.QueryService/Labels';
  const json = { 'content-type': 'application/json' };
  for (const path of [query.replace('Labels', 'Label%73'), query.replace('/parca', '/%70arca')]) {
    assert.equal((await ask('POST', path, allBut('read'), json)).status, 403, path);
    assert.equal((await ask('POST', path, only('read'), json)).status, 200, path);
  }
  for (const path of ['/api/v1/%71ueries', '/api/v1/queries?x=/metrics', '/api/v1/queries#x']) {
    assert.equal((await ask('GET', path, allBut('read'))).status, 403, path);
  }
  // Requests a method of another service at a path below one of the gateway.
  const hidden = `/api/profiles/labels${query}`;
  const web = { 'content-type': 'application/grpc-web+proto' };
  assert.match((await ask('POST', hidden, only('write'), web)).text, /grpc-status:7/);
});
