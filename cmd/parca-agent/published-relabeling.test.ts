// Tests with relabeling rules that Parca Agent has published, on a cluster, with Docker and on a
// plain host. Each series must have the documented labels.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parseAgentConfig } from '../../agent/config/agent-config.ts';
import { Containers } from '../../agent/containers/containers.ts';
import { createEngineSource } from '../../agent/containers/engine-source.ts';
import { ExecutableTable } from '../../agent/process/executable.ts';
import { KubeletLogs } from '../../agent/process/kubelet.ts';
import type { Pods } from '../../agent/process/pods.ts';
import { ProcFolder } from '../../agent/process/proc-folder.ts';
import { ProcessLabels } from '../../agent/process/process-labels.ts';
import { ProcessTable } from '../../agent/process/process-table.ts';
import { type FakeRuntime, startEngine } from '../../agent/testing/fake-runtimes.ts';
import { fileBinary, testProcess } from '../../agent/testing/samples.ts';
import { neverSetNames } from '../../agent/config/meta-names.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { md5 } from '../../src/base/node/md5.ts';
import { plainHttpClient } from '../../src/config/config.ts';
import { type ApiObject, KubernetesApi } from '../../src/discovery/fake/kubernetes-api.ts';
import { createRelabeling } from '../../src/model/relabel.ts';
import { createFastMachine, tokenClient } from '../../test/support/cluster.ts';
import { type OpenPods, openPods } from './open-pods.ts';

const folder = mkdtempSync(join(tmpdir(), 'relabeling-'));
const podId = 'ab'.repeat(32);
const dockerId = 'cd'.repeat(32);
const pod: ApiObject = {
  metadata: {
    name: 'web-5d9f7c-x2x',
    namespace: 'shop',
    uid: 'u1',
    labels: {
      'app.kubernetes.io/name': 'web',
      'pod-template-hash': '5d9f7c',
      'controller-revision-hash': '7b',
    },
    ownerReferences: [{ kind: 'ReplicaSet', name: 'web-5d9f7c', controller: true }],
  },
  spec: { nodeName: 'n1', containers: [{ name: 'main', image: 'shop/web:7' }] },
  status: {
    phase: 'Running',
    podIP: '10.0.0.1',
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [{ name: 'main', containerID: `containerd://${podId}` }],
  },
};
const node: ApiObject = {
  metadata: {
    name: 'n1',
    labels: {
      'topology.kubernetes.io/region': 'eu-central-1',
      'topology.kubernetes.io/zone': 'eu-central-1b',
    },
  },
  status: { addresses: [{ type: 'InternalIP', address: '10.0.0.9' }] },
};

const api = new KubernetesApi();
let cluster: OpenPods;
let engine: FakeRuntime;
let containers: Containers;
const machine = createFastMachine();

