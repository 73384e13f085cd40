// Tests of the labels of pods and of the node, with an API server that supports lists and watches,
// and that forgets old resource versions.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ExecutableTable } from '../../agent/process/executable.ts';
import { KubeletLogs } from '../../agent/process/kubelet.ts';
import { ProcessLabels } from '../../agent/process/process-labels.ts';
import { ProcFolder } from '../../agent/process/proc-folder.ts';
import { testProcess } from '../../agent/testing/samples.ts';
import { plainHttpClient } from '../../src/config/config.ts';
import { type ApiObject, KubernetesApi } from '../../src/discovery/fake/kubernetes-api.ts';
import { createFastMachine, runningPod, tokenClient } from '../../test/support/cluster.ts';
import { openPods } from './open-pods.ts';

const id = 'ab'.repeat(32);
const pod = (version: string): ApiObject => {
  const metadata = {
    name: 'web-1',
    uid: 'u1',
    labels: { 'app.kubernetes.io/version': version },
    annotations: { 'team/name': 'a' },
    ownerReferences: [{ kind: 'ReplicaSet', name: 'web', controller: true }],
  };
  return runningPod(metadata, id);
};
const node: ApiObject = {
  metadata: { name: 'n1', labels: { 'topology.kubernetes.io/zone': 'z1' } },
  status: { addresses: [{ type: 'InternalIP', address: '10.0.0.9' }] },
};

test('a process has the labels of its pod and node, and new ones when they change', async () => {
  const api = new KubernetesApi();
  await api.start('/api/v1/pods', '/api/v1/nodes');
  api.set('/api/v1/nodes', node);
  const machine = createFastMachine();
  const open = openPods(machine, {
    node: 'n1',
    userAgent: 'test',
    apiServer: api.url,
    kubelet: { url: 'https://127.0.0.1:1', http: plainHttpClient },
    http: tokenClient,
  });
  const labels = new ProcessLabels({
    proc: new ProcFolder('/nowhere'),
    executables: new ExecutableTable(),
    pods: open.pods,
    kubelet: new KubeletLogs(machine.clock, join('/nowhere')),
    host: { node: 'n1', kernelRelease: '6.1', machine: 'x86_64', agentRevision: 'abc' },
    environmentNames: [],
  });
  const cgroup = `0::/kubepods/burstable/podu1/${id}`;
  const read = (): ReadonlyMap<string, string> => labels.read(testProcess({ cgroup }), undefined);
  const becomes = async (name: string, value: string): Promise<void> => {
    for (let left = 400; read().get(name) !== value; left -= 1) {
      assert.ok(left > 0, `${name} is ${read().get(name)}, not ${value}`);
      await delay(25);
    }
  };
  try {
    const before = read();
    assert.equal(labels.areStale(before), false, 'nothing is known yet');
    api.set('/api/v1/pods', pod('1'));
    await becomes('__meta_kubernetes_pod_label_app_kubernetes_io_version', '1');
    await becomes('__meta_kubernetes_node_label_topology_kubernetes_io_zone', 'z1');
    assert.equal(labels.areStale(before), true);
    assert.equal(labels.areStale(read()), false);
    const found = [...read()].filter(([name]) => name.startsWith('__meta_kubernetes_'));
    assert.deepEqual(
      found.map(([name, value]) => `${name.slice('__meta_kubernetes_'.length)}=${value}`).sort(),
      [
        'namespace=shop',
        'node_label_topology_kubernetes_io_zone=z1',
        'node_labelpresent_topology_kubernetes_io_zone=true',
        'node_name=n1',
        'pod_annotation_team_name=a',
        'pod_annotationpresent_team_name=true',
        `pod_container_id=${id}`,
        'pod_container_image=web:1',
        'pod_container_init=false',
        'pod_container_name=main',
        'pod_controller_kind=ReplicaSet',
        'pod_controller_name=web',
        'pod_host_ip=10.0.0.9',
        'pod_ip=10.0.0.1',
        'pod_label_app_kubernetes_io_version=1',
        'pod_labelpresent_app_kubernetes_io_version=true',
        'pod_name=web-1',
        'pod_node_name=n1',
        'pod_phase=Running',
        'pod_ready=true',
        'pod_uid=u1',
      ],
    );
    assert.equal(read().get('__meta_service_name'), 'main');
    const asked = api.requests.map(decodeURIComponent);
    assert.ok(asked.some((path) => path.includes('fieldSelector=spec.nodeName=n1')));
    assert.ok(asked.some((path) => path.includes('fieldSelector=metadata.name=n1')));
    api.set('/api/v1/pods', pod('2'));
    await becomes('__meta_kubernetes_pod_label_app_kubernetes_io_version', '2');
    api.delete('/api/v1/pods', pod('2'));
    while (open.pods.find(id) !== undefined) await delay(25);
  } finally {
    await open.stop();
    await api.close();
  }
});
