// Tests the images with a read-only root: the server runs in Debian's containerd as its own user,
// with the probes of Parca's chart; the agent runs in Debian's Docker with the host's processes.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { scratchDirectory } from '../support/server.ts';
import { testTool } from '../support/tools.ts';
import { artefact, run, start, tryServer, waitForAgent } from './released.ts';

const runtimes = testTool('TEST_CONTAINER_RUNTIMES');
// containerd's overlay file systems need a real disk.
const scratch = await scratchDirectory('/var/tmp');
const socket = join(scratch.path, 'containerd.sock');
const env = {
  ...process.env,
  PATH: `${runtimes}/usr/bin:${runtimes}/usr/sbin:${process.env['PATH']}`,
  LD_LIBRARY_PATH: `${runtimes}/usr/lib/x86_64-linux-gnu`,
};
const ctr = (...args: readonly string[]): string =>
  run(join(runtimes, 'usr/bin/ctr'), ['--address', socket, ...args], { env });
const dockerSocket = join(scratch.path, 'docker.sock');
const docker = (...args: readonly string[]): string =>
  run(join(runtimes, 'usr/bin/docker'), ['--host', `unix://${dockerSocket}`, ...args], { env });
const daemons: ChildProcess[] = [];
const serverImage = /^parca-ts-[\d.]+-linux-amd64\.oci\.tar$/;
const agentImage = /^parca-ts-agent-[\d.]+-linux-amd64\.oci\.tar$/;
const values = new URL('../../deploy/helm/parca/values.yaml', import.meta.url);
const server = `server-${process.pid}`;
const agent = `agent-${process.pid}`;

before(async () => {
  assert.equal(process.geteuid?.(), 0, 'containers take root');
  const config = [
    'version = 2',
    `root = "${scratch.path}/root"`,
    `state = "${scratch.path}/state"`,
    'disabled_plugins = ["io.containerd.grpc.v1.cri"]',
    '[grpc]',
    `  address = "${socket}"`,
  ];
  const file = join(scratch.path, 'containerd.toml');
  await writeFile(file, config.join('\n'));
  await startDaemon(socket, 'containerd', '--config', file);
  const folders = ['--data-root', `${scratch.path}/docker`, '--exec-root', `${scratch.path}/exec`];
  const network = ['--iptables=false', '--ip6tables=false', '--bridge=none'];
  const files = ['--host', `unix://${dockerSocket}`, '--pidfile', `${scratch.path}/docker.pid`];
  await startDaemon(dockerSocket, 'dockerd', ...folders, ...network, ...files);
});

