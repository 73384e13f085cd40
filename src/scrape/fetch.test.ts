// Tests of fetching, with targets that misbehave in all known ways.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { Agent } from 'undici';
import { answer, drip, hang, startTargetServer, type TargetServer } from './fake/target-server.ts';
import { fetchProfile } from './fetch.ts';
import { ScrapeError } from './scrape-error.ts';

const gzipped = gzipSync('a profile');
/** Bodies by their `content-encoding` header. */
const encoded: Readonly<Record<string, Uint8Array>> = {
  br: brotliCompressSync('a profile'),
  deflate: deflateSync('a profile'),
  Deflate: deflateRawSync('a profile'),
  'gzip, br': brotliCompressSync(gzipped),
  'br, gzip': gzipSync(brotliCompressSync('a profile')),
  gzip: gzipped,
  lz4: gzipped,
  'x-gzip, deflate': Buffer.from('neither'),
  snappy: gzipped,
};
const bodyBytesMax = 1_000;
let closeConnections = 0;
let server: TargetServer;
const dispatcher = new Agent({ allowH2: false });

before(async () => {
  server = await startTargetServer({
    '/good': answer('a profile'),
    '/gzip': answer(gzipped, { 'content-type': 'application/octet-stream' }),
    '/encoded': (request, response) => {
      const encoding = new URL(request.url ?? '', 'http://a').searchParams.get('as') ?? '';
      response.writeHead(200, { 'content-encoding': encoding });
      response.end(encoded[encoding]);
    },
    '/empty': answer(''),
    '/hang': hang,
    '/drip': drip,
    '/redirect': answer('', { location: 'https://login.example.com/' }, 302),
    '/html': answer('<html>', { 'content-type': 'text/html; charset=utf-8' }),
    '/500': answer('\n  could not profile  \nstack', {}, 500),
    '/500-html': answer('<html>', { 'content-type': 'text/html' }, 500),
    '/503': answer('', {}, 503),
    '/announced': answer('x'.repeat(bodyBytesMax + 1), {
      'content-length': String(bodyBytesMax + 1),
    }),
    '/endless': (_request, response) => {
      response.on('error', () => undefined);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(100)));
        response.once('drain', more);
      };
      more();
    },
    '/exactly': answer('x'.repeat(bodyBytesMax)),
    '/cut': (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('x');
      setImmediate(() => void response.destroy());
    },
    '/close-once': (request, response) => {
      closeConnections += 1;
      if (closeConnections === 1) request.socket.destroy();
      else response.end('a profile');
    },
    '/close-always': (request) => void request.socket.destroy(),
  });
});

after(async () => {
  await dispatcher.destroy();
  await server.close();
});

function fetchFrom(path: string, signal = new AbortController().signal): Promise<Uint8Array> {
  const url = `http://${server.address}${path}`;
  return fetchProfile({ url, dispatcher, headers: {}, signal, bodyBytesMax });
}

test('bodies come as they are', async () => {
  assert.equal(Buffer.from(await fetchFrom('/good')).toString(), 'a profile');
  assert.deepEqual(Buffer.from(await fetchFrom('/gzip')), gzipped);
  assert.equal((await fetchFrom('/exactly')).length, bodyBytesMax);
});

test('encodings that bytes do not show are undone', async () => {
  const check = async (encoding: string, want: Uint8Array | string): Promise<void> => {
    const bytes = await fetchFrom(`/encoded?as=${encodeURIComponent(encoding)}`);
    assert.deepEqual(Buffer.from(bytes), Buffer.from(want), encoding);
  };
  await check('br', 'a profile');
  await check('deflate', 'a profile');
  await check('Deflate', 'a profile');
  await check('gzip, br', 'a profile');
  await check('br, gzip', 'a profile');
  // These encodings are undone later, when the profile is read, even if the header is wrong.
  await check('gzip', gzipped);
  await check('lz4', gzipped);
  await assert.rejects(
    fetchFrom('/encoded?as=snappy'),
    /it answers in the encoding snappy; gzip, x-gzip, zstd, deflate, br are read/,
  );
  await assert.rejects(
    fetchFrom('/encoded?as=x-gzip,%20deflate'),
    /it does not answer in the encoding deflate that it names: /,
  );
});

