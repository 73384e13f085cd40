// Tests of the status server: its responses, and that untrusted names are escaped.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { get as httpGet } from 'node:http';
import { networkInterfaces } from 'node:os';
import { after, test } from 'node:test';
import { Audit } from '../../src/api/auth/audit.ts';
import { Gate } from '../../src/api/auth/gate.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { openWebConfig } from '../../src/config/web/web-config.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { noCounters } from '../testing/samples.ts';
import type { AgentStatus } from './status.ts';
import { openStatusServer, type StatusSource } from './status-server.ts';

const status: AgentStatus = {
  version: '1.2.3',
  node: 'n<1>',
  destination: 'sends to db:7070',
  uptimeSeconds: 3_725,
  cpuSeconds: 37.25,
  memoryBytes: 1_572_864,
  sampler: { ...noCounters, samples: 1_234_567 },
  sender: undefined,
  queue: undefined,
  uploads: { uploaded: 3, pending: 0, isUnsupported: false },
  symbols: 'by the agent',
  notices: ['kernel functions have no names'],
  processes: [
    {
      pid: 7,
      comm: '<script>',
      executable: '/x',
      samples: 5,
      found: {
        comm: '<script>alert(1)</script>',
        __meta_process_cmdline: 'db --password=hunter2',
        __meta_env_var_TOKEN: 'hunter3',
      },
      labels: undefined,
    },
  ],
  executables: [
    {
      executable: '/x',
      samples: 8,
      completeShare: 0.75,
      failures: { noRule: 2 },
      firstFailure: 'noRule at 0x10 of 7',
    },
  ],
  interpreters: [{ path: '/usr/bin/python3.99', state: 'only native frames: <unknown> version' }],
};
let problem: string | undefined = 'no samples yet';
const source: StatusSource = {
  status: () => status,
  metricsText: async () => ({ contentType: 'text/plain', text: 'a 1\n' }),
  cpuProfile: async (seconds) => Uint8Array.of(seconds),
  heapProfile: async () => Uint8Array.of(9),
  problem: () => problem,
  logger: silentLogger,
};
const noDoor = { gate: undefined, tls: undefined, allowedHosts: ['node.example.com'] };
const server = await openStatusServer('127.0.0.1:0', source, noDoor);
after(() => server.close());

async function get(path: string): Promise<{ readonly code: number; readonly text: string }> {
  const response = await fetch(`http://${server.address}${path}`);
  return { code: response.status, text: await response.text() };
}

test('the page shows numbers, problems and labels, and escapes them', async () => {
  const { code, text } = await get('/');
  assert.equal(code, 200);
  for (const shown of ['n&lt;1&gt;', '1:02:05', '1.00 % of a core', '1.5 MiB', '1,234,567']) {
    assert.ok(text.includes(shown), shown);
  }
  assert.ok(text.includes('&lt;script&gt;: dropped by relabel_configs'));
  assert.ok(text.includes('kernel functions have no names'));
  assert.ok(text.includes('75.0 %') && text.includes('noRule at 0x10 of 7'));
  assert.ok(!text.includes('<script'));
});

test('every other path', async () => {
  assert.deepEqual(await get('/healthy'), { code: 200, text: 'ok\n' });
  assert.deepEqual(await get('/ready'), { code: 503, text: 'no samples yet\n' });
  problem = undefined;
  assert.deepEqual(await get('/ready'), { code: 200, text: 'ready\n' });
  assert.deepEqual(await get('/metrics'), { code: 200, text: 'a 1\n' });
  assert.equal((await get('/debug/pprof/profile?seconds=7')).text, '\u0007');
  assert.equal((await get('/debug/pprof/profile?seconds=900')).code, 400);
  assert.equal((await get('/debug/pprof/heap')).text, '\t');
  assert.equal((await get('/nothing')).code, 404);
  const { uptimeSeconds } = JSON.parse((await get('/status.json')).text) as AgentStatus;
  assert.equal(uptimeSeconds, 3_725);
  const response = await fetch(`http://${server.address}/`, { method: 'POST' });
  assert.equal(response.status, 405);
});

