// Tests the commands in the documentation exactly as written.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { parseFlags } from '../../cmd/parca/flags.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { loadConfig } from '../../src/config/load/load.ts';
import { runParcatool } from '../support/parcatool.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';
import { testTool } from '../support/tools.ts';
import { discoveryKinds } from '../../src/discovery/registry.ts';

const root = new URL('../..', import.meta.url).pathname;
const run = promisify(execFile);

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let server: TestServer;

before(async () => {
  scratch = await scratchDirectory();
  server = await start();
});
after(async () => {
  await server.stop();
  await scratch.remove();
});

/** Starts a server with a bucket, so that it has the metrics of buckets. */
function start(): Promise<TestServer> {
  const bucket = { type: 'FILESYSTEM', config: { directory: join(scratch.path, 'bucket') } };
  return startServer({
    storagePath: join(scratch.path, 'data'),
    config: JSON.stringify({ object_storage: { bucket }, scrape_configs: [] }),
  });
}

/** Returns the code blocks of a page in one language, in order. */
async function readBlocks(page: string, language: string): Promise<string[]> {
  const text = await readFile(join(root, 'docs', page), 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  return blocks.filter(([, one]) => one === language).map(([, , code]) => code);
}

test('push.md: curl writes a profile, and another one reads it', async () => {
  const timeNanos = BigInt(Date.now()) * 1_000_000n;
  const profile = cpuProfile({ timeNanos, samples: [['main;work', 7n]] });
  await writeFile(join(scratch.path, 'cpu.pb.gz'), gzippedPprof(profile));
  const [file, ask, write] = await readBlocks('push.md', 'sh');
  assert.equal(JSON.parse(await sh(file)).format, 'pprof');
  assert.equal(await sh(ask), 'main;work 70000000\n');
  // The same profile is stored only once, although it arrives over another protocol.
  assert.equal(await sh(write), '{}');
  assert.equal(await sh(ask), 'main;work 70000000\n');
});

test('sources.md: tar packs sources, curl uploads them and source maps', async () => {
  await mkdir(join(scratch.path, 'src'));
  await writeFile(join(scratch.path, 'src/main.c'), 'int main;');
  const [upload] = await readBlocks('sources.md', 'sh');
  const { build_id: buildId, type } = JSON.parse(await sh(upload)) as Record<string, string>;
  assert.deepEqual([buildId, type], ['a1b2c3d4', 'sources']);
  const map = { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' };
  await writeFile(join(scratch.path, 'app.js.map'), JSON.stringify(map));
  const [, maps] = await readBlocks('sources.md', 'sh');
  assert.match(await sh(maps), /^\{.*"source-map".*\}\{.*"source-map".*\}$/);
});

/** Runs a documented command with the address of the test's server. */
async function sh(script: string): Promise<string> {
  const command = script
    .replaceAll('http://localhost:7070', server.url)
    .replaceAll(/\bcurl\b/g, testTool('TEST_CURL'));
  const { stdout } = await run('sh', ['-ec', command], { cwd: scratch.path });
  return stdout;
}

test('instrument.md: a Node program serves what the snippet says, whatever is asked', async () => {
  const [snippet] = await readBlocks('instrument.md', 'js');
  const port = await freePort();
  await symlink(join(root, 'node_modules'), join(scratch.path, 'node_modules'));
  await writeFile(join(scratch.path, 'profiling.mjs'), snippet.replaceAll('6060', String(port)));
  const work =
    'setInterval(() => { for (let i = 0, x = 0; i < 3e6; i++) x = (x * 31 + i) | 0; }, 10)';
  await writeFile(join(scratch.path, 'app.js'), work);
  const program = spawn(process.execPath, ['--import', './profiling.mjs', 'app.js'], {
    cwd: scratch.path,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const url = `http://127.0.0.1:${port}`;
    await answering(`${url}/`, program);
    for (const path of ['//', '/%', '/debug/pprof/none']) {
      assert.equal((await fetch(url + path)).status, 404, path);
    }
    for (const [path, type] of [
      ['/debug/pprof/profile?seconds=1', 'cpu'],
      ['/debug/pprof/heap', 'inuse_space'],
    ] as const) {
      const response = await fetch(url + path);
      const file = join(scratch.path, `${type}.pb.gz`);
      await writeFile(file, Buffer.from(await response.arrayBuffer()));
      const { out, err } = await runParcatool('top', file, `--query=${type}`, '-o=json');
      assert.equal(err, '');
      assert.ok(BigInt(JSON.parse(out).total) > 0n, path);
    }
  } finally {
    program.kill();
    await once(program, 'exit');
  }
});

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}

/** Waits until a program responds at the URL. */
async function answering(url: string, program: ChildProcess): Promise<void> {
  for (;;) {
    assert.equal(program.exitCode, null, 'the program runs');
    try {
      await fetch(url);
      return;
    } catch {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string };
}

test('deploy/alerts.yaml is about metrics that the server has', async () => {
  const { groups } = parse(await readFile(join(root, 'deploy/alerts.yaml'), 'utf8'));
  const rules: AlertRule[] = groups.flatMap(({ rules: some }: { rules: AlertRule[] }) => some);
  // After a restart, pushed profiles are in a block, so there are metrics of blocks, too.
  await server.stop();
  server = await start();
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const known = new Set(Array.from(metrics.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name));
  const named = rules.flatMap(({ expr }) => expr.match(/\bparca_\w+/g) ?? []);
  assert.ok(named.length >= 12, String(named.length));
  assert.deepEqual(
    named.filter((name) => !known.has(name)),
    [],
  );
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  for (const { alert, expr, annotations } of rules) {
    assert.ok(annotations.summary.includes('{{ $labels.instance }}'), alert);
    assert.match(expr, /parca_|up\{job="parca"\}/, alert);
  }
});

test('from-parca.md names metrics that the server has', async () => {
  const page = await readFile(join(root, 'docs/from-parca.md'), 'utf8');
  const rows = Array.from(page.matchAll(/^\| server: (.*?) \| (the same.*) \|$/gm));
  const named = rows.flatMap(([, names]) => names.match(/`\w+\*?`/g) ?? []);
  assert.ok(named.length >= 10, named.join(' '));
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const known = Array.from(metrics.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name);
  const isKnown = (name: string): boolean =>
    known.some((one) => new RegExp(`^${name.replace('*', '.*')}$`).test(one));
  const words = named.map((name) => name.slice(1, -1)).filter((name) => name.includes('_'));
  assert.deepEqual(
    words.filter((name) => !isKnown(name)),
    [],
  );
  const count = (name: string): string | undefined =>
    new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1];
  assert.equal(
    count('parca_tsdb_head_profiles_appended_total'),
    count('parca_ingest_profiles_total'),
  );
});

test('deploy/: configurations and command lines are such as the server takes', async () => {
  const config = join(root, 'deploy/compose-parca.yaml');
  const { scrapeConfigs } = await loadConfig(config, createFiles(), discoveryKinds);
  const compose = parse(await readFile(join(root, 'deploy/compose.yaml'), 'utf8'));
  assert.deepEqual(
    scrapeConfigs.map(({ jobName }) => jobName),
    Object.keys(compose.services).filter((name) => name.startsWith('example-')),
  );
  await loadConfig(
    join(root, 'deploy/compose-clickhouse-parca.yaml'),
    createFiles(),
    discoveryKinds,
  );
  const pair = await readFile(join(root, 'deploy/compose-clickhouse.yaml'), 'utf8');
  const { services } = parse(pair, { merge: true });
  const servers = [services['parca-1'], services['parca-2']].map(({ command, volumes }) => {
    assert.ok(volumes.includes('./compose-clickhouse-parca.yaml:/etc/parca/parca.yaml:ro'));
    return parseFlags(command);
  });
  assert.deepEqual(
    servers.map(({ clickHouse, scrapeShard }) => [clickHouse?.urls, scrapeShard]),
    [0, 1].map((index) => [['http://clickhouse:8123'], { index, count: 2 }]),
  );
  const unit = await readFile(join(root, 'deploy/parca.service'), 'utf8');
  const image = await readFile(join(root, 'deploy/Dockerfile'), 'utf8');
  const lines = [
    /^ExecStart=\S+ \/opt\/parca\/(\S+) (.*)$/m.exec(unit)?.slice(1) ?? [],
    (
      /^ENTRYPOINT (.*)$/m
        .exec(image)
        ?.slice(1)
        .flatMap((list) => JSON.parse(list)) ?? []
    ).slice(1),
  ];
  for (const [program, ...rest] of lines) {
    const flags = rest.flatMap((text: string) => text.split(' '));
    assert.ok(flags.length >= 2, program);
    const args = [join(root, program.replace('/opt/parca/', '')), ...flags, '--version'];
    const { stdout } = await run(process.execPath, args);
    assert.match(stdout, /^parca, version /);
  }
});

test('the backup of an upgrade works as it is written', async () => {
  const text = await readFile(join(root, 'docs/deploy.md'), 'utf8');
  const written = /npm run -s parcatool -- (data backup) (\S+) --target ([^\s`]+)/.exec(text);
  assert.deepEqual(written?.slice(2), ['/var/lib/parca/data', '/var/backups/parca']);
  const unit = await readFile(join(root, 'deploy/parca.service'), 'utf8');
  assert.ok(unit.includes(`--storage-path=${written?.[2]}`));
  const own = await scratchDirectory();
  const storagePath = join(own.path, 'data');
  const stopped = await startServer({ storagePath });
  await stopped.stop();
  const target = join(own.path, 'backup');
  const { code, err } = await runParcatool('data', 'backup', storagePath, '--target', target);
  assert.equal(code, 0, err);
  await own.remove();
});
