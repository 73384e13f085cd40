// Tests that pods are read from the kubelet if the API server denies access, and that the owners of
// their controllers are found.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { LogFields } from '../../src/base/logger.ts';
import { type ApiObject, KubernetesApi } from '../../src/discovery/fake/kubernetes-api.ts';
import { accountClient } from '../../src/discovery/kubernetes/api-server.ts';
import { createCertificates } from '../../test/support/certificates.ts';
import { createFastMachine, runningPod, tokenClient } from '../../test/support/cluster.ts';
import { type OpenPods, openPods } from './open-pods.ts';

const certificates = createCertificates();
certificates.make('kubelet', 'IP:127.0.0.1');
after(() => certificates.remove());

const prefix = '__meta_kubernetes_pod_';
const web = 'ab'.repeat(32);
const job = 'cd'.repeat(32);

function makePod(name: string, id: string, controller: object, version = '1'): ApiObject {
  const metadata = {
    name,
    uid: `uid-${name}`,
    labels: { version, 'pod-template-hash': '7d4b9' },
    ownerReferences: [{ ...controller, controller: true }],
  };
  return runningPod(metadata, id);
}

const webController = { kind: 'ReplicaSet', name: 'web-7d4b9' };

/**
 * Starts a kubelet that serves GET /pods over TLS. It responds with a PodList, or with the errors
 * of the kubelet's authorization webhook.
 */
