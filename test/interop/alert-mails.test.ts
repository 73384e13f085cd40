// Tests mails through a real mail server: what people receive when alerts fire and end, even if the
// mail server is down or this server is killed.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Certificates, createCertificates } from '../support/certificates.ts';
import { pushCpu } from '../support/profiles/long-named-fleet.ts';
import {
  type ScratchDirectory,
  scratchDirectory,
  startServer,
  type TestServer,
} from '../support/server.ts';
import { testTool } from '../support/tools.ts';
import { until } from '../support/until.ts';

interface Mail {
  readonly isTls: boolean;
  readonly login: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly defects: readonly string[];
  readonly text: string;
  readonly html: string;
  /** Content types of all parts, in the order of the message. */
  readonly parts: readonly string[];
  readonly pictures: readonly {
    readonly id: string;
    readonly disposition: string;
    readonly base64: string;
  }[];
}

/** Job name that looks like mail headers. */
const job = 'a\r\nBcc: victim@example.com\r\n\r\nHello';

const mails: Mail[] = [];
let port: number;
let scratch: ScratchDirectory;
let certificates: Certificates;
let server: TestServer;
let mailServer: ChildProcess | undefined;
let mailLog = '';

before(async () => {
  scratch = await scratchDirectory();
  certificates = createCertificates();
  certificates.make('mail', 'IP:127.0.0.1');
  port = await freePort();
  await writeFile(`${scratch.path}/password`, 'a secret\n');
  await writeRules('> 0.4');
  server = await start();
});

after(async () => {
  await server.stop();
  if (mailServer !== undefined) {
    const exited = once(mailServer, 'exit');
    mailServer.kill();
    await exited;
  }
  certificates.remove();
  await scratch.remove();
});

async function freePort(): Promise<number> {
  const socket = createServer().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port: free } = socket.address() as AddressInfo;
  socket.close();
  await once(socket, 'close');
  return free;
}

