// Tests the real program: its messages if it cannot start, how it stops, and its /metrics.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, unary, writeRawPath, writeRawRequest } from '../support/grpc-client.ts';
import { parseMetrics } from '../support/metrics-text.ts';
import { runParcatool } from '../support/parcatool.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';

const enter = new URL('../../tools/enter.cjs', import.meta.url).pathname;
const program = new URL('../../cmd/parca/main.ts', import.meta.url).pathname;

/** No test needs the network. */
const offline = '--debuginfod-upstream-servers=';

let scratch: { path: string; remove(): Promise<void> };
let server: TestServer;

before(async () => {
  scratch = await scratchDirectory();
  await mkdir(home());
  server = await startServer({ storagePath: join(home(), 'data') });
});

after(async () => {
  await server.stop();
  await scratch.remove();
});

/** Returns the folder for the config and the data of `server`. */
function home(): string {
  return join(scratch.path, 'home');
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the program until it ends. */
function run(...args: string[]): Promise<Ended> {
  return runCommand(process.execPath, program, ...args);
}

/** Runs the program without root's capability to ignore file permissions. */
function runPermitted(...args: string[]): Promise<Ended> {
  if (process.getuid?.() !== 0) return run(...args);
  return runCommand('setpriv', '--bounding-set=-dac_override', process.execPath, program, ...args);
}

async function runCommand(command: string, ...args: string[]): Promise<Ended> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
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

test('an address that this host does not have is one clear line', async () => {
  const { code, err } = await run(
    '--http-address=192.0.2.1:7070',
    `--storage-path=${join(scratch.path, 'other')}`,
    `--config-path=${await configFile('scrape_configs: []')}`,
  );
  assert.equal(code, 1);
  const why = 'this host does not have the address';
  assert.equal(err, `parca: cannot listen on 192.0.2.1:7070: ${why}\n`);
});

test('a storage folder in use is one clear line that names the holder', async () => {
  const { code, err } = await run(
    '--http-address=127.0.0.1:0',
    `--storage-path=${join(home(), 'data')}`,
    `--config-path=${await configFile('scrape_configs: []')}`,
  );
  assert.equal(code, 1);
  assert.match(err, new RegExp(`^parca: cannot .*${server.pid}.*\\n$`));
});

test('a storage folder that cannot be written to is one clear line', async () => {
  const path = join(scratch.path, 'foreign');
  await mkdir(join(path, 'wal'), { recursive: true });
  const config = await configFile('scrape_configs: []');
  const check = async (storagePath: string, want: string): Promise<void> => {
    const { code, err } = await runPermitted(
      '--http-address=127.0.0.1:0',
      `--storage-path=${storagePath}`,
      `--config-path=${config}`,
    );
    assert.deepEqual([code, err], [1, `parca: cannot ${want}\n`]);
  };
  const why = `permission denied for the user of this process (uid ${process.getuid?.()})`;
  await chmod(path, 0o550);
  await check(path, `write to ${path}: ${why}`);
  // A subfolder is not writable, as if another user had first started the server. Writes to it
  // would fail later.
  await chmod(path, 0o750);
  await chmod(join(path, 'wal'), 0o555);
  await check(path, `write to ${path}/wal: ${why}`);
});

test('foreign entries of the storage folder are left alone, each with one clear line', async () => {
  const storagePath = join(scratch.path, 'mixed');
  for (const name of [
    'blocks/x.block',
    'blocks/y.block.tmp',
    'blocks/z.deleted',
    'wal/00000001.wal',
  ]) {
    await mkdir(join(storagePath, name, 'mine'), { recursive: true, mode: 0o750 });
  }
  // Makes the folder unreadable for other users, because otherwise the log has a warning.
  await chmod(storagePath, 0o700);
  for (const name of ['blocks/README', 'wal/notes.txt', 'notes']) {
    await writeFile(join(storagePath, name), 'mine');
  }
  for (let start = 0; start < 2; start += 1) {
    const own = await startServer({ storagePath });
    const client = connect(own.address);
    const timeNanos = BigInt(Date.parse('2026-01-01T00:30:00Z')) * 1_000_000n;
    const profile = gzippedPprof(cpuProfile({ timeNanos, samples: [['main', 1n]] }));
    const labels = { __name__: 'process_cpu', start: String(start) };
    await unary(client, writeRawPath, writeRawRequest(labels, profile));
    client.close();
    assert.equal(await own.stop(), 0);
    // Warnings about long turns of the event loop are ignored, because a busy machine causes them.
    const warned = own.log().match(/level=(?:warn|error) (?!msg="the event loop).*/g) ?? [];
    const alone = 'level=warn msg="a directory among the blocks is ignored: it is not a block"';
    assert.deepEqual(warned, [
      ...['x.block', 'y.block.tmp', 'z.deleted'].map(
        (name) => `${alone} path=${storagePath}/blocks/${name}`,
      ),
      'level=warn msg="passed over a directory in the log" name=00000001.wal',
    ]);
  }
  const { code, out } = await runParcatool('data', 'verify', storagePath);
  assert.equal(code, 0, out);
  assert.match(out, /2 blocks/);
  // The log says what a limit will delete before the limit deletes it.
  const blocks = await readdir(join(storagePath, 'blocks'));
  const limited = await startServer({ storagePath, flags: ['--storage-retention-size=50B'] });
  assert.match(
    limited.log(),
    /level=warn msg="retention is going to remove blocks: [^"]+" inSeconds=60 blocks=2 ofBlocks=2 bytes=\d+ from=2026-01-01T00:30:00.000Z to=2026-01-01T00:30:00.000Z byTime=0 bySize=2/,
  );
  await limited.stop();
  assert.deepEqual(await readdir(join(storagePath, 'blocks')), blocks);
  assert.equal(await readFile(join(storagePath, 'blocks/README'), 'utf8'), 'mine');
});

test('it runs with its own settings of the allocator, in the process that was started', async () => {
  const environment = await readFile(`/proc/${server.pid}/environ`, 'utf8');
  const names = environment.split('\0').map((setting) => setting.split('=')[0]);
  assert.ok(names.includes('MALLOC_MMAP_THRESHOLD_'), environment);
});

test('a program whose parent is killed ends, where Node cannot replace the process', async () => {
  const storagePath = join(scratch.path, 'with-parent');
  // Node 20 has no process.execve.
  const old = 'data:text/javascript,process.execve=undefined';
  const config = await configFile('scrape_configs: []\n');
  const flags = [`--storage-path=${storagePath}`, `--config-path=${config}`];
  const parent = spawn(
    process.execPath,
    ['--import', old, enter, 'start', '--http-address=127.0.0.1:0', offline, ...flags],
    { cwd: join(enter, '../..'), stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  parent.stderr.on('data', (chunk: Buffer) => (log += String(chunk)));
  while (!log.includes('msg=ready')) {
    assert.equal(parent.exitCode, null, log);
    await delay(20);
  }
  const child = Number((await readFile(join(storagePath, 'LOCK.pid'), 'utf8')).split(' ')[0]);
  assert.notEqual(child, parent.pid);
  const isClosed = once(parent.stderr, 'close');
  parent.kill('SIGKILL');
  await isClosed;
  // The child has closed its log and released its lock.
  assert.match(log, /msg=stopping signal=SIGTERM[^]*msg=stopped/);
  await assert.rejects(readFile(join(storagePath, 'LOCK.pid')), { code: 'ENOENT' });
});

test('npm start takes paths from where npm was called, defaults from the checkout', async () => {
  const start = async (variables: Record<string, string>, ...args: string[]): Promise<string> => {
    const child = spawn(
      process.execPath,
      [enter, 'start', '--http-address=127.0.0.1:0', offline, ...args],
      {
        cwd: join(enter, '../..'),
        env: { ...process.env, npm_lifecycle_event: 'start', ...variables },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const err: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    await once(child, 'close');
    return Buffer.concat(err).toString();
  };
  const from = { INIT_CWD: home() };
  const none = new RegExp(
    `cannot read config file ${home()}/none\\.yaml: there is no such file\n$`,
  );
  assert.match(await start(from, '--config-path', 'none.yaml'), none);
  const web = new RegExp(
    `cannot read web config file ${home()}/web\\.yaml: there is no such file\n$`,
  );
  assert.match(await start(from, '--web-config-file', 'web.yaml'), web);
  // The other server's folder is used.
  assert.match(await start(from, '--storage-path=data'), new RegExp(`${home()}/data`));
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
  // There is no profile in memory yet, so there is no earliest time.
  const first = samples.find(({ name }) => name === 'parca_tsdb_head_min_time');
  assert.equal(first?.value, Number.NaN);
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

test('it scrapes itself where it listens, without a target in the config', async () => {
  const own = await startServer({
    storagePath: join(scratch.path, 'self'),
    selfScrape: true,
    flags: ['--path-prefix=/a/b', '--http-write-timeout=1s', '--external-label=region=eu'],
  });
  const answer = await (await fetch(`${own.url}/a/b/api/targets`)).text();
  const urls = Array.from(answer.matchAll(/"url":"([^"]+)"/g), ([, url]) => url);
  const at = `http://${own.address}/a/b/debug/pprof`;
  assert.deepEqual(urls, [`${at}/heap`, `${at}/profile?seconds=1`]);
  for (const url of urls) {
    const taken = await fetch(url);
    assert.equal(taken.status, 200, url);
    assert.ok((await taken.arrayBuffer()).byteLength > 100);
  }
  assert.equal(await own.stop(), 0);
});

test('a size without a unit is refused', async () => {
  const { code, err } = await run('--storage-retention-size=50');
  assert.equal(code, 1);
  assert.equal(
    err,
    'parca: --storage-retention-size: cannot read size "50": ' +
      'expected a number with a unit such as 512MB, 1.5GiB or 4096B, or 0\n',
  );
});

test('a reload says that a changed object_storage waits for the next start', async () => {
  const bucket = `{type: FILESYSTEM, config: {directory: ${join(scratch.path, 'bucket')}}}`;
  const reloaded = async (times: number): Promise<void> => {
    while (server.log().split('msg="config loaded"').length <= times) {
      await new Promise((resolve) => void setTimeout(resolve, 5));
    }
  };
  const warned = (): number => server.log().split('object_storage has changed').length - 1;
  process.kill(server.pid, 'SIGHUP');
  await reloaded(2);
  assert.equal(warned(), 0);
  // The change alone causes the reload, without a signal.
  const path = join(home(), `parca-${process.pid}.yaml`);
  await writeFile(path, `object_storage: {bucket: ${bucket}}\n`);
  await reloaded(3);
  assert.equal(warned(), 1);
});

test('SIGTERM ends the program well, after what is under way', async () => {
  const profile = fetch(`${server.url}/debug/pprof/profile?seconds=60`).then(
    ({ status }) => status,
    () => 0,
  );
  await fetch(`${server.url}/-/ready`);
  assert.equal(await server.stop(), 0);
  // A request for a profile that is still being taken fails, so that stopping does not wait for it.
  assert.equal(await profile, 503);
  assert.match(server.log(), /msg=stopped/);
});

async function configFile(text: string): Promise<string> {
  const path = join(scratch.path, 'parca.yaml');
  await writeFile(path, text);
  return path;
}
