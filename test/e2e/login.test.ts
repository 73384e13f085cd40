// Tests a real server with TLS and tokens: its page in Chromium, its own scrapes, parcatool's
// client, and config files that change while it runs.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { Agent, request } from 'undici';
import { type ClientOptions, field, getJson } from '../../cmd/parcatool/shared/client.ts';
import { makeElf, makeNote, makeSymbols } from '../../src/symbolize/testing/make-elf.ts';
import { axeViolations, eventually, launchBrowser } from '../support/browser.ts';
import { createCertificates } from '../support/certificates.ts';
import { type Run, runParcatoolWith } from '../support/parcatool.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';

const certificates = createCertificates();
const path = (name: string): string => join(certificates.folder, name);
const ca = certificates.text('ca.pem');
const agent = new Agent({ connect: { ca } });
let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let server: TestServer;
let browser: Browser;

function writeWebConfig(...tokens: (readonly [name: string, scopes: string])[]): void {
  const lines = tokens.map(([name, scopes]) => {
    const sha256 = createHash('sha256').update(name).digest('hex');
    return `  - {name: ${name}, sha256: ${sha256}, scopes: [${scopes}]}\n`;
  });
  const tls = 'tls_server_config: {cert_file: used.pem, key_file: used.key}';
  writeFileSync(path('web.yml'), `${tls}\nbearer_tokens:\n${lines.join('')}`);
}

function use(name: string): void {
  for (const end of ['pem', 'key']) copyFileSync(path(`${name}.${end}`), path(`used.${end}`));
}

before(async () => {
  for (const name of ['first', 'second']) certificates.make(name, 'IP:127.0.0.1');
  use('first');
  writeWebConfig(['reader', 'read'], ['operator', 'admin'], ['uploader', 'debuginfo']);
  scratch = await scratchDirectory();
  server = await startServer({
    storagePath: join(scratch.path, 'data'),
    selfScrape: true,
    flags: [`--web-config-file=${path('web.yml')}`, '--enable-admin-api'],
  });
  browser = await launchBrowser();
});

after(async () => {
  await browser?.close();
  await agent.close();
  await server?.stop();
  await scratch.remove();
  certificates.remove();
});

async function ask(method: 'GET' | 'POST', target: string, token: string): Promise<string> {
  const { body, statusCode } = await request(`https://${server.address}${target}`, {
    method,
    dispatcher: agent,
    headers: { authorization: `Bearer ${token}` },
  });
  return `${statusCode} ${await body.text()}`;
}

/** Repeats `answer` until it matches `wanted`. */
async function until(wanted: RegExp, answer: () => Promise<string>): Promise<void> {
  for (let text = await answer(); !wanted.test(text); text = await answer()) {
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
}

test('a person logs in with a token, comes to where the link led, and logs out', async () => {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const violations: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) violations.push(message.text());
  });
  await page.goto(`https://${server.address}/targets?x=1`);
  const form = page.getByLabel('Token');
  await form.waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await form.fill('wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('This token is unknown.').waitFor();
  await form.fill('reader');
  await form.press('Enter');
  // The page is authorized by its cookie; the server scrapes itself through its own authentication.
  const own = page.getByRole('region', { name: 'parca' });
  await own.getByText(`https://${server.address}/debug/pprof/heap`, { exact: true }).waitFor();
  await eventually(() => assert.match(page.url(), /\/targets/));
  const [cookie] = await context.cookies();
  assert.deepEqual([cookie.httpOnly, cookie.secure, cookie.sameSite], [true, true, 'Strict']);
  await eventually(async () => assert.equal(await page.evaluate('document.cookie'), ''));
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Token').waitFor();
  assert.deepEqual(await context.cookies(), []);
  assert.deepEqual(violations, []);
  await context.close();
  await until(/HEALTH_GOOD/, () => ask('GET', '/api/targets', 'reader'));
});