async function startMailServer(): Promise<void> {
  const files = ['mail.pem', 'mail.key'].map((name) => `${certificates.folder}/${name}`);
  const script = new URL('mail/serve.py', import.meta.url).pathname;
  const env = { ...process.env, PYTHONPATH: testTool('TEST_AIOSMTPD') };
  mailServer = spawn(testTool('TEST_PYTHON'), [script, String(port), ...files], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let isReady = false;
  assert.ok(mailServer.stdout !== null && mailServer.stderr !== null);
  mailServer.stderr.on('data', (chunk: Buffer) => (mailLog += chunk.toString()));
  createInterface(mailServer.stdout).on('line', (line) => {
    if (isReady) mails.push(JSON.parse(line) as Mail);
    isReady = true;
  });
  await untilSo('the mail server listens', () => isReady);
}

function start(): Promise<TestServer> {
  const config = `
global: {evaluation_interval: 1s}
rule_files: [${scratch.path}/rules-*.yml]
alerting:
  receivers:
    - name: team
      group_by: [alertname, job]
      group_wait: 1s
      group_interval: 1s
      email_configs:
        - to: Team A <a@example.com>, b@example.com
          from: Parca <parca@example.com>
          smarthost: 127.0.0.1:${port}
          auth_username: parca
          auth_password_file: ${scratch.path}/password
          tls_config: {ca_file: ${certificates.folder}/ca.pem}
          headers: {X-Team: a}
          send_resolved: true
        - {to: x@example.com, from: x@example.com, smarthost: '127.0.0.1:${port}'}
scrape_configs: []
`;
  const storagePath = `${scratch.path}/data`;
  return startServer({ storagePath, config, flags: ['--enable-admin-api'] });
}

async function writeRules(condition: string): Promise<void> {
  await writeFile(
    `${scratch.path}/rules-cpu.yml`,
    `groups: [{name: cpu, rules: [{alert: Hot, expr: 'cores(process_cpu | by (job) [1h]) ${condition}'}]}]`,
  );
}

function untilSo(what: string, isThere: () => boolean | Promise<boolean>): Promise<void> {
  const failure = (): string => `${what}: ${JSON.stringify(mails)} ${mailLog} ${server.log()}`;
  return until(isThere, { millis: 60_000, failure });
}

function mailsTo(address: string): Mail[] {
  return mails.filter(({ to }) => to.includes(address));
}

function messageId({ headers }: Mail): string {
  return headers['Message-ID'];
}

const state = (): string => `${scratch.path}/data/rules/alerts.json`;

test('a mail server that is away for a while gets all messages, each once', async () => {
  await pushCpu(server.url, job, [['main', 500n]], Date.now() - 10_000);
  await untilSo('the server is away', () => server.log().includes('cannot send an e-mail'));
  await untilSo('the alert is kept', async () =>
    /"state":"firing"/.test(await readFile(state(), 'utf8').catch(() => '')),
  );
  await server.kill();
  await copyFile(state(), `${scratch.path}/before.json`);
  await startMailServer();
  server = await start();
  await untilSo('both are told', () => mails.length === 2);
  const addresses = mails.map(({ to }) => to.join(' '));
  assert.deepEqual(addresses.toSorted(), ['a@example.com', 'b@example.com']);
  const [mail] = mailsTo('a@example.com');
  const { 'Message-ID': id, Date: date, 'Content-Type': type, ...headers } = mail.headers;
  assert.match(id, /^<[\da-f]{32}@example\.com>$/);
  assert.ok(!Number.isNaN(Date.parse(date)), date);
  assert.deepEqual(headers, {
    'X-Team': 'a',
    'Auto-Submitted': 'auto-generated',
    From: 'Parca <parca@example.com>',
    To: 'Team A <a@example.com>',
    Subject: 'Firing: Hot a Bcc: victim@example.com Hello (1 alert)',
    'MIME-Version': '1.0',
  });
  assert.match(type, /^multipart\/alternative;/);
  const { isTls, login, from, defects, text } = mail;
  assert.deepEqual(
    { isTls, login, from, defects },
    { isTls: true, login: 'parca', from: 'parca@example.com', defects: [] },
  );
  assert.ok(text.includes(`${server.url}/?q=process_cpu`), text);
  assert.ok(text.includes(`All alerts: ${server.url}/alerts`), text);
});

test('a message has a picture, which its HTML shows', () => {
  const [{ parts, html, pictures }] = mailsTo('a@example.com');
  assert.deepEqual(parts, [
    'multipart/alternative',
    'text/plain',
    'multipart/related',
    'text/html',
    'image/png',
  ]);
  const [{ id, disposition, base64 }] = pictures;
  assert.deepEqual({ id, disposition }, { id: '<picture@example.com>', disposition: 'inline' });
  assert.ok(html.includes('<img src="cid:picture@example.com" width="1000"'), html);
  assert.ok(html.includes(`<a href="${server.url}/alerts">${server.url}/alerts</a>`), html);
  assert.equal(Buffer.from(base64, 'base64').toString('latin1', 1, 4), 'PNG');
  // Several addresses get the same picture, which is drawn once.
  assert.equal(mailsTo('b@example.com')[0].pictures[0].base64, base64);
});

test('nothing is sent twice after a kill, and a repeated message has the same Message-ID', async () => {
  const isTold = async (): Promise<boolean> =>
    (await readFile(state(), 'utf8')).match(/"team\/email\/[01][^}]*"activeMillis"/g)?.length === 2;
  await untilSo('it is kept that both are told', isTold);
  await server.kill();
  server = await start();
  await untilSo('is evaluated', async () => {
    const answer = await fetch(`${server.url}/api/v1/rules`);
    return (await answer.text()).includes('"health":"ok"');
  });
  // Waits for two intervals of the rule group.
  await sleep(2_000);
  assert.equal(mails.length, 2);
  // Restores the old state, as if the server had been killed between the mail server's answer and
  // the saving of the state.
  await server.kill();
  await copyFile(`${scratch.path}/before.json`, state());
  server = await start();
  await untilSo('both are told again', () => mails.length === 4);
  assert.equal(new Set(mailsTo('a@example.com').map(messageId)).size, 1);
  assert.equal(new Set(mailsTo('b@example.com').map(messageId)).size, 1);
});

test('the end of an alert is told; a server with an unknown certificate gets nothing', async () => {
  await writeRules('> 9');
  assert.equal((await fetch(`${server.url}/-/reload`, { method: 'POST' })).status, 200);
  await untilSo('both are told', () => mails.length === 6);
  const [first, , last] = mailsTo('a@example.com');
  assert.match(last.headers['Subject'], /^Resolved: Hot a Bcc/);
  assert.notEqual(messageId(last), messageId(first));
  assert.deepEqual(mailsTo('x@example.com'), []);
  const isRefused = (): boolean => /team\/email\/2.*certificate/.test(server.log());
  await untilSo('the certificate is refused', isRefused);
});
