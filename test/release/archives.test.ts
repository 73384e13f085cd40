// Tests the archives, unpacked where nothing else is installed: without Node, and with an empty
// environment.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { scratchDirectory } from '../support/server.ts';
import { testTool } from '../support/tools.ts';
import { artefact, run, serverFlags, start, tryServer, waitForAgent } from './released.ts';

const scratch = await scratchDirectory();
after(() => scratch.remove());
const env = { HOME: scratch.path };

/** First bytes of an ELF file, and the numbers of processors in its header. */
const magic = Buffer.from('\u007fELF');
const arm64 = 183;

/** Returns the folder of an archive, which is unpacked at the first call. */
function unpack(product: string, platform: string): string {
  const at = join(scratch.path, `${product}-${platform}`);
  if (!existsSync(at)) {
    mkdirSync(at);
    const pattern = new RegExp(`^${product}-[\\d.]+-${platform}\\.tar\\.gz$`);
    run('tar', ['-xzf', artefact(pattern), '-C', at]);
  }
  const [only, ...others] = readdirSync(at);
  assert.deepEqual(others, []);
  return join(at, only);
}

/** Starts an archive's server in its folder. */
function startServer(folder: string, name: string): ReturnType<typeof start> {
  const flags = ['--config-path=parca.yaml', ...serverFlags(join(scratch.path, name))];
  return start(join(folder, 'bin/parca'), flags, { cwd: folder, env });
}

test('linux-amd64: the server starts, takes a profile and answers', async () => {
  const folder = unpack('parca-ts', 'linux-amd64');
  const server = await startServer(folder, 'data');
  const bin = (args: readonly string[]): string =>
    run(join(folder, 'bin/parcatool'), args, { env });
  await tryServer(server, bin, scratch.path);
  // The archive contains the symbolizer, so the server does not need to read DWARF itself.
  assert.doesNotMatch(server.log(), /reads DWARF itself/);
  assert.equal(await server.stop(), 0, server.log());
});

test('linux-arm64: every program and library is for arm64', () => {
  const folder = unpack('parca-ts', 'linux-arm64');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
    .filter((bytes) => bytes.subarray(0, 4).equals(magic));
  // The files are Node, the profiler that the server uses for itself, and LZ4.
  assert.equal(files.length, 3);
  for (const bytes of files) assert.equal(bytes.readUInt16LE(18), arm64);
});

test('linux-arm64: the server starts in an emulator, takes a profile and answers', async () => {
  const folder = unpack('parca-ts', 'linux-arm64');
  // Uses the libraries in the first layer of the image.
  const image = artefact(/^parca-ts-[\d.]+-linux-arm64\.oci\.tar$/);
  const [manifest] = JSON.parse(run('tar', ['-xOf', image, 'manifest.json']));
  const system = join(scratch.path, 'arm64');
  mkdirSync(system);
  run('tar', ['-xf', image, '-C', scratch.path, manifest.Layers[0]]);
  run('tar', ['-xzf', join(scratch.path, manifest.Layers[0]), '-C', system]);
  const program = ['-L', system, join(folder, 'runtime/node'), join(folder, 'cmd/parca/main.js')];
  const flags = [`--config-path=${join(folder, 'parca.yaml')}`, '--self-scrape=false'];
  // In the emulator, a program cannot replace itself with exec. With these settings, it does not
  // have to.
  const settings = { ...env, NODE_USE_SYSTEM_CA: '1', MALLOC_ARENA_MAX: '2' };
  const args = [...program, ...flags, ...serverFlags(join(scratch.path, 'arm64-data'))];
  const server = await start(testTool('TEST_QEMU_ARM64'), args, { env: settings });
  const amd64 = join(unpack('parca-ts', 'linux-amd64'), 'bin/parcatool');
  await tryServer(server, (words) => run(amd64, words, { env }), scratch.path);
  assert.equal(await server.stop(), 0, server.log());
});

test('agent, linux-amd64: it profiles this host, and its samples reach the server', async () => {
  assert.equal(process.geteuid?.(), 0, 'sampling takes root');
  const server = await startServer(unpack('parca-ts', 'linux-amd64'), 'agent-data');
  const folder = unpack('parca-ts-agent', 'linux-amd64');
  const to = [`--remote-store-address=${server.address}`, '--remote-store-insecure'];
  const flags = ['--http-address=127.0.0.1:0', '--node=n1', '--profiling-duration=1s', ...to];
  const queue = `--queue-directory=${join(scratch.path, 'queue')}`;
  const agent = await start(join(folder, 'bin/parca-agent'), [...flags, queue], { env });
  await waitForAgent(server.url, agent.log);
  assert.equal(await agent.stop(), 0, agent.log());
  assert.equal(await server.stop(), 0, server.log());
});
