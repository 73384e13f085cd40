// Tests of the HTTP client of a job: TLS in both directions, credentials.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer as createProxy } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { errorMessage } from '../base/errors.ts';
import type { HttpClientConfig } from './config.ts';
import { parseConfig } from './parse.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { answer, startTargetServer, type Handler } from '../scrape/fake/target-server.ts';
import { fetchProfile } from '../scrape/fetch.ts';

const testdata = new URL('testdata/', import.meta.url);
const cert = readFileSync(new URL('test-only-cert.pem', testdata));
const key = readFileSync(new URL('test-only-key.pem', testdata));
const files = { read: async (path: string): Promise<Uint8Array> => readFileSync(path) };

/** Says who the client is: the name in its certificate, and its Authorization. */
const server = createServer({ cert, key, ca: cert, requestCert: true, rejectUnauthorized: false });
server.on('request', (request, response) => {
  const isKnown = 'authorized' in request.socket && request.socket.authorized === true;
  response.end(`${isKnown ? 'known' : 'unknown'} ${request.headers.authorization ?? ''}`);
});

before(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
after(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
});

function httpConfig(...lines: string[]): HttpClientConfig {
  const text = ['scrape_configs:', '  - job_name: x', ...lines.map((line) => `    ${line}`)];
  const file = new URL('parca.yaml', testdata).pathname;
  return parseConfig(text.join('\n'), file).scrapeConfigs[0].http;
}

function createClient(...lines: string[]): Promise<HttpClient> {
  const config = httpConfig(...lines);
  return createHttpClient({ config, intervalMillis: 1_000, userAgent: 'test/1', files });
}

/** Returns the server's answer, or why it could not be asked. */
async function ask(...lines: string[]): Promise<string> {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const client = await createClient(...lines);
  try {
    const bytes = await fetchProfile({
      url: `https://127.0.0.1:${port}/`,
      dispatcher: client.dispatcher,
      headers: await client.headers(),
      signal: new AbortController().signal,
      bodyBytesMax: 1_000,
    });
    return new TextDecoder().decode(bytes);
  } catch (error) {
    return errorMessage(error);
  } finally {
    await client.close();
  }
}

test('servers are verified unless that is switched off', async () => {
  const trusted = 'ca_file: test-only-cert.pem';
  assert.match(await ask(), /cannot scrape target: .*self-signed certificate/);
  assert.match(await ask(`tls_config: {${trusted}}`), /cannot scrape target: .*does not match/i);
  assert.equal(await ask(`tls_config: {${trusted}, server_name: target.test}`), 'unknown ');
  assert.equal(await ask('tls_config: {insecure_skip_verify: true}'), 'unknown ');
  const old = `tls_config: {insecure_skip_verify: true, max_version: TLS10, min_version: TLS10}`;
  assert.match(await ask(old), /cannot scrape target: /);
});

test('client certificates and tokens', async () => {
  const mutual =
    'tls_config: {insecure_skip_verify: true, ' +
    'cert_file: test-only-cert.pem, key_file: test-only-key.pem}';
  assert.equal(await ask(mutual), 'known ');
  assert.equal(await ask(mutual, 'bearer_token: abc'), 'known Bearer abc');
  const own = 'authorization: {type: Token, credentials: abc}';
  assert.equal(await ask(mutual, own), 'known Token abc');
  assert.equal(await ask(mutual, 'basic_auth: {username: a, password: b}'), 'known Basic YTpi');
});

test('TLS files are read when the client is made, credentials when they are needed', async () => {
  await assert.rejects(
    createClient('tls_config: {ca_file: none.pem}'),
    /cannot set up TLS: ENOENT/,
  );
  const client = await createClient('bearer_token_file: none');
  await assert.rejects(client.headers(), /^AppError: cannot read credentials: ENOENT/);
  await client.close();
});

/** Body of a plain URL by a client of these lines. */
async function get(url: string, ...lines: string[]): Promise<string> {
  const client = await createClient(...lines);
  const { dispatcher } = client;
  const signal = AbortSignal.timeout(10_000);
  try {
    const headers = await client.headers();
    const bytes = await fetchProfile({ url, dispatcher, headers, signal, bodyBytesMax: 1_000 });
    return new TextDecoder().decode(bytes);
  } catch (error) {
    return errorMessage(error);
  } finally {
    await client.close();
  }
}

