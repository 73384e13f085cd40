// Connects to the container runtimes of this host.
import { existsSync } from 'node:fs';
import { createContainerdSource } from '../../agent/containers/containerd-source.ts';
import { Containers } from '../../agent/containers/containers.ts';
import { createCriSource } from '../../agent/containers/cri-source.ts';
import { createEngineSource } from '../../agent/containers/engine-source.ts';
import type { ContainerSource } from '../../agent/containers/found-container.ts';
import { createStorageSource } from '../../agent/containers/storage-source.ts';
import type { Machine } from '../machine.ts';

/** Sockets of containerd itself and of its copies in k3s and microk8s. They support CRI, too. */
const containerdSockets = [
  '/run/containerd/containerd.sock',
  '/run/k3s/containerd/containerd.sock',
  '/var/snap/microk8s/common/run/containerd.sock',
];
/** Sockets of other container runtimes with CRI. */
const criSockets = ['/run/crio/crio.sock', '/run/cri-dockerd.sock'];

export interface ContainersSettings {
  readonly node: string;
  /** Socket of --metadata-container-runtime-socket-path; "" = the sockets of all runtimes. */
  readonly socketPath: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Returns true if this host has a runtime with CRI. */
export function hasPodRuntime({ socketPath }: Pick<ContainersSettings, 'socketPath'>): boolean {
  return criSocketPaths(socketPath).some((path) => existsSync(path));
}

/** Starts to watch the runtimes. Missing sockets are checked at intervals. */
export function openContainers(on: Machine, settings: ContainersSettings): Containers {
  const containers = new Containers({
    sources: createSources(settings),
    clock: on.clock,
    logger: on.logger,
  });
  containers.start();
  return containers;
}

function criSocketPaths(socketPath: string): readonly string[] {
  return socketPath === '' ? [...containerdSockets, ...criSockets] : [socketPath];
}

function createSources({ node, socketPath, environment }: ContainersSettings): ContainerSource[] {
  const docker = parseSocketPath(environment['DOCKER_HOST']) ?? '/run/docker.sock';
  const podman = parseSocketPath(environment['CONTAINER_HOST']) ?? '/run/podman/podman.sock';
  const containerd = socketPath === '' ? containerdSockets : [socketPath];
  return [
    createEngineSource(docker, 'docker'),
    createStorageSource('/var/lib/containers/storage/overlay-containers/containers.json'),
    createEngineSource(podman, 'podman'),
    ...containerd.map((path) => createContainerdSource(path)),
    ...criSocketPaths(socketPath).map((path) => createCriSource(path, node)),
  ];
}

/** Returns the path in a socket's address; undefined for other addresses. */
function parseSocketPath(address: string | undefined): string | undefined {
  return /^unix:\/\/(\/.+)$/.exec(address ?? '')?.[1];
}
