// The archives, unpacked where nothing else is installed: no Node, no variable of the environment.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { scratchDirectory } from '../support/server.ts';
import { artefact, run, serverFlags, start, tryServer, waitForAgent } from './released.ts';

const scratch = await scratchDirectory();
after(() => scratch.remove());
const env = { HOME: scratch.path };

/** First bytes of an ELF file, and the number of a processor in it. */
const magic = Buffer.from('\u007fELF');
const arm64 = 183;

/** Unpacks an archive; returns its one folder. */
function unpack(pattern: RegExp): string {
  const folder = join(scratch.path, pattern.source.replaceAll(/\W/g, ''));
  mkdirSync(folder);
  run('tar', ['-xzf', artefact(pattern), '-C', folder]);
  const [only, ...others] = readdirSync(folder);
  assert.deepEqual(others, []);
  return join(folder, only);
}

/** Starts the server of an archive, in its folder. */
function startServer(folder: string, name: string): ReturnType<typeof start> {
  const flags = ['--config-path=parca.yaml', ...serverFlags(join(scratch.path, name))];
  return start(join(folder, 'bin/parca'), flags, { cwd: folder, env });
}

test('linux-amd64: the server starts, takes a profile and answers', async () => {
  const folder = unpack(/^parca-ts-[\d.]+-linux-amd64\.tar\.gz$/);
  const server = await startServer(folder, 'data');
  const bin = (args: readonly string[]): string =>
    run(join(folder, 'bin/parcatool'), args, { env });
  await tryServer(server, bin, scratch.path);
  // The symbolizer is in it, so nothing is said of its build.
  assert.doesNotMatch(server.log(), /reads DWARF itself/);
  assert.equal(await server.stop(), 0, server.log());
});

test('linux-arm64: every program and library is for arm64', () => {
  const folder = unpack(/^parca-ts-[\d.]+-linux-arm64\.tar\.gz$/);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
    .filter((bytes) => bytes.subarray(0, 4).equals(magic));
  // Node, the profiler of the server itself, LZ4.
  assert.equal(files.length, 3);
  for (const bytes of files) assert.equal(bytes.readUInt16LE(18), arm64);
});

test('agent, linux-amd64: it profiles this host, and its samples reach the server', async () => {
  assert.equal(process.geteuid?.(), 0, 'sampling takes root');
  const [name] = readdirSync(scratch.path).filter((one) => one.includes('linuxamd64'));
  const tree = readdirSync(join(scratch.path, name))[0];
  const server = await startServer(join(scratch.path, name, tree), 'agent-data');
  const folder = unpack(/^parca-ts-agent-[\d.]+-linux-amd64\.tar\.gz$/);
  const to = [`--remote-store-address=${server.address}`, '--remote-store-insecure'];
  const flags = ['--http-address=127.0.0.1:0', '--node=n1', '--profiling-duration=1s', ...to];
  const queue = `--queue-directory=${join(scratch.path, 'queue')}`;
  const agent = await start(join(folder, 'bin/parca-agent'), [...flags, queue], { env });
  await waitForAgent(server.url, agent.log);
  assert.equal(await agent.stop(), 0, agent.log());
  assert.equal(await server.stop(), 0, server.log());
});
