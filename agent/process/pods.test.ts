// Tests of labels derived from the API server's labels.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FindOwner, Pods } from './pods.ts';

/** Returns the labels for the owners of a pod. */
function readOwners(
  kind: string,
  name: string,
  hash = '',
  findOwner?: FindOwner,
): Record<string, string> {
  const pods = new Pods(findOwner);
  const prefix = '__meta_kubernetes_pod_';
  const labels = [
    { name: `${prefix}controller_kind`, value: kind },
    { name: `${prefix}controller_name`, value: name },
    { name: `${prefix}label_pod_template_hash`, value: hash },
  ];
  const target = [{ name: `${prefix}container_id`, value: 'containerd://id' }];
  pods.applyPods([{ source: 'pod/a/b', targets: [target], labels }]);
  const found = [...(pods.find('id') ?? [])].filter(([label]) =>
    /_(?:deployment|job|cronjob)_name$/.test(label),
  );
  return Object.fromEntries(found.map(([label, value]) => [label.slice(prefix.length), value]));
}

test('a ReplicaSet leads to its Deployment, and a Job to its CronJob', () => {
  assert.deepEqual(readOwners('ReplicaSet', 'web-app-7d4b9c6f5', '7d4b9c6f5'), {
    deployment_name: 'web-app',
  });
  // A ReplicaSet that does not belong to a Deployment has its own name.
  assert.deepEqual(readOwners('ReplicaSet', 'web-app'), {});
  assert.deepEqual(readOwners('ReplicaSet', 'web-app', '7d4b9c6f5'), {});
  assert.deepEqual(readOwners('Job', 'backup-29411520'), {
    job_name: 'backup-29411520',
    cronjob_name: 'backup',
  });
  assert.deepEqual(readOwners('Job', 'migrate-2024'), { job_name: 'migrate-2024' });
  assert.deepEqual(readOwners('DaemonSet', 'agent'), {});
});

test('what the API server says of an owner wins over names', () => {
  const hash = '7d4b9c6f5';
  assert.deepEqual(
    readOwners('ReplicaSet', `web-${hash}`, hash, () => 'shop-front'),
    { deployment_name: 'shop-front' },
  );
  assert.deepEqual(
    readOwners('ReplicaSet', `web-${hash}`, hash, () => ''),
    {},
  );
  // This Job's name only looks like that of a CronJob's Job.
  assert.deepEqual(
    readOwners('Job', 'report-20261127', '', () => ''),
    { job_name: 'report-20261127' },
  );
  assert.deepEqual(
    readOwners('Job', 'report-20261127', '', () => undefined),
    { job_name: 'report-20261127', cronjob_name: 'report' },
  );
});
