// Tests findings of a real server with three days of profiles: one service has a slower deploy, the
// other has no change. The test is slow, because the server waits before it searches, and pauses
// between queries.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { seededRandom } from '../../../src/base/random.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';
import {
  type ScratchDirectory,
  scratchDirectory,
  startServer,
  type TestServer,
} from '../../support/server.ts';
import { until } from '../../support/until.ts';

const hourMillis = 3_600_000;
const hours = 70;
/** Number of hours ago at which the versions were deployed. */
const deployedHours = 8;

interface FindingJson {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly service: { readonly name: string };
  readonly version: string;
  readonly isRegression: boolean;
  readonly functions: readonly { readonly name: string; readonly amount: number }[];
}

interface AlertBody {
  readonly alerts: readonly {
    readonly status: string;
    readonly labels: Readonly<Record<string, string>>;
  }[];
}

let scratch: ScratchDirectory;
let server: TestServer;
const received: AlertBody[] = [];
const hook = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    received.push(JSON.parse(Buffer.concat(chunks).toString()) as AlertBody);
    response.end();
  });
});

before(async () => {
  scratch = await scratchDirectory();
  await new Promise<void>((resolve) => void hook.listen(0, '127.0.0.1', resolve));
  server = await start();
  await pushHistory();
});

after(async () => {
  await server.stop();
  hook.closeAllConnections();
  hook.close();
  await scratch.remove();
});

function start(): Promise<TestServer> {
  const { port } = hook.address() as AddressInfo;
  const config = `
alerting:
  receivers:
    - name: team
      group_wait: 1s
      group_interval: 1s
      webhook_configs: [{url: 'http://127.0.0.1:${port}/hook'}]
scrape_configs: []
`;
  return startServer({ storagePath: `${scratch.path}/data`, config });
}

const functions = [
  'parseCart',
  'priceCart',
  'renderCart',
  'queryStock',
  'encodeAnswer',
  'sortLines',
];

/** Pushes hourly profiles of two services; only `shop` has a slower deploy. */
async function pushHistory(): Promise<void> {
  const random = seededRandom(11);
  const nowHour = Math.floor(Date.now() / hourMillis);
  for (let ago = hours; ago >= 0; ago -= 1) {
    const isNew = ago < deployedHours;
    const series = ['shop', 'stock'].map((job) => {
      const samples = functions.map((name): [string, bigint] => {
        const isSlower = isNew && job === 'shop' && name === 'parseCart';
        const noise = 0.9 + (0.2 * random.uint32()) / 2 ** 32;
        return [`main;handle;${name}`, BigInt(Math.round(200 * noise * (isSlower ? 3 : 1)))];
      });
      const timeNanos = BigInt((nowHour - ago) * hourMillis) * 1_000_000n;
      const profile = cpuProfile({ timeNanos, samples, durationNanos: 60_000_000_000n });
      const labels = { __name__: 'process_cpu', job, version: isNew ? '2.0' : '1.9' };
      return {
        labels: { labels: Object.entries(labels).map(([name, value]) => ({ name, value })) },
        samples: [{ rawProfile: gzippedPprof(profile).toString('base64') }],
      };
    });
    const response = await fetch(`${server.url}/api/profiles/writeraw`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ series, normalized: true }),
    });
    assert.equal(response.status, 200, await response.text());
  }
}

async function list(parameters = ''): Promise<readonly FindingJson[]> {
  const response = await fetch(`${server.url}/api/v1/findings${parameters}`);
  assert.equal(response.status, 200);
  return ((await response.json()) as { readonly findings: readonly FindingJson[] }).findings;
}

interface ListedAlert {
  readonly state: string;
  readonly labels: Readonly<Record<string, string>>;
}

async function listAlerts(): Promise<readonly ListedAlert[]> {
  const response = await fetch(`${server.url}/api/v1/alerts`);
  const { data } = (await response.json()) as {
    readonly data: { readonly alerts: readonly ListedAlert[] };
  };
  return data.alerts;
}

const shown = ({ kind, service, version, functions: [first] }: FindingJson): string =>
  `${kind} ${service.name} ${version} ${first.name}`;

test('a slower deploy is found, told, kept over a kill, and acknowledged', async () => {
  await until(async () => (await list()).length > 0);
  assert.deepEqual((await list()).map(shown), ['deploy shop 2.0 parseCart']);
  await until(() => received.length > 0);
  const [alert] = received[0].alerts;
  assert.equal(alert.status, 'firing');
  assert.equal(alert.labels.alertname, 'RegressionFound');
  assert.equal(alert.labels.job, 'shop');

  const listed = await listAlerts();
  assert.deepEqual(
    listed.map(({ state, labels }) => [state, labels.alertname, labels.function]),
    [['firing', 'RegressionFound', 'parseCart']],
  );

  const feed = await fetch(`${server.url}/api/v1/findings/feed`);
  assert.match(feed.headers.get('content-type') ?? '', /^application\/atom\+xml/);
  assert.match(await feed.text(), /<title>shop: parseCart costs .* since version 2\.0/);

  // If the server were killed before this is written, it would send the alert twice.
  const state = `${scratch.path}/data/rules/alerts.json`;
  await until(async () => (await readFile(state, 'utf8').catch(() => '')).includes('activeMillis'));
  await server.kill();
  server = await start();
  const [kept] = await list('?state=open&service=shop');
  assert.equal(shown(kept), 'deploy shop 2.0 parseCart');
  const response = await fetch(`${server.url}/api/v1/findings/${kept.id}`, {
    method: 'POST',
    body: JSON.stringify({ state: 'acknowledged' }),
  });
  assert.equal(response.status, 200, await response.text());
  assert.deepEqual(await list('?state=open'), []);
  assert.deepEqual(await listAlerts(), []);
  await until(() =>
    received.some(({ alerts }) => alerts.some(({ status }) => status === 'resolved')),
  );
  const firing = received.flatMap(({ alerts }) => alerts).filter((one) => one.status === 'firing');
  assert.equal(firing.length, 1, 'told once');
});

test('requests that cannot work', async () => {
  const check = async (id: string, body: string, want: RegExp): Promise<void> => {
    const response = await fetch(`${server.url}/api/v1/findings/${id}`, { method: 'POST', body });
    assert.ok(response.status >= 400);
    assert.match(await response.text(), want);
  };
  await check('none', '{"state":"open"}', /there is none/);
  await check('none', '{"state":"gone"}', /state must be acknowledged or open, got \\"gone\\"/);
  await check('none', '[', /cannot change a finding/);
  await check('none', ' '.repeat(5_000), /it has 5000 bytes, the limit is 4096/);
});
