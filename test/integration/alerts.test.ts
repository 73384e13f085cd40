// Tests alerts of a real server: they are sent to an Alertmanager and a webhook, and survive kills
// and reloads.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pushCpu } from '../support/profiles/long-named-fleet.ts';
import {
  type ScratchDirectory,
  scratchDirectory,
  startServer,
  type TestServer,
} from '../support/server.ts';
import { until } from '../support/until.ts';

/** An alert as received. */
interface ReceivedAlert {
  readonly status?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly generatorURL: string;
}

/** Records received messages with their paths; refuses messages while it is marked as down. */
class Receivers {
  readonly messages: { readonly path: string; readonly body: unknown }[] = [];
  isAway = false;
  refused = 0;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (this.isAway) this.refused += 1;
        else {
          const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
          this.messages.push({ path: request.url ?? '', body });
        }
        response.writeHead(this.isAway ? 503 : 200).end();
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    return `127.0.0.1:${port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Returns all alerts that the Alertmanager received, in order, such as `Hot a firing`. */
  atAlertmanager(): string[] {
    return this.messages
      .filter(({ path }) => path === '/am/api/v2/alerts')
      .flatMap(({ body }) => (body as readonly ReceivedAlert[]).map(describeAlert));
  }

  /** Returns the alerts of each message to the webhook. */
  atWebhook(): string[] {
    return this.messages
      .filter(({ path }) => path === '/hook')
      .map(({ body }) =>
        (body as { readonly alerts: readonly ReceivedAlert[] }).alerts
          .map(describeAlert)
          .join('; '),
      );
  }
}

function describeAlert({ labels, endsAt, status }: ReceivedAlert): string {
  const isOver = status === undefined ? Date.parse(endsAt) < Date.now() : status === 'resolved';
  return `${labels.alertname} ${labels.job} ${isOver ? 'resolved' : 'firing'}`;
}

/** Values of label sets over time. */
interface Matrix {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [number, string])[];
}

const receivers = new Receivers();
let scratch: ScratchDirectory;
let config: string;
let server: TestServer;

before(async () => {
  scratch = await scratchDirectory();
  const address = await receivers.listen();
  await writeRules('> 0.4');
  config = `
global: {evaluation_interval: 1s, external_labels: {cluster: test}}
rule_files: [${scratch.path}/rules-*.yml]
alerting:
  alert_relabel_configs: [{regex: noise, action: labeldrop}]
  alertmanagers:
    - path_prefix: /am
      static_configs: [{targets: ['${address}']}]
  receivers:
    - name: team
      match: {severity: page}
      group_wait: 1s
      group_interval: 1s
      webhook_configs: [{url: 'http://${address}/hook', send_picture: true}]
scrape_configs: []
`;
  server = await start();
});

after(async () => {
  await server.stop();
  receivers.close();
  await scratch.remove();
});

function start(): Promise<TestServer> {
  const storagePath = `${scratch.path}/data`;
  return startServer({ storagePath, config, flags: ['--enable-admin-api'] });
}

async function writeRules(condition: string): Promise<void> {
  const rules = `
groups:
  - name: cpu
    rules:
      - alert: Hot
        expr: cores(process_cpu | by (job) [60m]) ${condition}
        labels: {severity: page, noise: x}
        annotations: {summary: '{{ $labels.job }} of {{ $externalLabels.cluster }} uses {{ printf "%.1f" $value }} cores'}
      - alert: Broken
        expr: cores(memory [30s])
      - record: job:cpu:cores
        expr: cores(process_cpu | by (job) [60m])
      - alert: Recorded
        expr: average(recorded{record="job:cpu:cores", job="c"} | by (job) [1h]) > 0.6
      - alert: Deployed
        expr: total(process_cpu{job="a"} [60m] since mark) > 0
`;
  await writeFile(`${scratch.path}/rules-cpu.yml`, rules);
}

/** Stores ten seconds of CPU time of a job that uses `cores`. */
function push(job: string, cores: number): Promise<void> {
  const samples = [['main', BigInt(Math.round(cores * 1_000))]] as const;
  return pushCpu(server.url, job, samples, Date.now() - 10_000);
}

function untilSo(what: string, isThere: () => boolean | Promise<boolean>): Promise<void> {
  const failure = (): string => `${what}: ${JSON.stringify(receivers.messages)} ${server.log()}`;
  return until(isThere, { millis: 30_000, failure });
}

async function get(path: string): Promise<unknown> {
  const response = await fetch(`${server.url}${path}`);
  assert.equal(response.status, 200, path);
  return ((await response.json()) as { readonly data: unknown }).data;
}

async function reload(): Promise<Response> {
  return fetch(`${server.url}/-/reload`, { method: 'POST' });
}

test('an alert fires: the API, an Alertmanager and a webhook have it', async () => {
  await push('a', 0.5);
  await push('b', 0.1);
  await untilSo('fires', () => receivers.atWebhook().length > 0);
  assert.deepEqual(receivers.atWebhook(), ['Hot a firing']);
  assert.deepEqual([...new Set(receivers.atAlertmanager())], ['Hot a firing']);
  const { alerts } = (await get('/api/v1/alerts')) as { readonly alerts: readonly ReceivedAlert[] };
  assert.deepEqual(
    alerts.map(({ labels, annotations }) => ({ labels, annotations })),
    [
      {
        labels: { alertname: 'Hot', job: 'a', noise: 'x', severity: 'page' },
        annotations: { summary: 'a of test uses 0.5 cores' },
      },
    ],
  );
  const [sent] = receivers.messages.flatMap(({ path, body }) =>
    path === '/hook' ? (body as { readonly alerts: readonly ReceivedAlert[] }).alerts : [],
  );
  const labels = { alertname: 'Hot', cluster: 'test', job: 'a', severity: 'page' };
  assert.deepEqual(
    sent.labels,
    labels,
    'with external labels, and without those that a rule drops',
  );
  const link = `${server.url}/?q=process_cpu%20%7C%20by%20(job)`;
  assert.ok(sent.generatorURL.startsWith(link), sent.generatorURL);
  const picture = new URL(sent.annotations.picture);
  assert.equal(picture.searchParams.get('query'), 'process_cpu{job="a"}');
  assert.equal(picture.searchParams.get('title'), sent.annotations.summary);
  const drawn = await fetch(picture);
  assert.equal(drawn.headers.get('content-type'), 'image/png');
  assert.equal(Buffer.from(await drawn.arrayBuffer()).toString('latin1', 1, 4), 'PNG');
  const { groups } = (await get('/api/v1/rules?type=alert')) as {
    readonly groups: readonly { readonly rules: readonly Readonly<Record<string, unknown>>[] }[];
  };
  assert.deepEqual(
    groups[0].rules.map(({ name, state, health }) => [name, state, health]),
    [
      ['Hot', 'firing', 'ok'],
      ['Broken', 'inactive', 'ok'],
      ['Recorded', 'inactive', 'ok'],
      ['Deployed', 'inactive', 'ok'],
    ],
  );
  const { activeAlertmanagers } = (await get('/api/v1/alertmanagers')) as {
    readonly activeAlertmanagers: readonly { readonly url: string }[];
  };
  assert.match(activeAlertmanagers[0].url, /\/am\/api\/v2\/alerts$/);
});

test('nothing is sent twice after a kill', async () => {
  // If the server were killed before it saves its state, it would send the message again.
  const state = `${scratch.path}/data/rules/alerts.json`;
  await untilSo('is kept', async () =>
    /"team\/webhook\/0[^}]*"activeMillis"/.test(await readFile(state, 'utf8').catch(() => '')),
  );
  await server.kill();
  const before = receivers.messages.length;
  server = await start();
  await untilSo('evaluated', async () =>
    JSON.stringify(await get('/api/v1/rules')).includes('"ok"'),
  );
  // Waits for two intervals of the rule group.
  await sleep(2_000);
  assert.deepEqual(receivers.messages.slice(before), []);
});

test('a receiver that is away gets the end later; a bad rule file changes nothing', async () => {
  receivers.isAway = true;
  await writeRules('> 0.4 and');
  const refused = await reload();
  assert.equal(refused.status, 500);
  assert.match(
    await refused.text(),
    /rules-cpu\.yml:6:15: groups\[0\]\.rules\[0\]\.expr: 1:46: unexpected end/,
  );
  assert.match(JSON.stringify(await get('/api/v1/rules')), /"state":"firing"/);
  await writeRules('> 0.9');
  assert.equal((await reload()).status, 200);
  await untilSo(
    'is resolved',
    async () => ((await get('/api/v1/alerts')) as { alerts: [] }).alerts.length === 0,
  );
  await untilSo('is refused', () => receivers.refused > 1);
  await server.kill();
  receivers.isAway = false;
  const before = receivers.atWebhook().length;
  server = await start();
  await untilSo(
    'ends',
    () =>
      receivers.atWebhook().length > before &&
      receivers.atAlertmanager().at(-1) === 'Hot a resolved',
  );
  await sleep(1_500);
  assert.deepEqual(receivers.atWebhook().slice(before), ['Hot a resolved']);
});

test('a rule compares with the time of a mark that a pipeline has set', async () => {
  const mark = { text: 'out', time: Date.now() - 60_000, labels: { job: 'a' } };
  const body = JSON.stringify(mark);
  const answer = await fetch(`${server.url}/api/v1/marks`, { method: 'POST', body });
  assert.equal(answer.status, 200);
  const isDeployed = async (): Promise<boolean> =>
    JSON.stringify(await get('/api/v1/alerts')).includes('Deployed');
  await untilSo('knows the mark', isDeployed);
});

test('what a rule records is there for queries and other rules, after a restart, too', async () => {
  await push('c', 0.7);
  const isRecorded = async (): Promise<boolean> =>
    JSON.stringify(await get('/api/v1/alerts')).includes('Recorded');
  await untilSo('another rule reads it', isRecorded);
  // Stopping writes the values to a block.
  await server.stop();
  const expr = 'average(recorded{record="job:cpu:cores"} | by (job) [1h]) > 0.6';
  const rules = `groups: [{name: kept, rules: [{alert: Kept, expr: '${expr}'}]}]`;
  await writeFile(`${scratch.path}/rules-cpu.yml`, rules);
  server = await start();
  const isKept = async (): Promise<boolean> =>
    JSON.stringify(await get('/api/v1/alerts')).includes('"alertname":"Kept","job":"c"');
  await untilSo('a rule reads what was recorded before the restart', isKept);
  const nowSeconds = Math.floor(Date.now() / 1000);
  const form = new URLSearchParams({
    query: '2 * job:cpu:cores{job="c"}',
    start: String(nowSeconds - 10_000),
    end: String(nowSeconds),
    step: '1',
  });
  const answer = await fetch(`${server.url}/prometheus/api/v1/query_range`, {
    method: 'POST',
    body: form,
  });
  const { data } = (await answer.json()) as {
    readonly data: { readonly result: readonly Matrix[] };
  };
  assert.deepEqual(
    data.result.map(({ metric, values }) => [metric, new Set(values.map(([, value]) => value))]),
    [[{ job: 'c' }, new Set(['1.4'])]],
  );
  form.set('start', String(nowSeconds - 12_000));
  const refused = await fetch(`${server.url}/prometheus/api/v1/query_range?${form}`);
  assert.deepEqual(await refused.json(), {
    status: 'error',
    errorType: 'bad_data',
    error: 'cannot evaluate range: it has 12001 steps, the limit is 11000',
  });
});
