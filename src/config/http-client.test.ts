// Tests of the HTTP client of a job: TLS in both directions, credentials.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { after, before, test } from 'node:test';
import { errorMessage } from '../base/errors.ts';
import type { HttpClientConfig } from './config.ts';
import { parseConfig } from './parse.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
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

test('fingerprints tell clients apart that behave differently', async () => {
  const clients = await Promise.all([
    createClient(),
    createClient(),
    createClient('bearer_token: a'),
    createClient('tls_config: {insecure_skip_verify: true}'),
    createClient('tls_config: {ca_file: test-only-cert.pem}'),
  ]);
  assert.equal(new Set(clients.map(({ fingerprint }) => fingerprint)).size, 4);
  assert.equal(clients[0].fingerprint, clients[1].fingerprint);
  await Promise.all(clients.map((client) => client.close()));
});