test('a body that is not a profile is refused, and the error says what it is', async () => {
  const check = async (path: string, reason: string, message: RegExp): Promise<void> => {
    await assert.rejects(fetchFrom(path), (error) => {
      assert.ok(error instanceof ScrapeError, String(error));
      assert.equal(error.reason, reason);
      assert.match(error.message, message);
      return true;
    });
  };
  await check('/none', 'status', /it answers 404, expected 200: "404 page not found"$/);
  await check('/500', 'status', /it answers 500, expected 200: "could not profile"$/);
  await check('/500-html', 'status', /it answers 500, expected 200: an HTML page$/);
  await check('/503', 'status', /it answers 503, expected 200$/);
  await check('/html', 'html', /it answers an HTML page, expected a profile/);
  await check(
    '/redirect',
    'redirect',
    /302 and redirects to https:\/\/login.example.com\/; see foll/,
  );
  await check('/empty', 'empty', /it answers an empty body/);
  await check('/announced', 'too-large', /it answers more than the limit of 1000 bytes/);
  await check('/endless', 'too-large', /it answers more than the limit of 1000 bytes/);
  await check('/cut', 'connect', /cannot scrape target: /);
  await check('/close-always', 'connect', /cannot scrape target: /);
});

test('a connection that the target closed is tried once more', async () => {
  assert.equal(Buffer.from(await fetchFrom('/close-once')).toString(), 'a profile');
  assert.equal(closeConnections, 2);
});

test('nothing outlives the signal', async () => {
  for (const path of ['/hang', '/drip']) {
    const controller = new AbortController();
    const reason = new ScrapeError('deadline', 'too slow');
    setTimeout(() => void controller.abort(reason), 30);
    const failed = await fetchFrom(path, controller.signal).catch((error: unknown) => error);
    assert.equal(failed, reason, path);
  }
  const aborted = AbortSignal.abort(new Error('stopped'));
  await assert.rejects(fetchFrom('/good', aborted), /stopped/);
});

test('nobody listens', async () => {
  const gone = await startTargetServer({});
  await gone.close();
  const { signal } = new AbortController();
  const url = `http://${gone.address}/`;
  await assert.rejects(
    fetchProfile({ url, dispatcher, headers: {}, signal, bodyBytesMax }),
    /cannot scrape target: .*ECONNREFUSED/,
  );
});

test('a wrong scheme is one sentence that says which one is right', async () => {
  const pem = (name: string): Buffer =>
    readFileSync(new URL(`../config/load/testdata/test-only-${name}.pem`, import.meta.url));
  const secure = createServer({ cert: pem('cert'), key: pem('key') }).listen(0, '127.0.0.1');
  await once(secure, 'listening');
  const { port } = secure.address() as AddressInfo;
  const { signal } = new AbortController();
  const why = (url: string): Promise<string> =>
    fetchProfile({ url, dispatcher, headers: {}, signal, bodyBytesMax }).then(
      () => '',
      (error: unknown) => String(error),
    );
  const begin = 'ScrapeError: cannot scrape target: ';
  assert.equal(await why(`http://127.0.0.1:${port}/`), `${begin}it speaks TLS: set scheme: https`);
  assert.equal(
    await why(`https://${server.address}/`),
    `${begin}it speaks without TLS: set scheme: http`,
  );
  assert.equal(
    await why(`https://127.0.0.1:${port}/`),
    `${begin}its certificate has no known authority`,
  );
  assert.equal(
    await why(`http://${server.address}/close-always`),
    `${begin}it closed the connection`,
  );
  secure.closeAllConnections();
  secure.close();
});
