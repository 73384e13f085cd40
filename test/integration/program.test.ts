// The real program: what it says when it cannot start, how it stops, what /metrics looks like.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect, unary, writeRawPath, writeRawRequest } from '../support/grpc-client.ts';
import { parseMetrics } from '../support/metrics-text.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';

const enter = new URL('../../tools/enter.cjs', import.meta.url).pathname;
const program = new URL('../../cmd/parca/main.ts', import.meta.url).pathname;

let scratch: { path: string; remove(): Promise<void> };
let server: TestServer;

before(async () => {
  scratch = await scratchDirectory();
  server = await startServer({ storagePath: join(scratch.path, 'data') });
});

after(async () => {
  await server.stop();
  await scratch.remove();
});

/** Runs the program to its end. */
async function run(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  await once(child, 'close');
  return { code: child.exitCode, out, err };
}

test('an address in use is one clear line', async () => {
  const { code, err } = await run(
    `--http-address=${server.address}`,
    `--storage-path=${join(scratch.path, 'other')}`,
    `--config-path=${await configFile('scrape_configs: []')}`,
  );
  assert.equal(code, 1);
  assert.equal(err, `parca: cannot listen on ${server.address}: the address is already in use\n`);
});

test('a storage folder in use is one clear line that names the holder', async () => {
  const { code, err } = await run(
    '--http-address=127.0.0.1:0',
    `--storage-path=${join(scratch.path, 'data')}`,
    `--config-path=${await configFile('scrape_configs: []')}`,
  );
  assert.equal(code, 1);
  assert.match(err, new RegExp(`^parca: cannot .*${server.pid}.*\\n$`));
});

test('it runs with its own settings of the allocator, in the process that was started', async () => {
  const environment = await readFile(`/proc/${server.pid}/environ`, 'utf8');
  const names = environment.split('\0').map((setting) => setting.split('=')[0]);
  assert.ok(names.includes('MALLOC_MMAP_THRESHOLD_'), environment);
});

test('npm start takes paths from where npm was called, defaults from the checkout', async () => {
  const start = async (variables: Record<string, string>, ...args: string[]): Promise<string> => {
    const child = spawn(process.execPath, [enter, 'start', '--http-address=127.0.0.1:0', ...args], {
      cwd: join(enter, '../..'),
      env: { ...process.env, npm_lifecycle_event: 'start', ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const err: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    await once(child, 'close');
    return Buffer.concat(err).toString();
  };
  const from = { INIT_CWD: scratch.path };
  const none = new RegExp(`cannot read .*${scratch.path}/none\\.yaml`);
  assert.match(await start(from, '--config-path', 'none.yaml'), none);
  assert.match(await start(from, '--config-path=none.yaml'), none);
  // The folder of the other server.
  assert.match(await start(from, '--storage-path', 'data'), new RegExp(`${scratch.path}/data`));
});

test('every problem of a config is printed, with its place', async () => {
  const path = await configFile('scrape_configs:\n  - job_nam: x\n    scrape_interval: soon\n');
  const { code, err } = await run('--http-address=127.0.0.1:0', `--config-path=${path}`);
  assert.equal(code, 1);
  assert.match(err, /:2:5: .*job_nam/);
  assert.match(err, /:3:22: .*scrape_interval/);
});

test('help, version, wrong flags', async () => {
  const help = await run('--help');
  assert.equal(help.code, 0);
  assert.match(help.out, /--http-address=HOST:PORT/);
  assert.match((await run('--version')).out, /^parca, version \d+\.\d+\.\d+ \(commit: \w+\)\n$/);
  const wrong = await run('--storage-pth=x');
  assert.equal(wrong.code, 1);
  assert.equal(wrong.err, 'parca: unknown flag --storage-pth: did you mean --storage-path?\n');
});

test('/metrics is Prometheus text, and counts what happened', async () => {
  const client = connect(server.address);
  await assert.rejects(unary(client, writeRawPath, writeRawRequest({ a: 'b' }, Buffer.from('x'))));
  client.close();
  const response = await fetch(`${server.url}/metrics`);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const samples = parseMetrics(await response.text());
  const rejected = samples.filter(
    ({ name, labels }) =>
      name === 'grpc_server_handled_total' &&
      labels.get('grpc_method') === 'WriteRaw' &&
      labels.get('grpc_code') === 'InvalidArgument',
  );
  assert.deepEqual(
    rejected.map(({ value }) => value),
    [1],
  );
  for (const name of ['parca_build_info', 'process_cpu_seconds_total', 'parca_api_connections']) {
    assert.ok(
      samples.some((sample) => sample.name === name),
      name,
    );
  }
});

test('SIGTERM ends the program well, after what is under way', async () => {
  const own = await startServer({ storagePath: join(scratch.path, 'stopped') });
  const profile = fetch(`${own.url}/debug/pprof/profile?seconds=60`).then(
    ({ status }) => status,
    () => 0,
  );
  await fetch(`${own.url}/-/ready`);
  assert.equal(await own.stop(), 0);
  // A profile that was being taken is told, not waited for.
  assert.equal(await profile, 503);
  assert.match(own.log(), /msg=stopped/);
});

async function configFile(text: string): Promise<string> {
  const path = join(scratch.path, 'parca.yaml');
  await writeFile(path, text);
  return path;
}
