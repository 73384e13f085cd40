// Tests the audit log of a real server: who did what, from where, with which result.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect, unary } from '../support/grpc-client.ts';
import { scratchDirectory, startServer } from '../support/server.ts';

const scratch = await scratchDirectory();
const path = join(scratch.path, 'audit.jsonl');
const webConfig = join(scratch.path, 'web.yml');
const token = (name: string, scopes: string): string =>
  `  - {name: ${name}, sha256: ${createHash('sha256').update(name).digest('hex')}, scopes: [${scopes}]}\n`;
await writeFile(
  webConfig,
  `basic_auth_users: {alice: $2b$04$E4Boc3Q7rZH9bWnHlSaR4OBrvIfkf5t/OPRZpyzt4zrhot9.L0THm}\nbearer_tokens:\n` +
    token('reader', 'read') +
    token('boss', 'read, admin') +
    token('binaries', 'read, debuginfo'),
);
const server = await startServer({
  storagePath: join(scratch.path, 'data'),
  flags: [`--web-config-file=${webConfig}`, `--audit-log=${path}`, '--enable-admin-api'],
});
after(async () => {
  await server.stop();
  await scratch.remove();
});

interface Line {
  readonly time: string;
  readonly action: string;
  readonly who: string;
  readonly from: string;
  readonly what: string;
  readonly result: string;
  readonly why?: string;
}

async function readLines(file: string): Promise<Line[]> {
  const text = await readFile(file, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

/** Waits until a file has `count` lines. */
async function untilLines(file: string, count: number): Promise<Line[]> {
  for (let i = 0; ; i += 1) {
    const lines = await readLines(file).catch(() => []);
    if (lines.length >= count || i > 500) return lines;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function ask(
  verb: string,
  at: string,
  name: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const authorization = name === '' ? {} : { authorization: `Bearer ${name}` };
  const answer = await fetch(`${server.url}${at}`, {
    method: verb,
    redirect: 'manual',
    headers: { ...authorization, ...headers },
  });
  await answer.arrayBuffer();
  return answer.status;
}

const select = 'query=process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta%7Bjob=%22a%22%7D';

test('actions, refusals and logins have a line each', async () => {
  const alice = `Basic ${btoa('alice:secret')}`;
  assert.equal(await ask('GET', '/-/healthy', '', { authorization: alice }), 200);
  assert.equal(await ask('GET', '/-/healthy', '', { authorization: alice }), 200);
  assert.equal(
    await ask('GET', '/-/healthy', '', { authorization: `Basic ${btoa('alice:x')}` }),
    401,
  );
  const form = await fetch(`${server.url}/login`, {
    method: 'POST',
    body: new URLSearchParams({ token: 'reader' }),
    redirect: 'manual',
  });
  assert.equal(form.status, 303);
  assert.equal(await ask('POST', `/api/v1/admin/delete?${select}&dry_run=true`, 'boss'), 200);
  assert.equal(await ask('POST', `/api/v1/admin/delete?${select}`, 'reader'), 403);
  assert.equal(await ask('POST', '/-/reload', 'boss'), 200);
  assert.equal(await ask('GET', '/api/v1/settings', 'boss'), 200);
  assert.equal(await ask('GET', '/api/v1/status/config', 'boss'), 200);
  assert.equal(await ask('GET', '/api/v1/status/config/diff', 'boss'), 200);
  assert.equal(await ask('GET', '/buildid/0123456789abcdef/debuginfo', 'binaries'), 404);
  assert.equal(await ask('GET', '/buildid/0123456789abcdef/debuginfo', 'reader'), 403);
  assert.equal(await ask('DELETE', '/api/v1/shares/0123', 'reader'), 403);
  assert.equal(await ask('GET', '/metrics', 'reader'), 200);
  const client = connect(server.address);
  const call = unary(client, '/parca.query.v1alpha1.QueryService/Labels', Buffer.alloc(0));
  await assert.rejects(call);
  client.close();
  const lines = await untilLines(path, 13);
  const short = lines.map(({ action, who, result, what }) => [action, who, result, what]);
  assert.deepEqual(
    short,
    [
      ['login', 'user alice', 'done', 'password'],
      ['refused', '', 'refused', 'GET /-/healthy'],
      ['login', 'token "reader"', 'done', 'the page'],
      ['delete', 'token "boss"', 'done', `POST /api/v1/admin/delete?${select}&dry_run=true`],
      ['refused', '', 'refused', `POST /api/v1/admin/delete?${select}`],
      ['reload', 'token "boss"', 'done', 'POST /-/reload'],
      ['settings', 'token "boss"', 'done', 'GET /api/v1/settings'],
      ['settings', 'token "boss"', 'done', 'GET /api/v1/status/config'],
      ['settings', 'token "boss"', 'done', 'GET /api/v1/status/config/diff'],
      ['download', 'token "binaries"', 'failed', 'GET /buildid/0123456789abcdef/debuginfo'],
      ['refused', '', 'refused', 'GET /buildid/0123456789abcdef/debuginfo'],
      ['refused', '', 'refused', 'DELETE /api/v1/shares/0123'],
      ['refused', '', 'refused', '/parca.query.v1alpha1.QueryService/Labels'],
    ].slice(0, short.length),
  );
  assert.equal(lines.length, 13);
  for (const { time, from } of lines) {
    assert.match(time, /^\d{4}-\d\d-\d\dT/);
    assert.equal(from, '127.0.0.1');
  }
  assert.equal(lines[1].why, 'cannot let you in: the user or the password is wrong');
  assert.match(server.log(), /msg="request refused" from=127\.0\.0\.1 what="GET \/-\/healthy"/);
});

test('a flood of refusals has few lines, and SIGHUP begins a new file', async () => {
  await rename(path, `${path}.1`);
  process.kill(server.pid, 'SIGHUP');
  const [first] = await untilLines(path, 1);
  assert.deepEqual([first.action, first.who], ['reload', 'SIGHUP']);
  for (let i = 0; i < 100; i += 1) await ask('GET', '/metrics', 'nobody');
  assert.equal(await ask('GET', '/api/v1/settings', 'boss'), 200);
  for (let i = 0; i < 500; i += 1) {
    if ((await readLines(path)).at(-1)?.action === 'settings') break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const lines = await readLines(path);
  const refusals = lines.filter(({ action }) => action === 'refused').length;
  assert.ok(refusals > 0 && refusals <= 20, String(refusals));
  assert.equal((await readLines(`${path}.1`)).length, 13);
});