async function startKubelet() {
  const kubelet = { token: 'secret', status: 200, pods: [] as readonly ApiObject[], lists: 0 };
  const tls = { cert: certificates.text('kubelet.pem'), key: certificates.text('kubelet.key') };
  const server = createServer(tls, (request, response) => {
    const isKnown = request.headers.authorization === `Bearer ${kubelet.token}`;
    if (!isKnown) {
      response.writeHead(401).end('Unauthorized');
    } else if (kubelet.status !== 200) {
      const who = 'user=system:serviceaccount:parca:parca-agent, verb=get, resource=nodes';
      response.writeHead(kubelet.status).end(`Forbidden (${who}, subresource(s)=[pods proxy])`);
    } else if (request.url === '/pods') {
      kubelet.lists += 1;
      response.writeHead(200, { 'content-type': 'application/json' });
      const list = { kind: 'PodList', apiVersion: 'v1', metadata: {}, items: kubelet.pods };
      response.end(JSON.stringify(list));
    } else {
      response.writeHead(404).end('404 page not found\n');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return Object.assign(kubelet, { url: `https://127.0.0.1:${address.port}`, close });
}

/** Starts an API server, a kubelet, and an agent whose clock is 20 times as fast. */
async function startCluster(prepare: (api: KubernetesApi) => void, insecure = false) {
  const api = new KubernetesApi();
  prepare(api);
  await api.start('/api/v1/pods', '/api/v1/nodes', ...api.singles.keys());
  const kubelet = await startKubelet();
  const lines: string[] = [];
  const fast = createFastMachine();
  const note = (message: string, fields: LogFields = {}): void =>
    void lines.push(`${message} ${JSON.stringify(fields)}`);
  const machine = { ...fast, logger: { ...fast.logger, info: note, warn: note } };
  writeFileSync(join(certificates.folder, 'token'), 'secret');
  writeFileSync(join(certificates.folder, 'ca.crt'), certificates.text('ca.pem'));
  const open = openPods(machine, {
    node: 'n1',
    userAgent: 'test',
    apiServer: api.url,
    http: tokenClient,
    kubelet: { url: kubelet.url, http: accountClient(certificates.folder, insecure) },
  });
  const close = async (): Promise<void> => {
    await open.stop();
    await kubelet.close();
    await api.close();
  };
  return { api, kubelet, open, lines, close };
}

async function becomes(what: string, read: () => boolean): Promise<void> {
  for (let left = 400; !read(); left -= 1) {
    assert.ok(left > 0, `never ${what}`);
    await delay(25);
  }
}

const labelOf = ({ pods }: OpenPods, id: string, name: string): string | undefined =>
  pods.find(id)?.get(prefix + name);

test('pods come from the kubelet until the API server lists them', async () => {
  const cluster = await startCluster((api) => api.statuses.set('/api/v1/pods', 403));
  const { api, kubelet, open, lines } = cluster;
  try {
    kubelet.pods = [
      makePod('web-1', web, webController),
      makePod('old-1', job, { kind: 'DaemonSet', name: 'old' }),
    ];
    await becomes('a pod of the kubelet', () => labelOf(open, web, 'label_version') === '1');
    const found = Object.fromEntries(open.pods.find(web) ?? []);
    assert.equal(found['__meta_kubernetes_namespace'], 'shop');
    assert.equal(found[`${prefix}container_id`], web);
    assert.equal(found[`${prefix}container_image`], 'web:1');
    assert.equal(found[`${prefix}phase`], 'Running');
    assert.equal(found[`${prefix}controller_name`], 'web-7d4b9');
    assert.equal(found[`${prefix}deployment_name`], 'web', 'by names: nothing else is known');
    assert.ok(
      lines.some((line) => /pods come from the kubelet/.test(line)),
      lines.join('\n'),
    );

    kubelet.pods = [makePod('web-1', web, webController, '2')];
    await becomes('a new list', () => labelOf(open, web, 'label_version') === '2');
    await becomes('without the pod that ended', () => open.pods.find(job) === undefined);

    // If the kubelet refuses requests because the role is outdated, the last known pods are kept.
    kubelet.status = 403;
    await becomes('refused by the kubelet', () =>
      lines.some((line) => /\/pods: .* status 403: .*the right to get nodes\/pods/.test(line)),
    );
    kubelet.status = 200;
    kubelet.token = 'another';
    await becomes('unknown to the kubelet', () =>
      lines.some((line) => /status 401: the kubelet does not accept the token/.test(line)),
    );
    assert.equal(labelOf(open, web, 'label_version'), '2');
    kubelet.token = 'secret';

    api.set('/api/v1/pods', makePod('new-1', job, webController));
    api.statuses.delete('/api/v1/pods');
    await becomes('the list of the API server', () => open.pods.find(job) !== undefined);
    assert.equal(open.pods.find(web), undefined, 'pods of the kubelet that ended meanwhile');
    const { lists } = kubelet;
    await delay(800);
    assert.equal(kubelet.lists, lists, 'the kubelet is left alone');
  } finally {
    await cluster.close();
  }
});

test('a kubelet with a certificate of its own needs the flag', async () => {
  const stranger = createCertificates();
  after(() => stranger.remove());
  const refuse = (api: KubernetesApi): void => void api.statuses.set('/api/v1/pods', 403);
  const certificate = certificates.text('ca.pem');
  for (const insecure of [false, true]) {
    const cluster = await startCluster(refuse, insecure);
    // The account's certificate authority has changed. Its file is read again for each list.
    writeFileSync(join(certificates.folder, 'ca.crt'), stranger.text('ca.pem'));
    const { kubelet, open, lines } = cluster;
    kubelet.pods = [makePod('web-1', web, webController)];
    try {
      if (insecure) {
        await becomes('a pod', () => open.pods.find(web) !== undefined);
      } else {
        await becomes('refused', () => lines.some((line) => /certificate/i.test(line)));
        assert.equal(open.pods.find(web), undefined);
        assert.equal(kubelet.lists, 0, 'the token was sent to nobody');
      }
    } finally {
      await cluster.close();
      writeFileSync(join(certificates.folder, 'ca.crt'), certificate);
    }
  }
});

const replicaSets = '/apis/apps/v1/namespaces/shop/replicasets';
const jobs = '/apis/batch/v1/namespaces/shop/jobs';

/** Adds controllers whose names do not contain the names of their owners. */
function setControllers(api: KubernetesApi): void {
  const owned = (name: string, kind: string, owner: string): ApiObject => ({
    metadata: {
      name,
      namespace: 'shop',
      ownerReferences: [
        { kind: 'Other', name: 'not-this' },
        { kind, name: owner, controller: true },
      ],
    },
    spec: {},
  });
  api.singles.set(`${replicaSets}/web-7d4b9`, owned('web-7d4b9', 'Deployment', 'storefront'));
  api.singles.set(`${jobs}/by-hand-20261127`, {
    metadata: { name: 'by-hand-20261127', namespace: 'shop' },
  });
  api.set('/api/v1/pods', makePod('web-1', web, webController));
  api.set('/api/v1/pods', makePod('j-1', job, { kind: 'Job', name: 'by-hand-20261127' }));
}

test('owners of controllers come from the API server, each by one request', async () => {
  const cluster = await startCluster(setControllers);
  const { api, open } = cluster;
  try {
    await becomes('known', () => open.pods.find(web) !== undefined);
    assert.equal(labelOf(open, web, 'deployment_name'), 'storefront');
    assert.equal(labelOf(open, job, 'job_name'), 'by-hand-20261127');
    assert.equal(labelOf(open, job, 'cronjob_name'), undefined, 'nobody owns it');
    api.set('/api/v1/pods', makePod('web-1', web, webController, '2'));
    await becomes('changed', () => labelOf(open, web, 'label_version') === '2');
    assert.equal(api.requests.filter((path) => path.startsWith('/apis/')).length, 2);
  } finally {
    await cluster.close();
  }
});

test('an agent that may not get controllers follows the names, and says so once', async () => {
  const cluster = await startCluster((api) => {
    setControllers(api);
    for (const path of api.singles.keys()) api.statuses.set(path, 403);
  });
  const { api, open, lines } = cluster;
  try {
    await becomes('known', () => open.pods.find(web) !== undefined);
    assert.equal(labelOf(open, web, 'deployment_name'), 'web');
    assert.equal(labelOf(open, job, 'cronjob_name'), 'by-hand');
    const told = lines.filter((line) => line.includes('owners of pods follow from names'));
    assert.equal(told.length, 2, told.join('\n'));
    for (const resource of ['jobs', 'replicasets']) {
      assert.ok(
        told.some((line) => line.includes(`"resource":"${resource}"`)),
        resource,
      );
    }
    api.set('/api/v1/pods', makePod('web-1', web, webController, '2'));
    await becomes('changed', () => labelOf(open, web, 'label_version') === '2');
    assert.equal(api.requests.filter((path) => path.startsWith('/apis/')).length, 2);
  } finally {
    await cluster.close();
  }
});
