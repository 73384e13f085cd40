// Tests labels of real containers in Debian's dockerd, containerd (also through CRI) and Podman;
// needs root. Each container runs busybox, and the labels are those of its process.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createContainerdSource, openSocket } from '../../agent/containers/containerd-source.ts';
import { Containers } from '../../agent/containers/containers.ts';
import { createCriSource } from '../../agent/containers/cri-source.ts';
import { createEngineSource } from '../../agent/containers/engine-source.ts';
import type { ContainerSource } from '../../agent/containers/found-container.ts';
import { createStorageSource } from '../../agent/containers/storage-source.ts';
import { MessageFields } from '../../agent/containers/message-fields.ts';
import { ExecutableTable } from '../../agent/process/executable.ts';
import { KubeletLogs } from '../../agent/process/kubelet.ts';
import { ProcFolder } from '../../agent/process/proc-folder.ts';
import { ProcessLabels } from '../../agent/process/process-labels.ts';
import { encodeFake, type FakeMessage } from '../../agent/testing/fake-runtimes.ts';
import { testProcess } from '../../agent/testing/samples.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { scratchDirectory } from '../support/server.ts';
import { testTool } from '../support/tools.ts';

const runtimes = testTool('TEST_CONTAINER_RUNTIMES');
const scratch = await scratchDirectory();
const at = (...names: string[]): string => join(scratch.path, ...names);
const environment = {
  ...process.env,
  PATH: `${runtimes}/usr/bin:${runtimes}/usr/sbin:${process.env['PATH']}`,
  LD_LIBRARY_PATH: `${runtimes}/usr/lib/${process.arch === 'x64' ? 'x86_64' : 'aarch64'}-linux-gnu`,
  HOME: at('home'),
  CONTAINERS_CONF: at('containers.conf'),
};
const daemons: ChildProcess[] = [];

function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { env: environment, encoding: 'utf8' }).trim();
}

/** Starts a daemon, and waits for its socket. */
async function start(socket: string, program: string, ...args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  daemons.push(child);
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => (log += part.toString()));
  }
  const last = performance.now() + 60_000;
  while (!existsSync(socket)) {
    assert.ok(performance.now() < last && child.exitCode === null, `${program}: ${log}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

before(async () => {
  assert.equal(process.geteuid?.(), 0, 'containers take root');
  await mkdir(at('rootfs/bin'), { recursive: true });
  await mkdir(at('home/.config/containers'), { recursive: true });
  await cp(join(runtimes, 'bin/busybox'), at('rootfs/bin/busybox'));
  await symlink('busybox', at('rootfs/bin/sleep'));
  run('tar', '-C', at('rootfs'), '-cf', at('rootfs.tar'), '.');
});

after(async () => {
  for (const child of daemons.toReversed()) {
    if (child.exitCode !== null) continue;
    child.kill();
    await once(child, 'exit');
  }
  await scratch.remove();
});

/** Returns the labels of process `pid` that start with `prefix`, as the agent reads them. */
async function findLabels(
  pid: number,
  prefix: string,
  ...sources: readonly ContainerSource[]
): Promise<Record<string, string>> {
  const clock = createClock();
  const containers = new Containers({ sources, clock, logger: silentLogger });
  const labels = new ProcessLabels({
    proc: new ProcFolder(),
    executables: new ExecutableTable(),
    kubelet: new KubeletLogs(clock, '/nowhere'),
    containers,
    host: { node: 'n1', kernelRelease: '6.1', machine: 'x86_64', agentRevision: 'abc' },
    environmentNames: [],
  });
  const process = testProcess({ pid, cgroup: readFileSync(`/proc/${pid}/cgroup`, 'utf8') });
  containers.start();
  await labels.load([process]);
  // The agent finds containers that have names instead of ids by watching.
  const last = performance.now() + 10_000;
  const read = (): string[][] =>
    [...labels.read(process, undefined)].filter(([name]) => name.startsWith(prefix));
  while (read().length < 2 && performance.now() < last) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const found = Object.fromEntries(
    read().map(([name, value]) => [name.slice(prefix.length), value]),
  );
  await containers.stop();
  return found;
}

test('dockerd: name, image and labels of a container', async () => {
  const socket = at('docker.sock');
  const folders = ['--data-root', at('docker'), '--exec-root', at('docker-exec')];
  const network = ['--iptables=false', '--ip6tables=false', '--bridge=none'];
  const files = ['--host', `unix://${socket}`, '--pidfile', at('docker.pid')];
  await start(socket, 'dockerd', ...folders, ...network, ...files);
  const docker = (...args: string[]): string => run('docker', '-H', `unix://${socket}`, ...args);
  docker('import', at('rootfs.tar'), 'shop/web:1');
  const label = ['--label', 'com.docker.compose.service=web', '--label', 'team=shop'];
  const named = ['--name', 'shop-web-1', '--network', 'none'];
  const id = docker('run', '-d', ...named, ...label, 'shop/web:1', '/bin/sleep', '600');
  const pid = Number(docker('inspect', '-f', '{{.State.Pid}}', id));
  const found = await findLabels(pid, '__meta_docker_', createEngineSource(socket, 'docker'));
  docker('rm', '-f', id);
  assert.deepEqual(found, {
    container_id: id,
    container_name: 'shop-web-1',
    container_image: 'shop/web:1',
    container_label_com_docker_compose_service: 'web',
    container_labelpresent_com_docker_compose_service: 'true',
    container_label_team: 'shop',
    container_labelpresent_team: 'true',
  });
});

