// Tests names from files of a real debuginfod server (elfutils).
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Long from 'long';
import { parca } from '../../proto/gen/query.js';
import { makeElf, makeNote, makeSymbols } from '../../src/symbolize/testing/make-elf.ts';
import { shouldUpload } from '../support/debuginfo-client.ts';
import { connect, unary } from '../support/grpc-client.ts';
import { scratchDirectory, startServer } from '../support/server.ts';
import { testTool } from '../support/tools.ts';
import { askStacks, queryParameters, pushUnnamed } from '../support/profiles/unnamed-profiles.ts';

const buildId = '0123456789abcdef0123456789abcdef01234567';
const unknown = 'fedcba9876543210fedcba9876543210fedcba98';
const scratch = await scratchDirectory();
after(() => scratch.remove());

/**
 * Starts debuginfod on a folder; resolves with its URL when it serves the file with the build id.
 */
async function startDebuginfod(folder: string, known: string): Promise<string> {
  const port = await freePort();
  const index = join(scratch.path, `${known}.sqlite`);
  const child = spawn(
    testTool('TEST_DEBUGINFOD'),
    ['-F', '-p', String(port), '-d', index, '-t', '1', folder],
    // This debuginfod must not query other servers.
    { stdio: 'ignore', env: { ...process.env, DEBUGINFOD_URLS: '' } },
  );
  after(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 300; tries += 1) {
    const answer = await fetch(`${url}/buildid/${known}/debuginfo`).catch(() => undefined);
    if (answer?.ok === true) return url;
    await delay(100);
  }
  throw new Error('debuginfod does not serve the file');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('what nobody uploaded comes from debuginfod, and stays when that is gone', async () => {
  const folder = join(scratch.path, 'files');
  await mkdir(folder);
  const content = makeElf([
    {
      name: '.note.gnu.build-id',
      type: 7,
      content: makeNote('GNU', 3, Uint8Array.from(Buffer.from(buildId, 'hex'))),
    },
    { name: '.debug_info', type: 1, content: new Uint8Array(40) },
    ...makeSymbols('.symtab', 3, [
      { name: 'main', address: 0x1000, size: 0x80 },
      { name: 'work', address: 0x2000, size: 0x80 },
    ]),
  ]);
  await writeFile(join(folder, 'app.debug'), content);
  const url = await startDebuginfod(folder, buildId);
  const storagePath = join(scratch.path, 'data');
  const flags = [`--debuginfod-upstream-servers=${url}`];
  const server = await startServer({ storagePath, flags });
  after(() => server.kill());
  const client = connect(server.address);
  const addresses = [0x2010, 0x1010];
  await pushUnnamed(client, 'known', { path: '/usr/bin/app', buildId, addresses });
  await pushUnnamed(client, 'unknown', { path: '/usr/bin/other', buildId: unknown, addresses });
  // Agents need not upload what the server can fetch.
  assert.equal(await shouldUpload(client, { buildId, hash: '' }), false);
  assert.equal(await shouldUpload(client, { buildId: unknown, hash: '' }), true);
  client.close();

  assert.equal((await askStacks(server.url, 'known')).text, 'main;work 7');
  const { text, warnings } = await askStacks(server.url, 'unknown');
  assert.equal(text, '0x1010 (other);0x2010 (other) 7');
  assert.deepEqual(warnings, [
    'names of 2 addresses in other are missing ' +
      `(no debug information was uploaded, and ${url} does not have it)`,
  ]);
  await server.stop();

  const again = await startServer({ storagePath });
  after(() => again.stop());
  assert.equal((await askStacks(again.url, 'known')).text, 'main;work 7', 'at once');
});

test('the lines of a real program have their text from debuginfod', async () => {
  const folder = join(scratch.path, 'program');
  await mkdir(folder);
  const text = 'int spin(int n) { return n * 3; }\nint main(int n) { return spin(n); }\n';
  const source = join(folder, 'work.c');
  await writeFile(source, text);
  const id = '9a'.repeat(20);
  const program = join(folder, 'work');
  execFileSync('cc', ['-g', `-Wl,--build-id=0x${id}`, '-o', program, source]);
  const url = await startDebuginfod(folder, id);
  const flags = [`--debuginfod-upstream-servers=${url}`];
  const server = await startServer({ storagePath: join(scratch.path, 'sources'), flags });
  after(() => server.stop());
  const client = connect(server.address);
  after(() => client.close());
  const addresses = [0x1000];
  await pushUnnamed(client, 'app', { path: '/app/work', buildId: id, addresses });

  const { Mode, ReportType } = parca.query.v1alpha1.QueryRequest;
  const parameters = queryParameters('app');
  const time = (name: string): { seconds: Long; nanos: number } => {
    const millis = Date.parse(parameters.get(name) ?? '');
    return { seconds: Long.fromNumber(millis / 1000), nanos: 0 };
  };
  const merge = { query: parameters.get('query') ?? '', start: time('start'), end: time('end') };
  const request = parca.query.v1alpha1.QueryRequest.encode({
    mode: Mode.MODE_MERGE,
    merge,
    reportType: ReportType.REPORT_TYPE_SOURCE,
    sourceReference: { buildId: id, filename: source, sourceOnly: true },
  }).finish();
  const answer = await unary(client, '/parca.query.v1alpha1.QueryService/Query', request);
  assert.equal(parca.query.v1alpha1.QueryResponse.decode(answer).source?.source, text);
});

test('debuginfod-find and gdb get files, sections and sources from this server', async () => {
  const folder = join(scratch.path, 'served');
  await mkdir(folder);
  const text = 'int spin(int n) { return n * 3; }\nint main(int n) { return spin(n); }\n';
  const source = join(folder, 'work.c');
  await writeFile(source, text);
  const id = '5c'.repeat(20);
  const [program, debug, archive] = ['work', 'work.debug', 'sources.tar'].map((name) =>
    join(folder, name),
  );
  execFileSync('cc', ['-g', '-O0', `-Wl,--build-id=0x${id}`, '-o', program, source]);
  execFileSync('objcopy', ['--only-keep-debug', program, debug]);
  execFileSync('strip', [program]);
  execFileSync('tar', ['-cPf', archive, source]);
  const server = await startServer({ storagePath: join(scratch.path, 'served-data') });
  after(() => server.stop());
  for (const [type, path] of [
    ['debuginfo', debug],
    ['executable', program],
    ['sources', archive],
  ]) {
    const url = `${server.url}/api/v1/debuginfo?build_id=${id}&type=${type}`;
    const answer = await fetch(url, { method: 'POST', body: await readFile(path) });
    assert.equal(answer.status, 200, await answer.text());
  }
  await rm(source);
  const env = {
    ...process.env,
    DEBUGINFOD_URLS: server.url,
    DEBUGINFOD_CACHE_PATH: join(scratch.path, 'cache'),
  };
  const find = (...args: string[]): Buffer => {
    const client = join(dirname(testTool('TEST_DEBUGINFOD')), 'debuginfod-find');
    const path = execFileSync(client, args, { env, encoding: 'utf8' }).trim();
    return readFileSync(path);
  };
  assert.ok(find('debuginfo', id).equals(await readFile(debug)));
  assert.ok(find('executable', id).equals(await readFile(program)));
  assert.equal(find('source', id, source).toString(), text);
  assert.throws(() => find('debuginfo', '5d'.repeat(20)), /No such file/);

  const enabled = ['-iex', 'set debuginfod enabled on'];
  const commands = ['info line spin', 'list spin'];
  const gdb = execFileSync(
    testTool('TEST_GDB'),
    ['-nx', '-batch', ...enabled, ...commands.flatMap((command) => ['-ex', command]), program],
    { env: { ...env, HOME: folder }, encoding: 'utf8' },
  );
  assert.match(gdb, /Line 1 of .*work\.c/);
  assert.match(gdb, /1\s+int spin\(int n\) \{ return n \* 3; \}/);
});