test('a reader who may not write keeps views in the browser; a revoked token is replaced in place', async () => {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(`https://${server.address}/targets`);
  await page.getByLabel('Token').fill('reader');
  await page.getByLabel('Token').press('Enter');
  await page.getByRole('region', { name: 'parca' }).waitFor();
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByLabel('Name of this view').fill('Targets');
  await page.getByRole('button', { name: 'Save this view' }).click();
  await page.getByText('Saved in this browser: you may not write on this server.').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByText('in this browser', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Remove Targets' }).click();
  await page.getByText('No view is saved.').waitFor();
  await page.keyboard.press('Escape');

  // The server refuses files once a session has ended, so the page loads the form in advance.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('logged-out')),
  );
  writeWebConfig(['successor', 'read'], ['operator', 'admin'], ['uploader', 'debuginfo']);
  assert.match(await ask('POST', '/-/reload', 'operator'), /^200 /);
  await page.getByText('You are logged out.').waitFor();
  await page.getByRole('region', { name: 'parca' }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  const token = page.getByLabel('Token');
  await token.fill('reader');
  await token.press('Enter');
  await page.getByText('This token is unknown.').waitFor();
  await token.fill('successor');
  await token.press('Enter');
  await page.getByText('You are logged out.').waitFor({ state: 'detached' });
  await eventually(() => assert.match(page.url(), /\/targets$/));
  writeWebConfig(['reader', 'read'], ['operator', 'admin'], ['uploader', 'debuginfo']);
  assert.match(await ask('POST', '/-/reload', 'operator'), /^200 /);
  await context.close();
});

test('the client of parcatool takes a token and an authority', async () => {
  writeFileSync(path('token'), 'reader\n');
  const ask = (given: Partial<ClientOptions>): Promise<unknown> =>
    getJson(
      { url: new URL(`https://${server.address}`), timeoutMillis: 30_000, ...given },
      '/api/profiles/types',
      {},
    );
  const [bearerTokenFile, authorityFile] = [path('token'), path('ca.pem')];
  // This check comes first, because the authority is trusted from its first use on.
  await assert.rejects(
    ask({ bearerTokenFile }),
    /cannot reach .*: its certificate has no known authority: see --ca-file/,
  );
  const why = 'cannot let you in: the request has no credentials';
  await assert.rejects(ask({ authorityFile }), {
    message: `${why}: set --bearer-token-file to a file with a token, or --user and --password-file`,
  });
  assert.ok(Array.isArray(field(await ask({ bearerTokenFile, authorityFile }), 'types')));
  await assert.rejects(ask({ bearerTokenFile: path('none') }), /cannot read .*none/);
});

test('parcatool uploads debug information with a token and an authority', async () => {
  const id = '00112233445566778899aabbccddeeff00112233';
  const note = makeNote('GNU', 3, Buffer.from(id, 'hex'));
  const named = makeSymbols('.symtab', 2, [{ name: 'main', address: 0x1000, size: 0x80 }]);
  writeFileSync(
    path('program'),
    makeElf([{ name: '.note.gnu.build-id', type: 7, content: note }, ...named]),
  );
  for (const token of ['reader', 'uploader']) writeFileSync(path(token), `${token}\n`);
  const upload = (...flags: string[]): Promise<Run> => {
    const files = { PARCA_BEARER_TOKEN_FILE: path('uploader'), PARCA_CA_FILE: path('ca.pem') };
    const to = `--store-address=${server.address}`;
    return runParcatoolWith(files, 'debuginfo', 'upload', path('program'), to, ...flags);
  };
  const refused = await upload(`--bearer-token-file=${path('reader')}`);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /cannot call ShouldInitiateUpload of .*: .*scope/);
  const missing = await upload(`--bearer-token-file=${path('none')}`);
  assert.match(missing.err, /cannot read .*none: ENOENT/);
  const uploaded = await upload();
  assert.match(uploaded.out, new RegExp(`^uploaded .*program as debuginfo of ${id}, `));
});

test('renewed certificates and changed tokens count without a restart; broken files do not', async () => {
  const certificateName = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const [host, port] = server.address.split(':');
      const socket = connect({ host, port: Number(port), ca }, () => {
        resolve(String(socket.getPeerCertificate().subject.CN));
        socket.destroy();
      });
      socket.on('error', reject);
    });
  assert.equal(await certificateName(), 'first');
  use('second');
  assert.match(await ask('POST', '/-/reload', 'operator'), /^200 /);
  assert.equal(await certificateName(), 'second');
  copyFileSync(path('first.key'), path('used.key'));
  assert.match(
    await ask('POST', '/-/reload', 'operator'),
    /^500 .*web.yml:1:20: tls_server_config: the key is not that of the certificate/,
  );
  assert.equal(await certificateName(), 'second');
  use('first');
  writeWebConfig(['operator', 'admin,read']);
  assert.match(await ask('POST', '/-/reload', 'operator'), /^200 /);
  assert.deepEqual(
    [await certificateName(), (await ask('GET', '/metrics', 'reader')).slice(0, 3)],
    ['first', '401'],
  );
  assert.match(
    await ask('GET', '/metrics', 'operator'),
    /parca_web_config_last_reload_successful 1/,
  );
});
