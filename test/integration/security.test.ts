// Tests of TLS, passwords, tokens and the checks of Host and Origin, with real clients.
import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as GrpcClient, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { Agent, request } from 'undici';
import { checkPassword } from '../../cmd/parca/open-web-config.ts';
import { field, getJson } from '../../cmd/parcatool/shared/client.ts';
import { uploadFiles } from '../../cmd/parcatool/files/debuginfo.ts';
import { TlsDoor } from '../../src/api/transport/tls.ts';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { passwordChecksOfUserMax } from '../../src/api/limits.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { openWebConfig, type ServerTls, type WebConfig } from '../../src/config/web/web-config.ts';
import { makeElf, makeNote } from '../../src/symbolize/testing/make-elf.ts';
import { type TestApi, startApi } from '../support/api.ts';
import { createCertificates, serverTls } from '../support/certificates.ts';
import { type Run, runParcatool } from '../support/parcatool.ts';

const certificates = createCertificates();
const ca = certificates.text('ca.pem');
before(() => {
  certificates.make('server', 'IP:127.0.0.1');
  certificates.make('next', 'IP:127.0.0.1');
  certificates.make('agent', 'URI:spiffe://example.org/agent');
  certificates.make('stranger', 'DNS:stranger.example');
});
after(() => certificates.remove());

/** Hash of "secret" at the lowest cost. */
const secretHash = '$2b$04$E4Boc3Q7rZH9bWnHlSaR4OBrvIfkf5t/OPRZpyzt4zrhot9.L0THm';

function testTls(name: string, given: Partial<ServerTls> = {}): ServerTls {
  return serverTls(certificates, name, given);
}

function token(text: string, ...scopes: WebConfig['tokens'][number]['scopes']) {
  return { name: text, sha256: createHash('sha256').update(text).digest('hex'), scopes };
}

