// Tests of a job's HTTP client: TLS with certificates on both sides, and credentials.
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer as createProxy } from 'node:http';
import { createServer } from 'node:https';
import { createSecureServer } from 'node:http2';
import { connect } from 'node:net';
import { TLSSocket } from 'node:tls';
import { after, before, test } from 'node:test';
import { createFakeClock } from '../base/fake/clock.ts';
import { createClock } from '../base/node/clock.ts';
import { errorMessage } from '../base/errors.ts';
import type { HttpClientConfig } from '../config/config.ts';
import { parseConfig } from '../config/load/parse.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import {
  answer,
  startTargetServer,
  type Handler,
  type TargetServer,
} from '../scrape/fake/target-server.ts';
import { fetchProfile } from '../scrape/fetch.ts';
import { createCertificates } from '../../test/support/certificates.ts';
import { discoveryKinds } from '../discovery/registry.ts';

const testdata = new URL('../config/load/testdata/', import.meta.url);
const cert = readFileSync(new URL('test-only-cert.pem', testdata));
const key = readFileSync(new URL('test-only-key.pem', testdata));
const clock = createClock();
const files = { read: async (path: string): Promise<Uint8Array> => readFileSync(path) };

/**
 * Server whose answer describes the client: the name in its certificate, and its Authorization
 * header.
 */
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
  return parseConfig(text.join('\n'), file, discoveryKinds).scrapeConfigs[0].http;
}

function createClient(...lines: string[]): Promise<HttpClient> {
  const config = httpConfig(...lines);
  return createHttpClient({ config, intervalMillis: 1_000, userAgent: 'test/1', files, clock });
}

/** Returns the answer of the server, or the reason why there was none. */
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
  assert.match(await ask(), /cannot scrape target: its certificate has no known authority/);
  assert.match(
    await ask(`tls_config: {${trusted}}`),
    /cannot scrape target: its certificate is for other names/,
  );
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

/** Returns the body that a client with these config lines gets from an http:// URL. */
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
    seen.push(`CONNECT ${request.url} ${request.headers['x-tenant']}`);
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
  const named =
    `proxy_connect_header: {X-Tenant: [a, b]}\n    ` +
    `proxy_url: 'http://u:p@127.0.0.1:${listening.port}'`;
  assert.equal(await get('http://target.test:6060/p', named), 'from the proxy');
  const tls = 'tls_config: {insecure_skip_verify: true}';
  assert.equal(await get(`https://127.0.0.1:${address.port}/`, named, tls), 'unknown ');
  const direct = await get(`https://127.0.0.1:${address.port}/`, named, tls, 'no_proxy: 127.0.0.1');
  assert.equal(direct, 'unknown ');
  assert.deepEqual(seen, [
    'GET http://target.test:6060/p Basic dTpw',
    `CONNECT 127.0.0.1:${address.port} a, b`,
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
    createClient('http_headers: {x: {values: [b]}}'),
  ]);
  assert.equal(new Set(clients.map(({ fingerprint }) => fingerprint)).size, 8);
  assert.equal(clients[0].fingerprint, clients[1].fingerprint);
  await Promise.all(clients.map((client) => client.close()));
});

/** Starts a token server that accepts the client's secret only in the given place. */
async function startTokens(place: 'header' | 'form', expires: number): Promise<TargetServer> {
  let count = 0;
  const inHeader = `Basic ${Buffer.from('me:s%20cret').toString('base64')}`;
  return startTargetServer({
    '/token': (request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => void (body += chunk.toString()));
      request.on('end', () => {
        const form = new URLSearchParams(body);
        const isKnown =
          place === 'header'
            ? request.headers.authorization === inHeader
            : form.get('client_id') === 'me' && form.get('client_secret') === 's cret';
        response.writeHead(isKnown ? 200 : 401);
        count += 1;
        const token = `${form.get('grant_type')}/${form.get('scope')}/${form.get('a')}/${count}`;
        response.end(JSON.stringify({ access_token: token, expires_in: expires }));
      });
    },
  });
}

