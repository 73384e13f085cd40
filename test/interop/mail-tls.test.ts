// Tests mails through a real mail server that speaks TLS from the first byte, and requests client
// certificates.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { errorMessage } from '../../src/base/errors.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { parseConfig } from '../../src/config/load/parse.ts';
import { discoveryKinds } from '../../src/discovery/registry.ts';
import { createMailSender } from '../../src/rules/mail-sender.ts';
import { createCertificates } from '../support/certificates.ts';
import { testTool } from '../support/tools.ts';

const certificates = createCertificates();
after(() => certificates.remove());
certificates.make('mail', 'IP:127.0.0.1');
certificates.make('parca');
const file = (name: string): string => `${certificates.folder}/${name}`;

const script = new URL('mail/serve.py', import.meta.url).pathname;
const server = spawn(
  testTool('TEST_PYTHON'),
  [script, '0', file('mail.pem'), file('mail.key'), file('ca.pem')],
  {
    env: { ...process.env, PYTHONPATH: testTool('TEST_AIOSMTPD') },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
after(async () => {
  const exited = once(server, 'exit');
  server.kill();
  await exited;
});
const lines = createInterface(server.stdout)[Symbol.asyncIterator]();

async function readLine(): Promise<Record<string, unknown>> {
  const { value } = await lines.next();
  assert.ok(value !== undefined, 'the mail server has ended');
  return JSON.parse(value);
}

const { port } = await readLine();

/** Sends a message with these keys of `email_configs`; returns 'taken', or the error. */
async function send(keys: string): Promise<string> {
  const own = `to: a@example.com, from: b@example.com, smarthost: '127.0.0.1:${port}'`;
  const login = 'auth_username: parca, auth_password: a secret';
  const config = `
alerting: {receivers: [{name: team, email_configs: [{${own}, ${login}, ${keys}}]}]}
scrape_configs: []`;
  const { alerting } = parseConfig(config, 'parca.yaml', discoveryKinds);
  const [way] = alerting.receivers[0].ways;
  assert.ok(way.kind === 'email');
  const sender = createMailSender(way, { clock: createClock(), files: createFiles() });
  const message = {
    receiver: 'team',
    groupLabels: [],
    externalUrl: 'http://parca',
    afterMillis: 0,
  };
  const alert = { labels: [], annotations: [], activeMillis: 0, isResolved: false, endMillis: 0 };
  const alerts = [{ ...alert, key: 'a', link: 'http://parca' }];
  return sender
    .send({ ...message, alerts }, new AbortController().signal)
    .then((refusal) => refusal ?? 'taken', errorMessage);
}

test('a message is sent by TLS from the first byte, with the certificate of this server', async () => {
  const own = `cert_file: ${file('parca.pem')}, key_file: ${file('parca.key')}`;
  const tls = `tls_config: {ca_file: ${file('ca.pem')}, ${own}}`;
  assert.equal(await send(`force_implicit_tls: true, ${tls}`), 'taken');
  const { isTls, client, login } = await readLine();
  assert.deepEqual(
    { isTls, client, login },
    { isTls: true, client: { commonName: 'parca' }, login: 'parca' },
  );
});

test('without a certificate, and by STARTTLS, nothing is sent', async () => {
  const tls = `tls_config: {ca_file: ${file('ca.pem')}}`;
  assert.match(await send(`force_implicit_tls: true, ${tls}`), /^cannot send an e-mail: /);
  assert.match(await send('force_implicit_tls: true'), /certificate/);
});