async function startDaemon(path: string, program: string, ...args: string[]): Promise<void> {
  const daemon = spawn(program, args, { env, stdio: 'ignore' });
  daemons.push(daemon);
  const last = performance.now() + 60_000;
  while (!existsSync(path)) {
    assert.ok(performance.now() < last && daemon.exitCode === null, `${program} does not start`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

after(async () => {
  for (const name of ctr('tasks', 'list', '--quiet').split('\n').filter(Boolean)) {
    ctr('tasks', 'rm', '--force', name);
  }
  for (const daemon of daemons.toReversed()) {
    const ended = once(daemon, 'exit');
    daemon.kill();
    await ended;
  }
  // Docker leaves the host's network namespace mounted.
  const networks = join(scratch.path, 'exec/netns/default');
  if (existsSync(networks)) run('umount', [networks]);
  await scratch.remove();
});

/**
 * Returns the program that an image starts. Kubernetes adds a container's arguments to it; ctr does
 * not.
 */
function entryPoint(pattern: RegExp): string[] {
  const read = (path: string): string => run('tar', ['-xOf', artefact(pattern), path]);
  const blob = ({ digest }: { digest: string }): string => `blobs/${digest.replace(':', '/')}`;
  const [manifest] = JSON.parse(read('index.json')).manifests;
  const { config } = JSON.parse(read(blob(manifest)));
  return JSON.parse(read(blob(config))).config.Entrypoint;
}

/** Returns a port that was free at the time of the call. */
async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  listener.close();
  await once(listener, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Runs a container on the host's network until `stop`. */
function runContainer(
  image: string,
  name: string,
  options: readonly string[],
  args: readonly string[],
): ReturnType<typeof start> {
  const common = ['--address', socket, 'run', '--rm', '--net-host', '--read-only', ...options];
  return start(join(runtimes, 'usr/bin/ctr'), [...common, image, name, ...args], { env });
}

/** Sends SIGTERM to the program in a container, as Kubernetes does to stop it. */
async function stopContainer(
  name: string,
  started: Awaited<ReturnType<typeof start>>,
): Promise<void> {
  ctr('tasks', 'kill', '--signal', 'SIGTERM', name);
  const last = performance.now() + 60_000;
  while (ctr('tasks', 'list', '--quiet').split('\n').includes(name)) {
    assert.ok(performance.now() < last, started.log());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.match(started.log(), /msg=stopped/);
}

let count = 0;

/** Runs a program in a running container. */
function execute(name: string, ...args: readonly string[]): string {
  count += 1;
  return run(
    join(runtimes, 'usr/bin/ctr'),
    ['--address', socket, 'tasks', 'exec', '--exec-id', `exec-${count}`, name, ...args],
    { env },
  );
}

test("the server: with the first argument and the probe of Parca's chart, and its agent", async () => {
  ctr('images', 'import', artefact(serverImage));
  const [image] = ctr('images', 'list', '--quiet').split('\n');
  const data = join(scratch.path, 'data');
  await mkdir(data);
  run('chown', ['1000:1000', data]);
  const mount = `type=bind,src=${data},dst=/var/lib/parca,options=rbind:rw`;
  const port = await freePort();
  const flags = [`--http-address=127.0.0.1:${port}`, '--debuginfod-upstream-servers='];
  const args = [...entryPoint(serverImage), '/parca', ...flags];
  const started = await runContainer(image, server, ['--mount', mount], args);
  assert.equal(run('stat', ['-c', '%u', join(data, 'wal')]), '1000');
  // Uses a longer timeout than the chart's default of one second, because a machine that runs tests
  // is busy.
  const patient = ['-connect-timeout=60s', '-rpc-timeout=60s'];
  execute(server, '/grpc_health_probe', '-v', `-addr=127.0.0.1:${port}`, ...patient);
  assert.throws(() => execute(server, '/grpc_health_probe', '-addr=127.0.0.1:1'));
  // Manifests with a `command` use this path of the program.
  assert.match(execute(server, '/parca', '--version'), /^parca, version /);
  const parcatool = (args: readonly string[]): string =>
    execute(
      server,
      '/usr/bin/parcatool',
      ...args.map((arg) => arg.replace(data, '/var/lib/parca')),
    );
  await tryServer(started, parcatool, data);
  await tryAgent(started.address, started.url);
  await stopContainer(server, started);
});

async function tryAgent(address: string, url: string): Promise<void> {
  const loaded = docker('load', '--input', artefact(agentImage));
  const [, image] = /Loaded image: (\S+)/.exec(loaded) ?? [];
  assert.ok(image !== undefined, loaded);
  // Uses the chart's capabilities except the newer ones: Debian's Docker does not know these, and
  // SYS_ADMIN includes them.
  const unknown = new Set(['BPF', 'PERFMON', 'CHECKPOINT_RESTORE']);
  const { add } = parse(readFileSync(values, 'utf8')).agent.securityContext.capabilities;
  const known = add.filter((name: string) => !unknown.has(name));
  const rights = known.map((name: string) => `--cap-add=${name}`);
  const outside = ['--pid=host', '--network=host', '--security-opt=apparmor=unconfined'];
  const files = ['--read-only', '--tmpfs=/var/lib/parca-agent', '--name', agent];
  const host = ['--cap-drop=ALL', ...rights, ...outside, ...files];
  const flags = [`--http-address=127.0.0.1:${await freePort()}`, '--profiling-duration=1s'];
  const to = [`--remote-store-address=${address}`, '--remote-store-insecure'];
  docker('run', '--detach', ...host, image, '/bin/parca-agent', ...flags, ...to);
  const log = (): string =>
    run('sh', ['-c', `docker -H unix://${dockerSocket} logs ${agent} 2>&1`], { env });
  await waitForAgent(url, log);
  docker('stop', agent);
  assert.match(log(), /msg=stopped/);
  assert.equal(docker('inspect', '--format', '{{.State.ExitCode}}', agent), '0');
  docker('rm', agent);
}
