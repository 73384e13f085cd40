// Tests of the web config file: valid files, and invalid files with their error messages.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { createFiles } from '../../base/node/files.ts';
import { ConfigError } from '../schema/document.ts';
import { loadWebConfig, parseWebConfig } from './load-web.ts';
import type { WebConfig } from './web-config.ts';

const testdata = new URL('testdata/', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'parca-web-'));
after(() => rmSync(folder, { recursive: true }));

for (const name of ['server', 'ca']) {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const output = ['-keyout', `${name}.key`, '-out', `${name}.pem`, '-subj', `/CN=${name}`];
  const openssl = process.env['TEST_OPENSSL'] ?? 'openssl';
  execFileSync(openssl, ['req', '-x509', ...key, ...output], { cwd: folder, stdio: 'pipe' });
}

const pem = (name: string): string => readFileSync(join(folder, name), 'utf8').trim();

function parse(text: string): Promise<WebConfig> {
  return parseWebConfig(text, join(folder, 'web.yml'), createFiles());
}

async function mistakes(text: string): Promise<string> {
  try {
    await parse(text);
    return '';
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.message.replaceAll(`${folder}/`, '');
  }
}

test('every bad file is refused with its text', async () => {
  const names = readdirSync(testdata).filter((name) => name.endsWith('.bad.yml'));
  assert.ok(names.length >= 8);
  for (const name of names) {
    const text = readFileSync(new URL(name, testdata), 'utf8');
    const wanted = readFileSync(new URL(name.replace('.yml', '.txt'), testdata), 'utf8');
    assert.equal(`${(await mistakes(text)).replaceAll('web.yml', name)}\n`, wanted);
  }
});

test('a file with everything', async () => {
  const { tls, ...rest } = await parse(readFileSync(new URL('full.good.yml', testdata), 'utf8'));
  assert.deepEqual(tls, {
    certificate: pem('server.pem'),
    key: pem('server.key'),
    clientAuthorities: pem('ca.pem'),
    clientAuth: 'RequireAndVerifyClientCert',
    clientNames: ['agent.example.org', 'spiffe://example.org/agent'],
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.3',
    ciphers: ['ECDHE-ECDSA-AES128-GCM-SHA256', 'TLS_AES_128_GCM_SHA256'],
    curves: ['X25519', 'P-256'],
    prefersOwnCiphers: true,
  });
  assert.deepEqual(rest, {
    http2: true,
    headers: new Map([['strict-transport-security', 'max-age=31536000']]),
    users: new Map([['alice', '$2y$10$mDwo.lAisC94iLAyP81MCesa29IzH37oigHC/42V2pdJlUprsJPze']]),
    tokens: [
      {
        name: 'agents',
        sha256: '2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b',
        scopes: ['write', 'debuginfo'],
      },
    ],
    callerLimits: [
      { caller: '*', pushBytesPerSecond: 10 * 1024 * 1024, queriesAtOnce: 4, activeSeries: 20_000 },
      {
        caller: 'token "agents"',
        pushBytesPerSecond: 100 * 1024 * 1024,
        queriesAtOnce: 0,
        activeSeries: 0,
      },
    ],
  });
});

test('an empty file, and keys without a value, are a server that is open to all', async () => {
  const open = { tls: undefined, http2: true, headers: new Map(), users: new Map(), tokens: [] };
  const openToAll = { ...open, callerLimits: [] };
  assert.deepEqual(await parse(''), openToAll);
  assert.deepEqual(await parse('tls_server_config:\nbasic_auth_users:\n'), openToAll);
});

test('files that a web config names are looked at', async () => {
  const tls = (keys: string): Promise<string> => mistakes(`tls_server_config: {${keys}}`);
  const where = 'web.yml:1:20: tls_server_config:';
  assert.equal(
    await tls('cert_file: server.pem, key_file: ca.key'),
    `${where} the key is not that of the certificate`,
  );
  assert.match(
    await tls('cert_file: server.key, key_file: server.key'),
    /^web.yml:1:32: tls_server_config.cert_file: server.key has no certificate in PEM form$/,
  );
  assert.match(
    await tls('cert_file: server.pem, key_file: none.key'),
    /^web.yml:1:54: tls_server_config.key_file: cannot read none.key: /,
  );
  writeFileSync(join(folder, 'web.yml'), 'tls_server_config: {cert_file: server.pem}');
  await assert.rejects(
    loadWebConfig(join(folder, 'web.yml'), createFiles()),
    /expected key_file or key/,
  );
  await assert.rejects(
    loadWebConfig(join(folder, 'absent.yml'), createFiles()),
    (error) =>
      error instanceof AppError &&
      error.message === `cannot read web config file ${folder}/absent.yml: there is no such file`,
  );
});

test('hostile names, sizes and nesting are refused or harmless', async () => {
  const hash = '$2y$10$mDwo.lAisC94iLAyP81MCesa29IzH37oigHC/42V2pdJlUprsJPze';
  const { users } = await parse(`basic_auth_users: {__proto__: ${hash}, constructor: ${hash}}`);
  assert.deepEqual([...users.keys()], ['__proto__', 'constructor']);
  const many = Array.from({ length: 1_001 }, (_, i) => `  u${i}: ${hash}`).join('\n');
  assert.match(await mistakes(`basic_auth_users:\n${many}`), /expected at most 1000 users/);
  const token = (i: number): string =>
    `- {name: t${i}, sha256: ${i.toString(16).padStart(64, '0')}, scopes: [read]}`;
  const tokens = Array.from({ length: 101 }, (_, i) => token(i)).join('\n');
  assert.match(await mistakes(`bearer_tokens:\n${tokens}`), /expected at most 100 tokens/);
  assert.match(await mistakes('basic_auth_users: &a {x: *a}'), /expected a text, got a map/);
  assert.notEqual(await mistakes(`a: ${'['.repeat(5_000)}`), '');
});
