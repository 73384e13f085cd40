// Tests what people receive from a real Alertmanager when alerts fire, end, are grouped and
// silenced, even if this server is killed or Alertmanager is down.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../src/base/random.ts';
import { pushCpu } from '../support/profiles/long-named-fleet.ts';
import {
  type ScratchDirectory,
  scratchDirectory,
  startServer,
  type TestServer,
} from '../support/server.ts';
import { testTool } from '../support/tools.ts';
import { until } from '../support/until.ts';

interface Message {
  readonly status: string;
  readonly alerts: readonly {
    readonly status: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly startsAt: string;
  }[];
}

/** Messages to people, each about one group, as a line: `Hot firing: a b`. */
const messages: string[] = [];
let people: Server;
let peopleAddress: string;
let scratch: ScratchDirectory;
let server: TestServer;
let alertmanager: ChildProcess;
let alertmanagerAddress: string;
let config: string;

before(async () => {
  scratch = await scratchDirectory();
  await writeRules(0.4);
  people = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { alerts } = JSON.parse(Buffer.concat(chunks).toString()) as Message;
      const jobs = alerts.map(({ labels, status }) => `${labels.job} ${status}`).toSorted();
      messages.push(`${alerts[0].labels.alertname}: ${jobs.join(', ')}`);
      response.writeHead(200).end();
    });
  });
  people.listen(0, '127.0.0.1');
  await once(people, 'listening');
  peopleAddress = `127.0.0.1:${(people.address() as AddressInfo).port}`;
  alertmanagerAddress = `127.0.0.1:${await freePort()}`;
  alertmanager = await startAlertmanager();
  config = `
global: {evaluation_interval: 1s}
rule_files: [${scratch.path}/rules-*.yml]
alerting: {alertmanagers: [{static_configs: [{targets: ['${alertmanagerAddress}']}]}]}
scrape_configs: []
`;
  server = await start();
});

after(async () => {
  await server.stop();
  await end(alertmanager, 'SIGTERM');
  people.closeAllConnections();
  people.close();
  await scratch.remove();
});

async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  socket.close();
  await once(socket, 'close');
  return port;
}