async function serving(
  web: Partial<WebConfig>,
  work: (server: TestApi) => Promise<void>,
  options: NonNullable<Parameters<typeof startApi>[0]> = {},
): Promise<void> {
  const server = await startApi({
    ...options,
    options: { ...options.options, web: { ...openWebConfig, ...web } },
  });
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

function status(url: string, headers: Record<string, string> = {}): Promise<number> {
  return fetch(url, { headers }).then(async (answer) => {
    await answer.arrayBuffer();
    return answer.status;
  });
}

function basic(user: string, password: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

/** Connects with TLS; rejects if the server closes the connection before it answers. */
async function readAnswer(server: TestApi, options: ConnectionOptions): Promise<string> {
  const socket = connectTls({ host: '127.0.0.1', port: server.api.port, ca, ...options });
  socket.write('GET /-/healthy HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text.split('\r\n')[0];
}

test('one port with TLS: grpc-js, HTTP/1.1, HTTP/2, and nothing without it', async () => {
  await serving({ tls: testTls('server'), tokens: [token('t', 'read')] }, async (server) => {
    const client = new GrpcClient(server.address, credentials.createSsl(Buffer.from(ca)));
    const callForStatus = (metadata: Metadata): Promise<number> =>
      new Promise((resolve) => {
        const pass = (bytes: Buffer): Buffer => bytes;
        const path = '/parca.query.v1alpha1.QueryService/Labels';
        const take = (error: ServiceError | null): void => resolve(error?.code ?? 0);
        client.makeUnaryRequest(path, pass, pass, Buffer.alloc(0), metadata, take);
      });
    const known = new Metadata();
    known.set('authorization', 'Bearer t');
    assert.deepEqual([await callForStatus(known), await callForStatus(new Metadata())], [0, 16]);
    client.close();
    for (const allowH2 of [false, true]) {
      const dispatcher = new Agent({ connect: { ca }, allowH2 });
      const headers = { authorization: 'bearer t' };
      const answer = await request(`https://${server.address}/-/healthy`, { dispatcher, headers });
      assert.equal(await answer.body.text(), 'The server is healthy.\n');
      await dispatcher.close();
    }
    await assert.rejects(fetch(`http://${server.address}/-/healthy`));
    assert.match(await readAnswer(server, {}), /401/);
    const old = readAnswer(server, { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' });
    await assert.rejects(old, /protocol|alert/i);
  });
});

test('without HTTP/2 the port offers only HTTP/1.1', async () => {
  const negotiateProtocol = async (server: TestApi): Promise<unknown> => {
    const ALPNProtocols = ['h2', 'http/1.1'];
    const socket = connectTls({ port: server.api.port, host: '127.0.0.1', ca, ALPNProtocols });
    await once(socket, 'secureConnect');
    socket.destroy();
    return socket.alpnProtocol;
  };
  await serving({ tls: testTls('server') }, async (server) => {
    assert.equal(await negotiateProtocol(server), 'h2');
    server.api.applyWebConfig({ ...openWebConfig, tls: testTls('server'), http2: false });
    assert.equal(await negotiateProtocol(server), 'http/1.1');
  });
});

test('another certificate is shown to new connections, and open ones go on', async () => {
  await serving({ tls: testTls('server') }, async (server) => {
    const open = async (): Promise<TLSSocket> => {
      const socket = connectTls({ host: '127.0.0.1', port: server.api.port, ca });
      await once(socket, 'secureConnect');
      return socket;
    };
    const certificateName = (socket: TLSSocket): string =>
      String(socket.getPeerCertificate().subject.CN);
    const early = await open();
    server.api.applyWebConfig({ ...openWebConfig, tls: testTls('next') });
    const late = await open();
    assert.deepEqual([certificateName(early), certificateName(late)], ['server', 'next']);
    early.write('GET /-/healthy HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    let text = '';
    for await (const chunk of early) text += String(chunk);
    assert.match(text, /^HTTP\/1.1 200 /);
    late.destroy();
    const broken = { ...testTls('next'), key: certificates.text('server.key') };
    assert.throws(
      () => server.api.applyWebConfig({ ...openWebConfig, tls: broken }),
      /cannot use tls_server_config/,
    );
    assert.match(await readAnswer(server, {}), /200/);
  });
});

test('the end of the certificate is a metric, and an expired one is an error in the log', () => {
  const { certificate } = testTls('server');
  const end = Date.parse(new X509Certificate(certificate).validTo);
  const gauges: number[] = [];
  const errors: string[] = [];
  const clock = createFakeClock(end - 1);
  const host = {
    clock,
    logger: { ...silentLogger, error: (message: string) => errors.push(message) },
    metrics: { ...noMetrics, gauge: () => ({ set: (value: number) => gauges.push(value) }) },
  };
  const door = new TlsDoor(host, 5_000);
  const apply = (): void => door.apply({ ...openWebConfig, tls: testTls('server') });
  apply();
  assert.deepEqual(errors, []);
  clock.setWallMillis(end);
  apply();
  assert.deepEqual(errors, ['the certificate has expired: clients refuse it']);
  door.apply(openWebConfig);
  assert.deepEqual(gauges, [end / 1_000, end / 1_000, 0]);
});

test('a client certificate: signed by the authority, with one of the names', async () => {
  const pair = (name: string): ConnectionOptions => ({
    cert: certificates.text(`${name}.pem`),
    key: certificates.text(`${name}.key`),
  });
  const tls = testTls('server', {
    clientAuth: 'RequireAndVerifyClientCert',
    clientAuthorities: ca,
    clientNames: ['spiffe://example.org/agent'],
  });
  await serving({ tls }, async (server) => {
    assert.match(await readAnswer(server, pair('agent')), /200/);
    for (const wrong of [pair('stranger'), {}]) {
      const text = await readAnswer(server, wrong).catch((error: Error) => error.message);
      assert.doesNotMatch(text, /HTTP/);
    }
    const counted = (await server.metrics.text()).text;
    assert.match(counted, /parca_tls_handshake_failures_total 2/);
  });
});

test('passwords are checked once, and a wrong one costs what an unknown user costs', async () => {
  const checked: string[] = [];
  const hooks = {
    checkPassword: (password: string, hash: string): Promise<boolean> => {
      checked.push(hash);
      return checkPassword(password, hash);
    },
  };
  const users = new Map([['alice', secretHash]]);
  await serving(
    { users },
    async (server) => {
      const url = `${server.url}/-/healthy`;
      const right = basic('alice', 'secret');
      assert.deepEqual(await Promise.all([status(url, right), status(url, right)]), [200, 200]);
      assert.equal(await status(url, right), 200);
      assert.equal(checked.length, 1);
      assert.equal(await status(url, basic('alice', 'wrong')), 401);
      assert.equal(await status(url, basic('alice', 'wrong')), 401);
      assert.equal(await status(url, basic('nobody', 'secret')), 401);
      assert.deepEqual(checked, [secretHash, secretHash, secretHash]);
      const answer = await fetch(url);
      assert.equal(answer.headers.get('www-authenticate'), 'Basic realm="parca", charset="UTF-8"');
      for (const authorization of ['Basic', 'Basic !', 'Digest x', `Basic ${btoa('alice')}`]) {
        assert.equal(await status(url, { authorization }), 401, authorization);
      }
      server.api.applyWebConfig({ ...openWebConfig, users: new Map([['bob', secretHash]]) });
      assert.equal(await status(url, right), 401);
      assert.equal(await status(url, basic('bob', 'secret')), 200);
    },
    { hooks },
  );
});

test('a flood of passwords is checked one at a time, refused, and locks nobody out', async () => {
  let running = 0;
  let checks = 0;
  const held = Promise.withResolvers<void>();
  const hooks = {
    checkPassword: async (password: string): Promise<boolean> => {
      running += 1;
      checks += 1;
      assert.equal(running, 1);
      if (password !== 'secret') await held.promise;
      running -= 1;
      return password === 'secret';
    },
  };
  await serving(
    { users: new Map([['alice', secretHash]]) },
    async (server) => {
      const url = `${server.url}/-/healthy`;
      assert.equal(await status(url, basic('alice', 'secret')), 200);
      let refused = 0;
      const flood = Array.from({ length: 100 }, async (_, i) => {
        const answer = await status(url, basic('alice', `x${i}`));
        refused += answer === 429 ? 1 : 0;
        if (answer === 429 && refused === 99 - passwordChecksOfUserMax) {
          assert.equal(await status(url, basic('alice', 'secret')), 200);
          held.resolve();
        }
        return answer;
      });
      const all = await Promise.all(flood);
      assert.equal(all.filter((one) => one === 401).length, passwordChecksOfUserMax + 1);
      assert.equal(checks, passwordChecksOfUserMax + 2);
    },
    { hooks },
  );
});

test('who floods with passwords locks out neither another address nor another user', async () => {
  const hooks = {
    checkPassword: async (password: string): Promise<boolean> => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return password === 'secret';
    },
  };
  const names = Array.from({ length: 10 }, (_, i) => `user${i}`);
  const users = new Map(['alice', ...names].map((name) => [name, secretHash]));
  await serving(
    { users },
    async (server) => {
      const url = `${server.url}/-/healthy`;
      let isOver = false;
      let refused = 0;
      const flood = Array.from({ length: 40 }, async (_, i) => {
        for (let round = 0; !isOver; round += 1) {
          refused += (await status(url, basic('alice', `x${i} ${round}`))) === 429 ? 1 : 0;
        }
      });
      while (refused === 0) await sleep(5);
      const elsewhere = new Agent({ connect: { localAddress: '127.0.0.2' } });
      for (const [i, name] of names.entries()) {
        const headers = basic(name, 'secret');
        const answer =
          i % 2 === 0
            ? (await request(url, { dispatcher: elsewhere, headers })).statusCode
            : await status(url, headers);
        assert.equal(answer, 200, name);
      }
      isOver = true;
      await Promise.all(flood);
      await elsewhere.close();
    },
    { hooks },
  );
});

test('who is not let in is told so before the body is read', async () => {
  await serving({ tokens: [token('t', 'read')] }, async (server) => {
    for (const [head, want] of [
      ['authorization: Bearer x', /^HTTP\/1.1 401 .*connection: close/is],
      ['authorization: Bearer t', /^HTTP\/1.1 403 .*connection: close/is],
    ] as const) {
      const socket = connectTcp(server.api.port, '127.0.0.1');
      socket.write(`POST /api/v1/push?job=a HTTP/1.1\r\nhost: x\r\n${head}\r\n`);
      // The request declares sixty million bytes, and sends one.
      socket.write('content-length: 60000000\r\n\r\nx');
      let text = '';
      for await (const chunk of socket) text += String(chunk);
      assert.match(text, want);
    }
    const counted = (await server.metrics.text()).text;
    assert.match(counted, /parca_api_request_bytes 0/);
    assert.match(counted, /parca_requests_refused_total{code="unauthenticated"} 1/);
    assert.match(counted, /parca_requests_refused_total{code="permission-denied"} 1/);
  });
});

test('the page asks for a token, and a session begins', async () => {
  const web = { tokens: [token('reader', 'read'), token('writer', 'write')] };
  await serving(web, async (server) => {
    const at = (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(server.url + path, { redirect: 'manual', ...init });
    const form = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      at('/login', { method: 'POST', body: new URLSearchParams(fields), headers });
    const page = await at('/explore?q=%22%3E%3Cscript%3E&<b>');
    assert.equal(page.status, 401);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self'/);
    const html = await page.text();
    assert.match(html, /name="to" value="\/explore\?q=%22%3E%3Cscript%3E&#38;/);
    assert.doesNotMatch(html, /<script|<b>|refresh/);
    const link = await at('/', { headers: { 'sec-fetch-site': 'cross-site' } });
    assert.match(await link.text(), /http-equiv="refresh"/);

    const wrong = await form({ token: 'x', to: '/explore' });
    assert.deepEqual([wrong.status, wrong.headers.get('set-cookie')], [401, null]);
    assert.match(await wrong.text(), /This token is unknown/);
    const right = await form({ token: ' reader ', to: '/explore?a=b' });
    assert.deepEqual([right.status, right.headers.get('location')], [303, '/explore?a=b']);
    const setCookie = right.headers.get('set-cookie') ?? '';
    assert.match(setCookie, /; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/);
    assert.doesNotMatch(setCookie, /reader;|Secure/);
    for (const to of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      'javascript:1',
    ]) {
      assert.equal((await form({ token: 'reader', to })).headers.get('location'), '/', to);
    }

    const [cookie] = setCookie.split(';');
    assert.equal(await status(`${server.url}/metrics`, { cookie }), 200);
    assert.equal(await status(`${server.url}/metrics`, { cookie: `a=b; ${cookie}; c=d` }), 200);
    const [expiry, name, code] = cookie.split(/[=.]/).slice(1);
    for (const forged of [
      `${Number(expiry) + 1}.${name}.${code}`,
      `${expiry}.${Buffer.from('writer').toString('base64url')}.${code}`,
      `${expiry}.${name}.${code.slice(0, -2)}AA`,
      `1.${name}.${code}`,
    ]) {
      const headers = { cookie: `parca_session=${forged}` };
      assert.equal(await status(`${server.url}/metrics`, headers), 401, forged);
    }
    const push = (origin: string): Promise<Response> =>
      at('/api/v1/push', { method: 'POST', body: 'a 1', headers: { cookie, origin } });
    assert.equal((await push(server.url)).status, 403, 'a reader does not push');
    assert.equal((await form({ token: 'reader' }, { origin: 'http://127.0.0.1:1' })).status, 403);
    // The form reports that a token cannot read, both before and after a login.
    const useless = await form({ token: 'writer', to: '/' });
    assert.deepEqual([useless.status, useless.headers.get('set-cookie')], [401, null]);
    const cannotRead =
      /The token &#34;writer&#34; cannot read profiles: it has only the scope write/;
    assert.match(await useless.text(), cannotRead);
    const bearer = await at('/', { headers: { authorization: 'Bearer writer' } });
    assert.equal(
      await bearer.text(),
      'cannot use the page: token "writer" does not have the scope read\n',
    );
    server.api.applyWebConfig({ ...openWebConfig, tokens: [token('reader', 'write')] });
    const changed = await at('/', { headers: { cookie } });
    assert.equal(changed.status, 401);
    assert.match(changed.headers.get('set-cookie') ?? '', /^parca_session=; .*Max-Age=0/);
    assert.match(await changed.text(), /name="token"[^]*&#34;reader&#34; cannot read profiles/);
    const logout = await at('/logout', { method: 'POST', headers: { cookie, origin: server.url } });
    assert.match(logout.headers.get('set-cookie') ?? '', /Max-Age=0/);
    server.api.applyWebConfig({ ...openWebConfig, tokens: [token('writer', 'write')] });
    assert.equal(await status(`${server.url}/metrics`, { cookie }), 401);
    assert.equal((await at('/logout', { method: 'POST', headers: { cookie } })).status, 204);
  });
});

test('pages of other sites do not act for their reader', async () => {
  await serving({ tokens: [token('w', 'write', 'read')] }, async (server) => {
    const push = (headers: Record<string, string>, body = 'main 1\n'): Promise<number> =>
      fetch(`${server.url}/api/v1/push?job=a`, {
        method: 'POST',
        body,
        headers: { authorization: 'Bearer w', ...headers },
      }).then((answer) => answer.status);
    assert.deepEqual(
      [
        await push({}),
        await push({ origin: server.url }),
        await push({ origin: 'https://proxy.example', 'sec-fetch-site': 'same-origin' }),
        await push({ origin: 'https://evil.example' }),
        await push({ origin: 'null' }),
        await push({ origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }),
      ],
      [200, 200, 200, 403, 403, 403],
    );
    const path = `${server.url}/parca.query.v1alpha1.QueryService/Labels`;
    const call = (type: string, origin: string): Promise<Response> =>
      fetch(path, {
        method: 'POST',
        body: type.endsWith('json') ? '{}' : new Uint8Array(5),
        headers: { authorization: 'Bearer w', 'content-type': type, origin },
      });
    assert.equal((await call('application/json', server.url)).status, 200);
    assert.equal((await call('application/json', 'https://evil.example')).status, 403);
    const web = await call('application/grpc-web+proto', 'https://evil.example');
    assert.match(await web.text(), /grpc-status:7/);
  });
});

test('a server that lets everybody in answers browsers by no name that others can own', async () => {
  const options = { options: { allowedHosts: ['parca.example.com'] } };
  const ask = async (server: TestApi, host: string, head = 'GET /', more = ''): Promise<string> => {
    const socket = connectTcp(server.api.port, '127.0.0.1');
    socket.write(`${head} HTTP/1.1\r\nhost: ${host}\r\n${more}connection: close\r\n\r\n`);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return text.slice(9, 12);
  };
  await serving(
    {},
    async (server) => {
      const api = 'GET /api/v1/queries';
      for (const host of [
        '127.0.0.1:1',
        '[::1]:7070',
        'localhost',
        'parca',
        'PARCA.example.com.',
        'a.svc.cluster.local:7070',
      ]) {
        assert.equal(await ask(server, host, api), '200', host);
      }
      for (const host of [
        'evil.com',
        'evil.com:7070',
        'parca.example.com.evil.com',
        '1.2.3.4.evil.com',
        'localhost.evil.com',
        '127.0.0.1@evil.com',
      ]) {
        assert.equal(await ask(server, host, api), '403', host);
        assert.equal(await ask(server, host), '403', host);
      }
      assert.equal(await ask(server, 'evil.com', 'GET /metrics'), '200');
      assert.equal(await ask(server, 'evil.com', 'GET /-/ready'), '200');
      // Agents and collectors may use any name of the server. A browser adds an Origin header to a
      // POST.
      const post = 'POST /parca.query.v1alpha1.QueryService/Labels';
      const json = 'content-type: application/json\r\ncontent-length: 0\r\n';
      assert.equal(await ask(server, 'evil.com', post, json), '200');
      assert.equal(
        await ask(server, 'evil.com', post, `${json}origin: http://evil.com\r\n`),
        '403',
      );
    },
    options,
  );
  await serving({ tokens: [token('t', 'read')] }, async (server) => {
    assert.equal(
      await ask(server, 'evil.com', 'GET /api/v1/queries', 'authorization: Bearer t\r\n'),
      '200',
    );
  });
  // A server that listens on the network is already open to everybody.
  await serving(
    {},
    async (server) => assert.equal(await ask(server, 'evil.com', 'GET /api/v1/queries'), '200'),
    { options: { address: ':0' } },
  );
});

test('headers of the web config are on every answer, and a wildcard origin gets no passwords', async () => {
  const headers = new Map([
    ['strict-transport-security', 'max-age=1'],
    ['x-frame-options', 'sameorigin'],
  ]);
  await serving(
    { headers },
    async (server) => {
      const origin = 'https://page.example';
      for (const path of ['/metrics', '/api/profiles/types', '/nothing', '/api/v1/queries']) {
        const answer = await fetch(server.url + path, { headers: { origin } });
        assert.equal(answer.headers.get('strict-transport-security'), 'max-age=1', path);
        assert.equal(answer.headers.get('x-frame-options'), 'sameorigin', path);
        assert.equal(answer.headers.get('access-control-allow-origin'), origin, path);
        assert.equal(answer.headers.get('access-control-allow-credentials'), null, path);
      }
    },
    { options: { corsAllowedOrigins: ['*'] } },
  );
});

test('parcatool logs in by user and password, and prints no password', async () => {
  const web = { users: new Map([['alice', secretHash]]) };
  const work = async ({ api }: TestApi): Promise<void> => {
    const at = `127.0.0.1:${api.port}`;
    const file = join(certificates.folder, 'password');
    writeFileSync(file, 'secret\n');
    const types = (...args: string[]): Promise<Run> => runParcatool('types', ...args);
    for (const args of [
      [`--server=http://alice:secret@${at}`],
      [`--server=${at}`, '--user=alice', `--password-file=${file}`],
      [`--server=http://alice@${at}`, `--password-file=${file}`],
    ]) {
      // The server accepts the certificate, and has no profiles.
      assert.deepEqual(await types(...args), {
        code: 3,
        out: '',
        err: 'parcatool: nothing matches\n',
      });
    }
    for (const [args, code, message] of [
      [[`--server=http://alice:hunter2@${at}`], 1, /--user and --password-file/],
      [[`--server=${at}`], 1, /set --bearer-token-file to a file with a token, or --user/],
      [[`--server=${at}`, `--password-file=${file}`], 2, /--password-file needs --user/],
      [['--server=ftp://alice:hunter2@x'], 2, /not "ftp:\/\/<secret>@x"/],
      [['--server=http://alice:hunter2@127.0.0.1:9'], 1, /cannot reach http:\/\/127.0.0.1:9\//],
    ] as const) {
      const run = await types(...args);
      assert.equal(run.code, code, run.err);
      assert.match(run.err, message);
      assert.doesNotMatch(run.err, /hunter2|secret(?!>)/);
    }
  };
  await serving(web, work, { hooks: { checkPassword } });
});

test('TLS on one side only is one sentence that says what to change', async () => {
  const say = async (...args: string[]): Promise<string> => (await runParcatool(...args)).err;
  const program = join(certificates.folder, 'a.tar');
  writeFileSync(program, makeElf([]));
  const upload = ['debuginfo', 'upload', program, '--build-id=abcdef01', '--type=executable'];
  await serving({}, async ({ api }) => {
    const at = `127.0.0.1:${api.port}`;
    assert.equal(
      await say('types', `--server=https://${at}`),
      `parcatool: cannot reach https://${at}/: it speaks without TLS: try http:// (ERR_SSL_WRONG_VERSION_NUMBER)\n`,
    );
    assert.match(
      await say(...upload, `--store-address=${at}`),
      /^parcatool: [^\n]*of 127.0.0.1:\d+: it speaks without TLS: set --insecure\n$/,
    );
  });
  await serving({ tls: testTls('server') }, async ({ api }) => {
    const at = `127.0.0.1:${api.port}`;
    assert.equal(
      await say('types', `--server=${at}`),
      `parcatool: cannot reach http://${at}/: it speaks TLS: try https://\n`,
    );
    assert.match(
      await say('types', `--server=https://${at}`),
      /its certificate has no known authority: see --ca-file/,
    );
    assert.match(
      await say(...upload, `--store-address=${at}`, '--insecure'),
      /: it speaks TLS: leave out --insecure\n$/,
    );
    assert.match(
      await say(...upload, `--store-address=${at}`),
      /: its certificate has no known authority: set --ca-file\n$/,
    );
  });
});

// This test is the last one, because the authority is trusted from then on.
test('parcatool shows a client certificate, over HTTP and over gRPC', async () => {
  const file = (name: string): string => join(certificates.folder, name);
  const note = makeNote('GNU', 3, Buffer.from('00112233445566778899aabbccddeeff00112233', 'hex'));
  const sections = [{ name: '.note.gnu.build-id', type: 7, content: note }];
  writeFileSync(file('program'), makeElf(sections));
  const tls = testTls('server', {
    clientAuth: 'RequireAndVerifyClientCert',
    clientAuthorities: ca,
  });
  const shown = { clientCertFile: file('agent.pem'), clientKeyFile: file('agent.key') };
  await serving({ tls }, async ({ api, address }) => {
    const client = {
      url: new URL(`https://127.0.0.1:${api.port}`),
      timeoutMillis: 5_000,
      authorityFile: file('ca.pem'),
    };
    const store = {
      address,
      isInsecure: false,
      skipsVerify: false,
      type: 'executable',
      buildId: '',
      isForced: false,
      isWhole: true,
    };
    const ask = (given: Partial<typeof shown>): Promise<unknown> =>
      getJson({ ...client, ...given }, '/api/v1/page', {});
    const upload = (given: Partial<typeof shown>): Promise<unknown> =>
      uploadFiles([file('program')], { store, client: { ...client, ...given } });
    assert.deepEqual(field(await ask(shown), 'isSharing'), false);
    assert.match(String(await upload(shown)), /program/);
    await assert.rejects(ask({}), /cannot reach .*: the server closed the connection/);
    await assert.rejects(upload({}), /cannot call ShouldInitiateUpload of .*(TLS|SSL|connect)/i);
    await assert.rejects(ask({ clientCertFile: file('agent.pem') }), /belong together/);
  });
});

test('who may read cancels own queries only, and deletes no shared profile', async () => {
  const cancelled: string[] = [];
  const running = (id: string, caller: string) => ({
    id,
    caller,
    kind: 'top',
    text: 'a',
    tags: [],
    isWaiting: false,
    startedMillis: 0,
    ageMillis: 1,
    rowsSelected: 0,
    rowsDone: 0,
    memoryBytes: 0,
  });
  const queries = {
    list: () => [running('1', 'token "a"'), running('2', 'token "b"')],
    cancel: (id: string) => cancelled.push(id) > 0,
  };
  const tokens = [token('a', 'read'), token('boss', 'read', 'admin')];
  await serving(
    { tokens },
    async (server) => {
      const remove = async (path: string, name: string): Promise<number> => {
        const headers = { authorization: `Bearer ${name}` };
        const answer = await fetch(`${server.url}/api/v1/${path}`, { method: 'DELETE', headers });
        return answer.status;
      };
      assert.deepEqual(
        [await remove('queries/1', 'a'), await remove('queries/2', 'a')],
        [204, 403],
      );
      assert.equal(await remove('queries/2', 'boss'), 204);
      assert.deepEqual(cancelled, ['1', '2']);
      assert.equal(await remove('shares/0', 'a'), 403);
      const list = await fetch(`${server.url}/api/v1/queries`, {
        headers: { authorization: 'Bearer a' },
      });
      const mayCancel = ((await list.json()) as { queries: { mayCancel: boolean }[] }).queries;
      assert.deepEqual(
        mayCancel.map((one) => one.mayCancel),
        [true, false],
      );
    },
    { services: { queries } },
  );
});

test('no answer about the server or its profiles is stored by a cache', async () => {
  const hooks = { heapProfile: async () => Uint8Array.of(1) };
  await serving(
    {},
    async (server) => {
      const paths = ['metrics', '-/healthy', 'debug/pprof/', 'debug/pprof/heap', 'nothing'];
      const more = ['api/v1/symbols', 'api/v1/labels', 'api/profiles/types', 'api/v1/page'];
      for (const path of [...paths, ...more, 'buildid/0123456789abcdef/debuginfo']) {
        const answer = await fetch(`${server.url}/${path}`);
        assert.match(answer.headers.get('cache-control') ?? '', /no-store/, path);
      }
    },
    { hooks },
  );
});