test('redirects are followed when asked to; credentials stay with the first host', async (t) => {
  const echo: Handler = ({ headers }, response) => response.end(`at ${headers.authorization}`);
  const second = await startTargetServer({ '/p': echo });
  const first = await startTargetServer({
    '/near': answer('', { location: '/p' }, 308),
    '/far': answer('', { location: `http://${second.address}/p` }, 302),
    '/loop': answer('', { location: '/loop' }, 302),
    '/p': echo,
  });
  t.after(() => Promise.all([first.close(), second.close()]));
  const at = (path: string): string => `http://${first.address}${path}`;
  const token = 'bearer_token: secret';
  assert.match(await get(at('/near')), /it answers 308 and redirects to \/p/);
  assert.equal(await get(at('/near'), token, 'follow_redirects: true'), 'at Bearer secret');
  assert.equal(await get(at('/far'), token, 'follow_redirects: true'), 'at undefined');
  assert.match(await get(at('/loop'), 'follow_redirects: true'), /redirect loop detected/i);
});

test('headers of the config, read from files, too', async (t) => {
  const server = await startTargetServer({
    '/p': ({ headers }, response) => response.end(`${headers['x-scope']} ${headers['user-agent']}`),
  });
  t.after(() => server.close());
  const file = new URL('empty.good.yml', testdata).pathname;
  const want = `a, b, ${readFileSync(file, 'utf8').trim()}`;
  const lines = `http_headers: {X-Scope: {values: [a], secrets: [b], files: ['${file}']}}`;
  assert.equal(await get(`http://${server.address}/p`, lines), `${want} test/1`);
});

test('plain HTTP goes to the proxy by its whole URL, TLS through a tunnel', async (t) => {
  const seen: string[] = [];
  const proxy = createProxy((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`);
    response.end('from the proxy');
  });
  proxy.on('connect', (request, socket) => {
    seen.push(`CONNECT ${request.url}`);
    const [host, port] = String(request.url).split(':');
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  t.after(() => void proxy.close().closeAllConnections());
  const listening = proxy.address();
  const address = server.address();
  assert.ok(typeof listening === 'object' && listening !== null);
  assert.ok(typeof address === 'object' && address !== null);
  const named = `proxy_url: 'http://u:p@127.0.0.1:${listening.port}'`;
  assert.equal(await get('http://target.test:6060/p', named), 'from the proxy');
  const tls = 'tls_config: {insecure_skip_verify: true}';
  assert.equal(await get(`https://127.0.0.1:${address.port}/`, named, tls), 'unknown ');
  const direct = await get(`https://127.0.0.1:${address.port}/`, named, tls, 'no_proxy: 127.0.0.1');
  assert.equal(direct, 'unknown ');
  assert.deepEqual(seen, [
    'GET http://target.test:6060/p Basic dTpw',
    `CONNECT 127.0.0.1:${address.port}`,
  ]);
  process.env['HTTP_PROXY'] = `http://127.0.0.1:${listening.port}`;
  t.after(() => delete process.env['HTTP_PROXY']);
  const byEnvironment = 'proxy_from_environment: true';
  assert.equal(await get('http://target.test:6060/q', byEnvironment), 'from the proxy');
});

test('fingerprints tell clients apart that behave differently', async () => {
  const clients = await Promise.all([
    createClient(),
    createClient(),
    createClient('bearer_token: a'),
    createClient('tls_config: {insecure_skip_verify: true}'),
    createClient('tls_config: {ca_file: test-only-cert.pem}'),
    createClient('follow_redirects: true'),
    createClient('proxy_url: http://a'),
    createClient('http_headers: {x: {values: [a]}}'),
  ]);
  assert.equal(new Set(clients.map(({ fingerprint }) => fingerprint)).size, 7);
  assert.equal(clients[0].fingerprint, clients[1].fingerprint);
  await Promise.all(clients.map((client) => client.close()));
});