/** Requests a path with a host name and an address; resolves with the status. */
function ask(address: string, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    httpGet(`http://${address}${path}`, { headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    }).on('error', reject);
  });
}

test('without credentials: no command lines, no names of other sites, no page for the network', async () => {
  for (const path of ['/', '/status.json']) {
    const { text } = await get(path);
    assert.match(text, /shown with --web-config-file/);
    assert.doesNotMatch(text, /hunter/);
  }
  const check = async (host: string, path: string, want: number): Promise<void> =>
    assert.equal(await ask(server.address, path, { host }), want, `${host} ${path}`);
  await check('evil.example.org:7071', '/', 403);
  await check('evil.example.org', '/status.json', 403);
  await check('evil.example.org', '/debug/pprof/profile?seconds=1', 403);
  await check('evil.example.org', '/metrics', 200);
  await check('evil.example.org', '/healthy', 200);
  for (const host of ['localhost:7071', '127.0.0.1', 'node.example.com'])
    await check(host, '/', 200);
  const outer = Object.values(networkInterfaces())
    .flat()
    .find((one) => one !== undefined && !one.internal && one.family === 'IPv4');
  assert.ok(outer !== undefined, 'this machine has an address in a network');
  const wide = await openStatusServer(`${outer.address}:0`, source, noDoor);
  for (const path of ['/', '/status.json', '/debug/pprof/profile', '/debug/pprof/heap']) {
    assert.equal(await ask(wide.address, path, {}), 403, path);
  }
  for (const path of ['/metrics', '/healthy', '/ready']) {
    assert.equal(await ask(wide.address, path, {}), 200, path);
  }
  await wide.close();
});

test('with a web config: credentials for everything but health, and then command lines', async () => {
  const clock = createClock();
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const gate = new Gate(
    {
      clock,
      metrics: noMetrics,
      ownToken: 'own',
      key: new Uint8Array(32),
      allowedHosts: undefined,
      allowedOrigins: [],
      audit: new Audit(clock, silentLogger, undefined),
      checkPassword: async (password) => password === 'right',
    },
    {
      ...openWebConfig,
      users: new Map([['alice', '$2b$04$E4Boc3Q7rZH9bWnHlSaR4OBrvIfkf5t/OPRZpyzt4zrhot9.L0THm']]),
      tokens: [
        { name: 'r', sha256: sha256('r'), scopes: ['read'] },
        { name: 'w', sha256: sha256('w'), scopes: ['write'] },
      ],
    },
  );
  const guarded = await openStatusServer('127.0.0.1:0', source, {
    gate,
    tls: undefined,
    allowedHosts: [],
  });
  const token = (name: string) => ({ authorization: `Bearer ${name}` });
  const paths = ['/', '/style.css', '/status.json', '/metrics', '/debug/pprof/profile?seconds=1'];
  for (const path of [...paths, '/debug/pprof/heap', '/debug/pprof/allocs', '/nothing']) {
    assert.equal(await ask(guarded.address, path, {}), 401, path);
    assert.equal(await ask(guarded.address, path, token('w')), 403, path);
    assert.equal(await ask(guarded.address, path, token('r')), path === '/nothing' ? 404 : 200);
  }
  for (const path of ['/healthy', '/-/healthy', '/ready', '/-/ready']) {
    assert.equal(await ask(guarded.address, path, {}), 200, path);
  }
  const basic = (password: string) => ({ authorization: `Basic ${btoa(`alice:${password}`)}` });
  assert.equal(await ask(guarded.address, '/', basic('wrong')), 401);
  const answer = await fetch(`http://${guarded.address}/status.json`, { headers: basic('right') });
  assert.match(await answer.text(), /hunter2/);
  assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
  await guarded.close();
});
