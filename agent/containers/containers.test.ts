// Tests with fake container runtimes on sockets: labels, changes, failures.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createClock } from '../../src/base/node/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { startEngine, startGrpcRuntime } from '../testing/fake-runtimes.ts';
import { createContainerdSource } from './containerd-source.ts';
import { Containers } from './containers.ts';
import { createCriSource } from './cri-source.ts';
import { createEngineSource } from './engine-source.ts';
import type { ContainerSource } from './found-container.ts';
import { createStorageSource } from './storage-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'runtimes-'));
after(() => rmSync(folder, { recursive: true }));
const id = 'ab'.repeat(32);
const other = 'cd'.repeat(32);

function open(
  sources: readonly ContainerSource[],
  warnings: string[] = [],
): { readonly containers: Containers; becomes(name: string, want: object): Promise<void> } {
  const clock = createClock();
  // Shortens the pauses between attempts.
  const setTimer: typeof clock.setTimer = (millis, fire) => clock.setTimer(millis / 100, fire);
  const warn = (message: string, fields: object = {}): number =>
    warnings.push(`${message} ${JSON.stringify(fields)}`);
  const logger = { ...silentLogger, warn };
  const containers = new Containers({ sources, clock: { ...clock, setTimer }, logger });
  const becomes = async (name: string, want: object): Promise<void> => {
    const last = performance.now() + 10_000;
    const found = (): string => JSON.stringify(Object.fromEntries(containers.find(name) ?? []));
    while (found() !== JSON.stringify(want)) {
      assert.ok(performance.now() < last, `${found()} is not ${JSON.stringify(want)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return { containers, becomes };
}

test('an engine: names, images and labels, also of ECS; new names when containers change', async () => {
  const socket = join(folder, 'docker.sock');
  let name = '/shop-web-1';
  const engine = await startEngine(socket, () => [
    {
      Id: id,
      Names: [name],
      Image: 'shop/web:7',
      Labels: { 'com.docker.compose.service': 'web', 'com.amazonaws.ecs.cluster': 'prod' },
    },
    { Id: other, Names: ['/k8s_web'], Labels: { 'io.kubernetes.pod.name': 'web-1' } },
  ]);
  const { containers, becomes } = open([createEngineSource(socket, 'docker')]);
  const want = (known: string): object => ({
    __meta_docker_container_id: id,
    __meta_docker_container_name: known,
    __meta_docker_container_image: 'shop/web:7',
    __meta_docker_container_label_com_docker_compose_service: 'web',
    __meta_docker_container_labelpresent_com_docker_compose_service: 'true',
    __meta_docker_container_label_com_amazonaws_ecs_cluster: 'prod',
    __meta_docker_container_labelpresent_com_amazonaws_ecs_cluster: 'true',
    __meta_ecs_cluster: 'prod',
  });
  containers.start();
  await becomes(id, want('shop-web-1'));
  name = '/renamed';
  engine.notify();
  await becomes(id, want('renamed'));
  assert.equal(containers.find(other), undefined, 'of a pod');
  await containers.stop();
  await engine.close();
});

test('containers of a batch are asked about once, whether or not they are found', async () => {
  const socket = join(folder, 'podman.sock');
  const engine = await startEngine(socket, () => [
    { Id: id, Names: ['/db'], Image: 'db', Labels: null },
  ]);
  const source = createEngineSource(socket, 'podman');
  const { containers } = open([source]);
  await containers.load([id]);
  assert.deepEqual(Object.fromEntries(containers.find(id) ?? []), {
    __meta_podman_container_id: id,
    __meta_podman_container_name: 'db',
    __meta_podman_container_image: 'db',
  });
  await containers.load([id, other]);
  await containers.load([id, other]);
  assert.equal(engine.lists(), 2);
  await containers.stop();
  await engine.close();
});

test('containerd: every namespace but those of pods and Docker; no CRI is no failure', async () => {
  const socket = join(folder, 'containerd.sock');
  let team = 'shop';
  const runtime = await startGrpcRuntime(socket, {
    '/containerd.services.namespaces.v1.Namespaces/List': () => [
      [1, [[1, 'default']]],
      [1, [[1, 'k8s.io']]],
    ],
    '/containerd.services.containers.v1.Containers/List': (namespace) => {
      if (namespace !== 'default') return [[1, [[1, 'wrong']]]];
      return [
        [
          1,
          [
            [1, 'web1'],
            [2, { 'team/name': team }],
            [3, 'docker.io/shop/web:7'],
          ],
        ],
        [
          1,
          [
            [1, id],
            [2, { 'nerdctl/name': 'db' }],
          ],
        ],
      ];
    },
    '/containerd.services.events.v1.Events/Subscribe': () => [],
  });
  const warnings: string[] = [];
  const sources = [createContainerdSource(socket), createCriSource(socket, 'n1')];
  const { containers, becomes } = open(sources, warnings);
  const want = (known: string): object => ({
    __meta_containerd_container_id: 'web1',
    __meta_containerd_container_name: 'web1',
    __meta_containerd_namespace: 'default',
    __meta_containerd_pod_name: 'default',
    __meta_containerd_container_image: 'docker.io/shop/web:7',
    __meta_containerd_container_label_team_name: known,
    __meta_containerd_container_labelpresent_team_name: 'true',
  });
  containers.start();
  await becomes('default/web1', want('shop'));
  team = 'db';
  runtime.notify();
  await becomes('default/web1', want('db'));
  assert.equal(containers.find(id)?.get('__meta_containerd_container_name'), 'db');
  assert.equal(containers.find('k8s.io/wrong'), undefined);
  await containers.load([other]);
  await containers.stop();
  await runtime.close();
  assert.deepEqual(warnings, []);
});

test('pods by CRI: the labels of the pod without those that the kubelet adds', async () => {
  const socket = join(folder, 'crio.sock');
  const runtime = await startGrpcRuntime(socket, {
    '/runtime.v1.RuntimeService/ListPodSandbox': () => [
      [
        1,
        [
          [1, 'sandbox'],
          [
            2,
            [
              [1, 'web-1'],
              [2, 'u1'],
              [3, 'shop'],
            ],
          ],
          [5, { app: 'web', 'io.kubernetes.pod.name': 'web-1' }],
          [6, { 'team/name': 'a' }],
        ],
      ],
    ],
    '/runtime.v1.RuntimeService/ListContainers': () => [
      [
        1,
        [
          [1, id],
          [2, 'sandbox'],
          [3, [[1, 'main']]],
          [
            4,
            [
              [1, 'sha256:1'],
              [18, 'web:1'],
            ],
          ],
        ],
      ],
      [
        1,
        [
          [1, other],
          [2, 'gone'],
        ],
      ],
    ],
  });
  const { containers } = open([createCriSource(socket, 'n1')]);
  await containers.load([id, other]);
  assert.deepEqual(Object.fromEntries(containers.find(id) ?? []), {
    __meta_kubernetes_namespace: 'shop',
    __meta_kubernetes_pod_name: 'web-1',
    __meta_kubernetes_pod_uid: 'u1',
    __meta_kubernetes_pod_node_name: 'n1',
    __meta_kubernetes_node_name: 'n1',
    __meta_kubernetes_pod_container_id: id,
    __meta_kubernetes_pod_container_name: 'main',
    __meta_kubernetes_pod_container_image: 'web:1',
    __meta_kubernetes_pod_label_app: 'web',
    __meta_kubernetes_pod_labelpresent_app: 'true',
    __meta_kubernetes_pod_annotation_team_name: 'a',
    __meta_kubernetes_pod_annotationpresent_team_name: 'true',
  });
  assert.equal(containers.find(other), undefined, 'its pod is not there');
  await containers.stop();
  await runtime.close();
});

test("Podman's storage has names without a socket", async () => {
  const file = join(folder, 'containers.json');
  const metadata = JSON.stringify({ 'image-name': 'localhost/db:1', name: 'shop-db' });
  const ofPod = JSON.stringify({ 'pod-name': 'web-1' });
  writeFileSync(
    file,
    JSON.stringify([
      { id, names: ['shop-db'], metadata },
      { id: other, names: ['k8s_web'], metadata: ofPod },
    ]),
  );
  const { containers } = open([createStorageSource(file)]);
  await containers.load([id]);
  assert.deepEqual(Object.fromEntries(containers.find(id) ?? []), {
    __meta_podman_container_id: id,
    __meta_podman_container_name: 'shop-db',
    __meta_podman_container_image: 'localhost/db:1',
  });
  assert.equal(containers.find(other), undefined);
  await containers.stop();
});

test('a runtime that comes late is found; one that hangs costs a batch no more than its limit', async () => {
  const socket = join(folder, 'late.sock');
  const { containers, becomes } = open([createEngineSource(socket, 'docker')]);
  containers.start();
  await containers.load([id]);
  const engine = await startEngine(socket, () => [{ Id: id, Names: ['/web'] }]);
  await becomes(id, { __meta_docker_container_id: id, __meta_docker_container_name: 'web' });
  await containers.stop();
  await engine.close();

  let questions = 0;
  const never: ContainerSource = {
    socket: folder,
    list: (signal) => {
      questions += 1;
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('it does not answer')));
      });
    },
    close: () => undefined,
  };
  const warnings: string[] = [];
  const hanging = open([never], warnings);
  await hanging.containers.load([id]);
  await hanging.containers.load([other]);
  assert.equal(questions, 1);
  assert.equal(warnings.length, 1, warnings.join('\n'));
  assert.match(warnings[0], /cannot ask a runtime for its containers.*it does not answer/);
  await hanging.containers.stop();
});