async function startAlertmanager(): Promise<ChildProcess> {
  const file = `${scratch.path}/alertmanager.yml`;
  await writeFile(
    file,
    `
route:
  receiver: people
  group_by: [alertname]
  group_wait: 1s
  group_interval: 2s
  repeat_interval: 1h
receivers:
  - name: people
    webhook_configs: [{url: 'http://${peopleAddress}/', send_resolved: true}]
`,
  );
  const child = spawn(
    'unshare',
    [
      '--mount',
      'sh',
      '-c',
      // Debian's program expects its templates where the package installs them.
      'mount -t tmpfs none /usr/share && cp -r "$0/usr/share/prometheus" /usr/share && ' +
        'exec "$0/usr/bin/prometheus-alertmanager" "$@"',
      testTool('TEST_ALERTMANAGER'),
      `--config.file=${file}`,
      `--storage.path=${scratch.path}/alertmanager`,
      `--web.listen-address=${alertmanagerAddress}`,
      '--cluster.listen-address=',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  await untilSo('Alertmanager is ready', async () => {
    assert.equal(child.exitCode, null, log);
    const answer = await fetch(`http://${alertmanagerAddress}/-/ready`).catch(() => undefined);
    return answer?.ok === true;
  });
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

function start(): Promise<TestServer> {
  const storagePath = `${scratch.path}/data`;
  return startServer({ storagePath, config, flags: ['--enable-admin-api'] });
}

async function writeRules(coresMin: number, alert = 'Hot', wait = '0s'): Promise<void> {
  await writeFile(
    `${scratch.path}/rules-cpu.yml`,
    `
groups:
  - name: cpu
    rules:
      - alert: ${alert}
        expr: cores(process_cpu | by (job) [1h]) > ${coresMin}
        for: ${wait}
`,
  );
}

/** Changes the rule, which makes alerts fire or end. */
async function setLimit(coresMin: number, alert = 'Hot', wait = '0s'): Promise<void> {
  await writeRules(coresMin, alert, wait);
  const answer = await fetch(`${server.url}/-/reload`, { method: 'POST' });
  assert.equal(answer.status, 200);
}

/** Stores ten seconds of CPU time of a job that uses `cores`. */
function push(job: string, cores: number): Promise<void> {
  const samples = [['main', BigInt(Math.round(cores * 1_000))]] as const;
  return pushCpu(server.url, job, samples, Date.now() - 10_000);
}

function untilSo(what: string, isThere: () => boolean | Promise<boolean>): Promise<void> {
  return until(isThere, { millis: 60_000, failure: () => `${what}: ${messages.join('; ')}` });
}

test('alerts of a group arrive in one message, and end in one', async () => {
  await push('a', 0.6);
  await push('b', 0.5);
  await push('c', 0.1);
  await untilSo('fires', () => messages.includes('Hot: a firing, b firing'));
  await setLimit(0.55);
  await untilSo('b ends', () => messages.includes('Hot: a firing, b resolved'));
  await setLimit(9);
  await untilSo('a ends', () => messages.at(-1) === 'Hot: a resolved');
});

test('a silence keeps an alert from people', async () => {
  const before = messages.length;
  const silence = {
    matchers: [{ name: 'alertname', value: 'Hot', isRegex: false, isEqual: true }],
    startsAt: new Date().toISOString(),
    endsAt: new Date(Date.now() + 3_600_000).toISOString(),
    createdBy: 'test',
    comment: 'test',
  };
  const answer = await fetch(`http://${alertmanagerAddress}/api/v2/silences`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(silence),
  });
  const { silenceID } = (await answer.json()) as { readonly silenceID: string };
  await setLimit(0.4);
  await untilSo('is silenced', async () => {
    const alerts = await fetch(`http://${alertmanagerAddress}/api/v2/alerts`);
    const listed = (await alerts.json()) as readonly {
      readonly status: { readonly state: string };
    }[];
    return listed.length === 2 && listed.every(({ status }) => status.state === 'suppressed');
  });
  await setLimit(9);
  await sleep(4_000);
  assert.deepEqual(messages.slice(before), []);
  await fetch(`http://${alertmanagerAddress}/api/v2/silence/${silenceID}`, { method: 'DELETE' });
});

test('kills, and an Alertmanager that is away: each start and end is told once', async () => {
  const random = seededRandom(7);
  for (let round = 0; round < 3; round += 1) {
    const before = messages.length;
    await setLimit(0.55, 'Warm');
    await sleep(random.uint32() % 1_500);
    await server.kill();
    server = await start();
    await untilSo('a fires', () => messages.slice(before).includes('Warm: a firing'));
    // A killed Alertmanager would forget what it has told people, whichever server sends the
    // alerts.
    await end(alertmanager, 'SIGTERM');
    await setLimit(9, 'Warm');
    await sleep(random.uint32() % 1_500);
    await server.kill();
    alertmanager = await startAlertmanager();
    server = await start();
    await untilSo('a ends', () => messages.slice(before).includes('Warm: a resolved'));
    await sleep(3_000);
    // Like Prometheus, the server repeats alerts that ended in the last quarter of an hour, and a
    // new Alertmanager may send messages about those of earlier tests again.
    const got = messages.slice(before).filter((line) => line.startsWith('Warm'));
    assert.deepEqual(got, ['Warm: a firing', 'Warm: a resolved']);
  }
});

/** Moments in the life of an alert: it is pending, it fires, people are told, and it has ended. */
const moments = ['pending', 'firing', 'told', 'ended'] as const;

/** Waits until the server's alert has a state; undefined = there is none. */
function untilState(alert: string, state: 'pending' | 'firing' | undefined): Promise<void> {
  return untilSo(`${alert} is ${state}`, async () => {
    const answer = await fetch(`${server.url}/api/v1/alerts`);
    const { data } = (await answer.json()) as {
      readonly data: {
        readonly alerts: readonly {
          readonly labels: Readonly<Record<string, string>>;
          readonly state: string;
        }[];
      };
    };
    const found = data.alerts.find(({ labels }) => labels.alertname === alert);
    return found?.state === state;
  });
}

test('a kill at each moment of an alert: its start and its end are told once', async () => {
  const random = seededRandom(11);
  for (const killed of moments) {
    const before = messages.length;
    const toldOf = (): string[] => messages.slice(before).filter((line) => line.startsWith('Cold'));
    const reach = async (moment: (typeof moments)[number]): Promise<void> => {
      if (moment !== killed) return;
      await sleep(random.uint32() % 300);
      await server.kill();
      server = await start();
    };
    await setLimit(0.55, 'Cold', '3s');
    await untilState('Cold', 'pending');
    await reach('pending');
    await untilState('Cold', 'firing');
    await reach('firing');
    await untilSo(`is told, killed when ${killed}`, () => toldOf().length > 0);
    await reach('told');
    await setLimit(9, 'Cold', '3s');
    await untilState('Cold', undefined);
    await reach('ended');
    await untilSo(`its end is told, killed when ${killed}`, () => toldOf().length > 1);
    await sleep(3_000);
    assert.deepEqual(toldOf(), ['Cold: a firing', 'Cold: a resolved'], killed);
  }
});