test('containerd: a container of ctr by its name, and a pod by CRI', async () => {
  const socket = at('containerd.sock');
  await writeFile(
    at('containerd.toml'),
    [
      'version = 2',
      `root = "${at('containerd')}"`,
      `state = "${at('containerd-state')}"`,
      '[grpc]',
      `  address = "${socket}"`,
      '[plugins."io.containerd.grpc.v1.cri"]',
      '  sandbox_image = "localhost/pause:1"',
      '  restrict_oom_score_adj = true',
    ].join('\n'),
  );
  await start(socket, 'containerd', '-c', at('containerd.toml'));
  const ctr = (...args: string[]): string => run('ctr', '-a', socket, ...args);
  const label = ['--label', 'team/name=shop'];
  // Every containerd on the host uses the same runtime folder, so the name must be unique.
  const name = `web-${process.pid}`;
  ctr('run', '-d', '--rootfs', ...label, at('rootfs'), name, '/bin/sleep', '600');
  const readPid = (line: string): number => Number(/\s(\d+)\s+RUNNING/.exec(line)?.[1]);
  const pid = readPid(ctr('task', 'ls'));
  const source = createContainerdSource(socket);
  const found = await findLabels(pid, '__meta_containerd_', source, createCriSource(socket, 'n1'));
  ctr('task', 'rm', '-f', name);
  assert.deepEqual(found, {
    container_id: name,
    container_name: name,
    namespace: 'default',
    pod_name: 'default',
    container_label_team_name: 'shop',
    container_labelpresent_team_name: 'true',
  });

  await makeImage(at('pause.tar'), 'localhost/pause:1');
  ctr('-n', 'k8s.io', 'images', 'import', at('pause.tar'));
  const server = openSocket(socket);
  const call = async (method: string, message: FakeMessage): Promise<string> => {
    const path = `/runtime.v1.RuntimeService/${method}`;
    return new MessageFields(await server.call(path, encodeFake(message), 60_000)).string(1);
  };
  // Fields of PodSandboxConfig and ContainerConfig; the pod uses the host's network.
  const sandbox: FakeMessage = [
    [
      1,
      [
        [1, 'web-1'],
        [2, 'u1'],
        [3, 'shop'],
      ],
    ],
    [6, { app: 'web', 'io.kubernetes.pod.name': 'web-1' }],
    [7, { 'team/name': 'a' }],
    [
      8,
      [
        [1, '/kubepods/burstable/podu1'],
        [2, [[1, [[1, 2n]]]]],
      ],
    ],
  ];
  const sandboxId = await call('RunPodSandbox', [[1, sandbox]]);
  const config: FakeMessage = [
    [1, [[1, 'main']]],
    [2, [[1, 'localhost/pause:1']]],
  ];
  const created: FakeMessage = [
    [1, sandboxId],
    [2, config],
    [3, sandbox],
  ];
  const id = await call('CreateContainer', created);
  await call('StartContainer', [[1, id]]);
  const lines = ctr('-n', 'k8s.io', 'task', 'ls').split('\n');
  const podPid = readPid(lines.find((line) => line.startsWith(id)) ?? '');
  const pod = await findLabels(podPid, '__meta_kubernetes_', createCriSource(socket, 'n1'));
  await call('RemovePodSandbox', [[1, sandboxId]]);
  server.close();
  assert.deepEqual(pod, {
    namespace: 'shop',
    pod_name: 'web-1',
    pod_uid: 'u1',
    pod_node_name: 'n1',
    node_name: 'n1',
    pod_container_id: id,
    pod_container_name: 'main',
    pod_container_image: 'localhost/pause:1',
    pod_label_app: 'web',
    pod_labelpresent_app: 'true',
    pod_annotation_team_name: 'a',
    pod_annotationpresent_team_name: 'true',
  });
});

