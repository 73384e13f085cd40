// Tests of Kubernetes discovery with recorded answers of a real API server: kube-apiserver 1.33.4
// with etcd 3.5.21. The managedFields were removed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type ApiObject, KubernetesApi } from '../fake/kubernetes-api.ts';
import { discover } from '../fake/rig.ts';

const testdata = new URL('testdata/', import.meta.url);

function readTestdata(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, testdata), 'utf8')) as unknown;
}

test('all roles, with labels of nodes and namespaces', { timeout: 60_000 }, async (t) => {
  const recorded = readTestdata('recorded.json') as Record<string, readonly ApiObject[]>;
  const want = readTestdata('recorded-labels.json') as Record<string, readonly string[]>;
  const api = new KubernetesApi();
  await api.start(...Object.keys(recorded));
  t.after(() => api.close());
  for (const [path, objects] of Object.entries(recorded)) {
    for (const object of objects) api.set(path, object);
  }
  const login = `api_server: '${api.url}', authorization: {credentials: secret}`;
  const attached = 'attach_metadata: {node: true, namespace: true}';
  for (const role of ['node', 'pod', 'service', 'endpoints', 'endpointslice', 'ingress']) {
    const rig = await discover(t, '/etc', [
      `kubernetes_sd_configs: [{role: ${role}, ${login}, ${attached}}]`,
    ]);
    assert.ok(want[role].length > 0, role);
    await rig.becomes(...want[role]);
  }
});