test('OAuth 2.0: tokens by a secret in a header or a form, kept until they end', async (t) => {
  const target = await startTargetServer({
    '/p': ({ headers }, response) => response.end(headers.authorization ?? 'none'),
  });
  t.after(() => target.close());
  const check = async (place: 'header' | 'form', life: number, want: string[]): Promise<void> => {
    const tokens = await startTokens(place, life);
    t.after(() => tokens.close());
    const client = await createClient(
      'oauth2:',
      `  {client_id: me, client_secret: s cret, token_url: "http://${tokens.address}/token",`,
      '  scopes: [x, y], endpoint_params: {a: b}}',
    );
    for (const token of want) {
      const { authorization } = await client.headers();
      assert.equal(authorization, `Bearer client_credentials/x y/b/${token}`);
    }
    await client.close();
  };
  await check('header', 3_600, ['1', '1']);
  // The client first sends the secret in a header, which is refused once; then it remembers to use
  // the form.
  await check('form', 3_600, ['2', '2']);
  await check('header', 0, ['1', '2']);
  const lines = [`{client_id: me, client_secret: no, token_url: "http://${target.address}/none"}`];
  const refused = await createClient(`oauth2: ${lines}`);
  const why = /cannot get a token \(oauth2\): the answer has status 404/;
  await assert.rejects(refused.headers(), why);
  await refused.close();
});

test('certificates are read again when their files change', async () => {
  const contents = new Map<string, Uint8Array>();
  const read = async (path: string): Promise<Uint8Array> =>
    contents.get(path.slice(path.lastIndexOf('/') + 1)) ?? readFileSync(path);
  const fakeClock = createFakeClock();
  const config = httpConfig(
    'tls_config: {insecure_skip_verify: true, cert_file: client.pem, key_file: client.key}',
  );
  const other = createServer({ cert, key, requestCert: true, rejectUnauthorized: false });
  const first = new X509Certificate(cert).fingerprint256;
  other.on('request', ({ socket }, response) => {
    const peer = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
    response.end(peer?.fingerprint256 === first ? 'first' : 'second');
  });
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
  contents.set('client.pem', cert).set('client.key', key);
  const options = { config, intervalMillis: 1_000, userAgent: 'test/1', files: { read } };
  const client = await createHttpClient({ ...options, clock: fakeClock });
  const address = other.address();
  const url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  const ask = async (): Promise<string> => {
    const headers = await client.headers();
    const signal = AbortSignal.timeout(10_000);
    const { dispatcher } = client;
    const bytes = await fetchProfile({ url, dispatcher, headers, signal, bodyBytesMax: 1_000 });
    return new TextDecoder().decode(bytes);
  };
  assert.equal(await ask(), 'first');
  const others = createCertificates();
  for (const end of ['pem', 'key']) {
    contents.set(`client.${end}`, Buffer.from(others.text(`ca.${end}`)));
  }
  others.remove();
  await fakeClock.advance(2_000);
  assert.equal(await ask(), 'second');
  contents.delete('client.pem');
  await fakeClock.advance(2_000);
  await assert.rejects(client.headers(), /cannot set up TLS: ENOENT/);
  await client.close();
  other.closeAllConnections();
  await new Promise((resolve) => void other.close(resolve));
});

test('HTTP/2 where it is asked for and offered', async (t) => {
  const modern = createSecureServer({ cert, key, allowHTTP1: true }, (request, response) => {
    response.end(request.httpVersion);
  });
  await new Promise<void>((resolve) => void modern.listen(0, '127.0.0.1', resolve));
  t.after(() => void modern.close());
  const address = modern.address();
  const url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  const tls = 'tls_config: {insecure_skip_verify: true}';
  assert.equal(await get(url, tls), '1.1');
  assert.equal(await get(url, tls, 'enable_http2: true'), '2.0');
});