/** Makes an image archive like `docker save`. */
async function makeImage(file: string, name: string): Promise<void> {
  const folder = `${file}.d`;
  await mkdir(folder);
  await cp(at('rootfs.tar'), join(folder, 'layer.tar'));
  const layer = run('sha256sum', at('rootfs.tar')).split(' ')[0];
  const config = {
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    config: { Entrypoint: ['/bin/sleep', '600'] },
    rootfs: { type: 'layers', diff_ids: [`sha256:${layer}`] },
  };
  const manifest = [{ Config: 'config.json', RepoTags: [name], Layers: ['layer.tar'] }];
  await writeFile(join(folder, 'config.json'), JSON.stringify(config));
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  run('tar', '-C', folder, '-cf', file, 'config.json', 'manifest.json', 'layer.tar');
}

test('Podman: by its socket, and names by its storage alone', async () => {
  const socket = at('podman.sock');
  await writeFile(
    at('home/.config/containers/policy.json'),
    '{"default":[{"type":"insecureAcceptAnything"}]}',
  );
  await writeFile(
    at('containers.conf'),
    [
      '[engine]',
      'cgroup_manager="cgroupfs"',
      'events_logger="file"',
      'runtime="runc"',
      `conmon_path=["${runtimes}/usr/bin/conmon"]`,
      '[engine.runtimes]',
      `runc=["${runtimes}/usr/sbin/runc"]`,
    ].join('\n'),
  );
  const folders = [
    '--root',
    at('podman'),
    '--runroot',
    at('podman-run'),
    '--tmpdir',
    at('podman-tmp'),
  ];
  const options = [...folders, '--storage-driver=vfs'];
  const podman = (...args: string[]): string => run('podman', ...options, ...args);
  podman('import', at('rootfs.tar'), 'shop/db:1');
  const limits = ['--ulimit', 'nofile=1000:1000', '--ulimit', 'nproc=1000:1000'];
  const named = ['--name', 'shop-db', '--label', 'team=db', '--network', 'none'];
  const id = podman('run', '-d', ...limits, ...named, 'localhost/shop/db:1', '/bin/sleep', '600');
  await start(socket, 'podman', ...options, 'system', 'service', '--time', '0', `unix://${socket}`);
  const pid = Number(podman('inspect', '-f', '{{.State.Pid}}', id));
  const engine = createEngineSource(socket, 'podman');
  const storage = createStorageSource(at('podman/vfs-containers/containers.json'));
  const bySocket = await findLabels(pid, '__meta_podman_', engine, storage);
  const byStorage = await findLabels(pid, '__meta_podman_', storage);
  podman('rm', '-f', '-t', '0', id);
  const names = {
    container_id: id,
    container_name: 'shop-db',
    container_image: 'localhost/shop/db:1',
  };
  assert.deepEqual(byStorage, names);
  const labels = { container_label_team: 'db', container_labelpresent_team: 'true' };
  assert.deepEqual(bySocket, { ...names, ...labels });
});