before(async () => {
  await api.start('/api/v1/pods', '/api/v1/nodes');
  api.set('/api/v1/nodes', node);
  api.set('/api/v1/pods', pod);
  cluster = openPods(machine, {
    node: 'n1',
    userAgent: 'test',
    apiServer: api.url,
    kubelet: { url: 'https://127.0.0.1:1', http: plainHttpClient },
    http: tokenClient,
  });
  const socket = join(folder, 'docker.sock');
  engine = await startEngine(socket, () => [
    { Id: dockerId, Names: ['/shop-db-1'], Labels: { 'com.docker.compose.service': 'db' } },
  ]);
  const sources = [createEngineSource(socket, 'docker')];
  containers = new Containers({ sources, clock: createClock(), logger: machine.logger });
  const last = performance.now() + 30_000;
  const isKnown = (pods: Pods): boolean => pods.find(podId) !== undefined && pods.node.length > 0;
  while (!isKnown(cluster.pods)) {
    assert.ok(performance.now() < last, 'the pod is not known');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

after(async () => {
  await cluster.stop();
  await containers.stop();
  await engine.close();
  await api.close();
  rmSync(folder, { recursive: true });
});

/** Properties of the executable, as if read from its file. */
const executables = Object.assign(new ExecutableTable(), {
  facts: () => ({
    fileId: '00112233445566778899aabbccddeeff',
    compiler: 'Go 1.26.8',
    isStatic: true,
    isStripped: false,
  }),
});

async function labelsWith(rules: string, cgroup: string): Promise<Record<string, string>> {
  const { relabelRules = [] } = parseAgentConfig(rules, 'parca-agent.yaml', []);
  assert.deepEqual(neverSetNames(relabelRules, [], true), [], 'nobody is warned');
  const processLabels = new ProcessLabels({
    proc: new ProcFolder('/nowhere'),
    executables,
    pods: cluster.pods,
    containers,
    kubelet: new KubeletLogs(machine.clock, '/nowhere'),
    host: { node: 'n1', kernelRelease: '6.1.0', machine: 'x86_64', agentRevision: 'abc' },
    environmentNames: [],
  });
  const table = new ProcessTable({
    processLabels,
    relabel: createRelabeling(relabelRules, md5),
    externalLabels: [],
    labelLifeMillis: 600_000,
    clock: machine.clock,
  });
  const process = testProcess({ name: 'web', executable: '/app/web', cgroup });
  await table.load([process]);
  const found = table.find(process, fileBinary('/app/web', 'b1'));
  return Object.fromEntries((found.labels ?? []).map(({ name, value }) => [name, value]));
}

const inPod = `0::/kubepods/burstable/podu1/${podId}\n`;
const inDocker = `0::/docker/${dockerId}\n`;
const onHost = '0::/system.slice/web.service\n';
const rule = (target: string, source: string): string =>
  `- { source_labels: [${source}], target_label: ${target} }\n`;

/** Rules in Parca Agent's `config.yaml`. */
const plainRules = `relabel_configs:
${rule('exec', '__meta_process_executable_name')}${rule(
  'compiler',
  '__meta_process_executable_compiler',
)}`;

/** Rules in Parca Agent's `kubernetes-config.yaml`, manifests and chart. */
const kubernetesRules = `relabel_configs:
${[
  ['compiler', '__meta_process_executable_compiler'],
  ['arch', '__meta_system_kernel_machine'],
  ['kernel_version', '__meta_system_kernel_release'],
  ['namespace', '__meta_kubernetes_namespace'],
  ['pod', '__meta_kubernetes_pod_name'],
  ['container', '__meta_kubernetes_pod_container_name'],
  ['container_image', '__meta_kubernetes_pod_container_image'],
  ['region', '__meta_kubernetes_node_label_topology_kubernetes_io_region'],
  ['zone', '__meta_kubernetes_node_label_topology_kubernetes_io_zone'],
]
  .map(([target, source]) => rule(target, source))
  .join('')}- { action: labelmap, regex: __meta_kubernetes_pod_label_(.+), replacement: '\${1}' }
- action: labeldrop
  regex: apps_kubernetes_io_pod_index|controller_revision_hash|pod_template_hash
`;

/**
 * Rules from the documentation of Parca Agent's labels. One label has a name that contains the
 * workload's kind; other labels come from Docker.
 */
const foldedRules = `relabel_configs:
- source_labels: [__meta_kubernetes_pod_controller_kind]
  target_label: __meta_controller_kind_lower
  action: lowercase
- source_labels: [__meta_controller_kind_lower, __meta_kubernetes_pod_controller_name]
  regex: (.+);(.+)
  target_label: k8s_\${1}_name
  replacement: $2
- { source_labels: [__meta_docker_container_name], target_label: container }
- { action: labelmap, regex: __meta_docker_container_label_(.+) }
- { source_labels: [comm], regex: node, action: drop }
`;

const host = { node: 'n1', comm: 'web' };

test('the file for hosts', async () => {
  const always = { ...host, exec: 'web', compiler: 'Go 1.26.8' };
  assert.deepEqual(await labelsWith(plainRules, onHost), { ...always, service_name: 'web' });
});

test('the file for Kubernetes', async () => {
  const always = { ...host, compiler: 'Go 1.26.8', arch: 'x86_64', kernel_version: '6.1.0' };
  assert.deepEqual(await labelsWith(kubernetesRules, inPod), {
    ...always,
    namespace: 'shop',
    pod: 'web-5d9f7c-x2x',
    container: 'main',
    container_image: 'shop/web:7',
    region: 'eu-central-1',
    zone: 'eu-central-1b',
    app_kubernetes_io_name: 'web',
    service_name: 'main',
  });
  assert.deepEqual(await labelsWith(kubernetesRules, onHost), { ...always, service_name: 'web' });
});

test('kinds of workloads, and names and labels of Docker', async () => {
  assert.deepEqual(await labelsWith(foldedRules, inPod), {
    ...host,
    k8s_replicaset_name: 'web-5d9f7c',
    service_name: 'main',
  });
  assert.deepEqual(await labelsWith(foldedRules, inDocker), {
    ...host,
    container: 'shop-db-1',
    com_docker_compose_service: 'db',
    service_name: 'db',
  });
});
