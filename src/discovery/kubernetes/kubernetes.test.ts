// Tests of Kubernetes discovery against an API server that lists in pages and ends watches.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { inputLimits, setInputLimits } from '../../base/input-limits.ts';
import { md5 } from '../../base/node/md5.ts';
import { parseConfig } from '../../config/load/parse.ts';
import { labelValue } from '../../model/labels.ts';
import { createRelabeling } from '../../model/relabel.ts';
import { makeTargets } from '../../scrape/target.ts';
import { type ApiObject, KubernetesApi } from '../fake/kubernetes-api.ts';
import { discover, type Rig } from '../fake/rig.ts';
import { readObject } from './objects.ts';
import { podGroup } from './targets.ts';
import { discoveryKinds } from '../registry.ts';

const limit = { timeout: 60_000 };
const nothingRelated = {
  pod: () => undefined,
  service: () => undefined,
  node: undefined,
  namespace: undefined,
};
const pods = '/api/v1/pods';
const account = '/var/run/secrets/kubernetes.io/serviceaccount';

async function startApi(t: TestContext, ...paths: readonly string[]): Promise<KubernetesApi> {
  const api = new KubernetesApi();
  await api.start(...paths);
  t.after(() => api.close());
  return api;
}

/** Starts discovery with one role; `more` has further keys of the config section. */
function discoverRole(t: TestContext, api: KubernetesApi, role: string, more = ''): Promise<Rig> {
  const login = `api_server: '${api.url}', authorization: {credentials: secret}`;
  return discover(t, '/etc', [`kubernetes_sd_configs: [{role: ${role}, ${login}${more}}]`]);
}

function pod(name: string, ip: string, ports: readonly number[] = [6060]): ApiObject {
  return {
    metadata: {
      name,
      namespace: 'shop',
      uid: `uid-${name}`,
      labels: { 'app.kubernetes.io/name': 'web' },
      annotations: { 'parca.dev/scrape': 'true' },
      ownerReferences: [{ kind: 'ReplicaSet', name: 'web-1', controller: true }],
    },
    spec: {
      nodeName: 'n1',
      containers: [
        {
          name: 'main',
          image: 'web:1',
          env: [{ name: 'SECRET', value: 'x' }],
          ports: ports.map((containerPort) => ({ name: `p${containerPort}`, containerPort })),
        },
      ],
    },
    status: {
      phase: 'Running',
      podIP: ip,
      hostIP: '10.0.0.9',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [{ name: 'main', containerID: 'containerd://c1' }],
    },
  };
}

/** Returns the labels of a pod's group, which follow the labels of a container. */
const ofPod = (name: string, ip: string): string =>
  [
    'namespace=shop',
    `pod_name=${name}`,
    'pod_label_app_kubernetes_io_name=web pod_labelpresent_app_kubernetes_io_name=true',
    'pod_annotation_parca_dev_scrape=true pod_annotationpresent_parca_dev_scrape=true',
    `pod_ip=${ip} pod_ready=true pod_phase=Running pod_node_name=n1 pod_host_ip=10.0.0.9`,
    `pod_uid=uid-${name} pod_controller_kind=ReplicaSet pod_controller_name=web-1`,
  ]
    .join(' ')
    .replaceAll(/(^| )(?=\w)/g, '$1__meta_kubernetes_');

const ofContainer = (port?: number): string =>
  [
    'pod_container_name=main pod_container_id=containerd://c1 pod_container_image=web:1',
    'pod_container_init=false',
    ...(port === undefined
      ? []
      : [
          `pod_container_port_name=p${port} pod_container_port_number=${port}`,
          'pod_container_port_protocol=TCP',
        ]),
  ]
    .join(' ')
    .replaceAll(/(^| )(?=\w)/g, '$1__meta_kubernetes_');

test('pods: pages of a list, changes, deletions, and watches that end', limit, async (t) => {
  const api = await startApi(t, pods);
  for (const i of [1, 2, 3, 4, 5]) api.set(pods, pod(`a${i}`, `10.0.0.${i}`));
  api.set(pods, pod('none', ''));
  api.set(pods, pod('portless', '10.0.1.1', []));
  const rig = await discoverRole(t, api, 'pod', ", selectors: [{role: pod, label: 'app=web'}]");
  const one = (i: number): string =>
    `__address__=10.0.0.${i}:6060 ${ofContainer(6060)} ${ofPod(`a${i}`, `10.0.0.${i}`)}`;
  const portless = `__address__=10.0.1.1 ${ofContainer()} ${ofPod('portless', '10.0.1.1')}`;
  await rig.becomes(one(1), one(2), one(3), one(4), one(5), portless);
  assert.match(api.requests[0], /^\/api\/v1\/pods\?limit=500&labelSelector=app%3Dweb$/);
  const isWatched = (): boolean => api.requests.some((request) => request.includes('watch=1'));
  while (!isWatched()) await delay(5);

  api.set(pods, pod('a6', 'fd00::6'));
  api.delete(pods, pod('a1', ''));
  const six = `__address__=[fd00::6]:6060 ${ofContainer(6060)} ${ofPod('a6', 'fd00::6')}`;
  await rig.becomes(one(2), one(3), one(4), one(5), six, portless);

  // The next watch continues where the last one ended, without listing again.
  const lists = (): number => api.requests.filter((one) => one.includes('limit=')).length;
  const before = lists();
  api.endWatches();
  await delay(300);
  api.delete(pods, pod('a2', ''));
  await rig.becomes(one(3), one(4), one(5), six, portless);
  assert.equal(lists(), before);

  // A list finds changes that no watch has reported.
  api.changeUnseen(() => {
    api.delete(pods, pod('a3', ''));
    api.set(pods, pod('a7', '10.0.0.7'));
  });
  await rig.becomes(one(4), one(5), six, one(7), portless);
  assert.ok(lists() > before);
  api.expireWatches();
  await delay(300);
  api.delete(pods, pod('a7', ''));
  await rig.becomes(one(4), one(5), six, portless);
});

test('a server that refuses keeps the last targets and says what it lacks', limit, async (t) => {
  const api = await startApi(t, pods);
  api.set(pods, pod('a1', '10.0.0.1'));
  api.status = 403;
  const rig = await discoverRole(t, api, 'pod');
  await rig.warns(/cannot watch pods: .*status 403: the account needs the rights to list and to/);
  await rig.becomes();
  api.status = 200;
  const one = `__address__=10.0.0.1:6060 ${ofContainer(6060)} ${ofPod('a1', '10.0.0.1')}`;
  await rig.becomes(one);
  api.token = 'another';
  api.changeUnseen(() => api.delete(pods, pod('a1', '')));
  await rig.warns(/status 401: the credentials are wrong/);
  await rig.becomes(one);
  api.token = 'secret';
  await rig.becomes();
});

test('answers that are nested too deep, or too long, keep the last targets', limit, async (t) => {
  const initial = inputLimits;
  t.after(() => setInputLimits(initial));
  const api = await startApi(t, pods);
  api.set(pods, pod('a1', '10.0.0.1'));
  const rig = await discoverRole(t, api, 'pod');
  const one = `__address__=10.0.0.1:6060 ${ofContainer(6060)} ${ofPod('a1', '10.0.0.1')}`;
  await rig.becomes(one);
  let nested: unknown = [];
  for (let i = 0; i < 1_200; i += 1) nested = [nested];
  // The deeply nested pod first arrives as a change, and then in a list.
  api.set(pods, Object.assign(pod('deep', '10.0.0.2'), { nested }));
  await rig.warns(/cannot watch pods: a change: it is nested more than 1000 deep/);
  const later = await discoverRole(t, api, 'pod');
  await later.warns(/cannot watch pods: a list: it is nested more than 1000 deep/);
  setInputLimits({ ...initial, discoveryBytes: 2_000 });
  const last = await discoverRole(t, api, 'pod');
  await last.warns(/cannot list: a page of the list has more than 2000 bytes/);
  await rig.becomes(one);
});

test('in a pod: the address, token and namespace that Kubernetes puts there', limit, async (t) => {
  const [path, other] = ['/api/v1/namespaces/shop/services', '/api/v1/namespaces/b/services'];
  const api = await startApi(t, path, other);
  const ports = [{ name: 'http', port: 80 }];
  const service = (namespace: string, more: object): ApiObject => ({
    metadata: { name: 'web', namespace },
    spec: { ports, ...more },
  });
  api.set(path, service('shop', { type: 'ClusterIP', clusterIP: '10.9.0.1' }));
  api.set(other, service('b', { type: 'ExternalName', externalName: 'a.example.org' }));
  // The kubeconfig is JSON, which is also valid YAML.
  const kubeconfig = JSON.stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    clusters: [{ name: 'k', cluster: { server: api.url } }],
    users: [{ name: 'u', user: { tokenFile: 'token' } }],
  });
  const rig = await discover(
    t,
    '/etc',
    [
      'kubernetes_sd_configs:',
      '  - {role: service, kubeconfig_file: kube/config,',
      '     namespaces: {own_namespace: true, names: [b, shop]}}',
    ],
    {
      wholeFiles: {
        '/etc/kube/config': kubeconfig,
        '/etc/kube/token': 'secret\n',
        [`${account}/namespace`]: 'shop\n',
      },
    },
  );
  const meta = (text: string): string => text.replaceAll(/(^| )(?=\w)/g, '$1__meta_kubernetes_');
  const port = 'service_port_name=http service_port_number=80 service_port_protocol=TCP';
  await rig.becomes(
    `__address__=web.shop.svc:80 ${meta(
      `${port} service_type=ClusterIP service_cluster_ip=10.9.0.1 namespace=shop service_name=web`,
    )}`,
    `__address__=web.b.svc:80 ${meta(
      `${port} service_type=ExternalName service_external_name=a.example.org namespace=b service_name=web`,
    )}`,
  );
});

test('outside of a pod, and with credentials of a kind that is not there', limit, async (t) => {
  const lines = ['kubernetes_sd_configs: [{role: pod}]'];
  const outside = await discover(t, '/etc', lines);
  await outside.warns(/this process is not in a pod; give api_server or kubeconfig_file/);
  // No server listens at this address, and the token file does not exist.
  const environment = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: '1' };
  const inPod = await discover(t, '/etc', lines, { environment });
  await inPod.warns(/cannot set up TLS: .*ca\.crt/);
  const kubeconfig = JSON.stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    clusters: [{ name: 'k', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'u', user: { 'auth-provider': { name: 'gcp' } } }],
  });
  const byProgram = await discover(
    t,
    '/etc',
    ['kubernetes_sd_configs: [{role: pod, kubeconfig_file: k}]'],
    { wholeFiles: { '/etc/k': kubeconfig } },
  );
  await byProgram.warns(/\/etc\/k logs in by auth-provider, which Kubernetes has replaced by exec/);
});

test('a kubeconfig whose user logs in by a program', limit, async (t) => {
  const api = await startApi(t, pods);
  api.set(pods, pod('a1', '10.0.0.1'));
  const program = (script: string): string =>
    JSON.stringify({
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
      clusters: [{ name: 'k', cluster: { server: api.url } }],
      users: [
        {
          name: 'u',
          user: {
            exec: {
              apiVersion: 'client.authentication.k8s.io/v1',
              command: process.execPath,
              args: ['-e', script],
              env: [{ name: 'TOKEN', value: 'secret' }],
            },
          },
        },
      ],
    });
  const prints =
    'const { kind, apiVersion } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);' +
    'console.log(JSON.stringify({ kind, apiVersion, status: { token: process.env.TOKEN } }))';
  const files = {
    '/etc/good': program(prints),
    '/etc/fails': program('console.error("no session"); process.exit(1)'),
    '/etc/silent': program('console.log("secret words")'),
    '/etc/huge': program(
      'const lists = Array.from({ length: 20_000 }, () => []);' +
        'console.log(JSON.stringify({ status: { token: process.env.TOKEN }, lists }))',
    ),
  };
  const login = (name: string): Promise<Rig> =>
    discover(t, '/etc', [`kubernetes_sd_configs: [{role: pod, kubeconfig_file: ${name}}]`], {
      wholeFiles: files,
    });
  await (
    await login('good')
  ).becomes(`__address__=10.0.0.1:6060 ${ofContainer(6_060)} ${ofPod('a1', '10.0.0.1')}`);
  await (await login('fails')).warns(/cannot run .*: no session/);
  for (const name of ['silent', 'huge']) {
    await (await login(name)).warns(/cannot log in to Kubernetes by .*: it does not print JSON/);
  }
});

test('labels of nodes and namespaces are attached, and followed', limit, async (t) => {
  const [nodes, namespaces] = ['/api/v1/nodes', '/api/v1/namespaces'];
  const api = await startApi(t, pods, nodes, namespaces, '/api/v1/endpoints', '/api/v1/services');
  const node = (zone: string): ApiObject => ({ metadata: { name: 'n1', labels: { zone } } });
  api.set(pods, pod('a1', '10.0.0.1'));
  api.set(nodes, node('a'));
  api.set(namespaces, { metadata: { name: 'shop', annotations: { team: 'x' } } });
  api.set('/api/v1/endpoints', {
    metadata: { name: 'web', namespace: 'shop' },
    subsets: [{ addresses: [{ ip: '10.0.0.5', nodeName: 'n1' }], ports: [{ name: 'p', port: 1 }] }],
  });
  const meta = (text: string): string => text.replaceAll(/(^| )(?=\w)/g, '$1__meta_kubernetes_');
  const attached = ', attach_metadata: {node: true, namespace: true}';
  const rig = await discoverRole(t, api, 'pod', attached);
  const [first, name, ...rest] = ofPod('a1', '10.0.0.1').split(' ');
  const ofNamespace = meta('namespace_annotation_team=x namespace_annotationpresent_team=true');
  const ofNode = (zone: string): string =>
    meta(`node_name=n1 node_label_zone=${zone} node_labelpresent_zone=true`);
  const [own, facts] = [rest.slice(0, 4), rest.slice(4)].map((part) => part.join(' '));
  const target = (zone: string): string =>
    `__address__=10.0.0.1:6060 ${ofContainer(6_060)} ${first} ${name} ${own} ${ofNamespace} ` +
    `${facts} ${ofNode(zone)}`;
  await rig.becomes(target('a'));
  while (api.requests.filter((request) => request.includes('watch=1')).length < 3) await delay(5);
  api.set(nodes, node('b'));
  await rig.becomes(target('b'));
  const endpoints = await discoverRole(t, api, 'endpoints', attached);
  await endpoints.becomes(
    `__address__=10.0.0.5:1 ${meta(
      'endpoint_port_name=p endpoint_port_protocol=TCP endpoint_ready=true endpoint_node_name=n1',
    )} ${ofNode('b')} ${first} ${meta('endpoints_name=web')} ${ofNamespace}`,
  );
  // A pod on an unknown node is not a target, as in Prometheus.
  api.delete(nodes, node('b'));
  await rig.becomes();
});

test('nodes and ingresses', limit, async (t) => {
  const ingresses = '/apis/networking.k8s.io/v1/ingresses';
  const api = await startApi(t, '/api/v1/nodes', ingresses);
  api.set('/api/v1/nodes', {
    metadata: { name: 'n1' },
    spec: { providerID: 'aws:///i-1' },
    status: {
      addresses: [
        { type: 'Hostname', address: 'n1' },
        { type: 'InternalIP', address: '10.0.0.9' },
        { type: 'InternalIP', address: 'fd00::9' },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
    },
  });
  const nodes = await discoverRole(t, api, 'node');
  const meta = (text: string): string => text.replaceAll(/(^| )(?=\w)/g, '$1__meta_kubernetes_');
  await nodes.becomes(
    `__address__=10.0.0.9:10250 instance=n1 ${meta(
      'node_address_Hostname=n1 node_address_InternalIP=10.0.0.9 node_name=n1 ' +
        'node_provider_id=aws:///i-1',
    )}`,
  );
  api.set(ingresses, {
    metadata: { name: 'i', namespace: 'shop' },
    spec: {
      ingressClassName: 'nginx',
      tls: [{ hosts: ['*.example.org'] }],
      rules: [
        { host: 'a.example.org', http: { paths: [{ path: '/x' }, {}] } },
        { host: 'example.org' },
      ],
    },
  });
  const found = await discoverRole(t, api, 'ingress');
  const group = 'namespace=shop ingress_name=i ingress_class_name=nginx';
  await found.becomes(
    ...[
      ['a.example.org', 'https', '/x'],
      ['a.example.org', 'https', '/'],
      ['example.org', 'http', '/'],
    ].map(
      ([host, scheme, path]) =>
        `__address__=${host} ${meta(
          `ingress_scheme=${scheme} ingress_host=${host} ingress_path=${path} ${group}`,
        )}`,
    ),
  );
});

test('endpoints and slices take labels of pods and services, and follow them', limit, async (t) => {
  const slices = '/apis/discovery.k8s.io/v1/endpointslices';
  const [endpoints, services] = ['/api/v1/endpoints', '/api/v1/services'];
  const api = await startApi(t, endpoints, slices, services, pods);
  const targetRef = { kind: 'Pod', name: 'a1', namespace: 'shop' };
  api.set(pods, pod('a1', '10.0.0.1', [6060, 9090]));
  api.set(services, { metadata: { name: 'web', namespace: 'shop' }, spec: {} });
  api.set(endpoints, {
    metadata: { name: 'web', namespace: 'shop' },
    subsets: [
      {
        addresses: [{ ip: '10.0.0.1', nodeName: 'n1', targetRef }],
        notReadyAddresses: [{ ip: '10.0.0.2' }],
        ports: [{ name: 'pprof', port: 6060, protocol: 'TCP' }],
      },
    ],
  });
  api.set(slices, {
    metadata: {
      name: 'web-x1',
      namespace: 'shop',
      labels: { 'kubernetes.io/service-name': 'web' },
    },
    addressType: 'IPv4',
    endpoints: [
      {
        addresses: ['10.0.0.1'],
        conditions: { ready: true },
        zone: 'z',
        nodeName: 'n1',
        targetRef,
      },
    ],
    ports: [{ name: 'pprof', port: 6060, protocol: 'TCP' }],
  });
  const meta = (text: string): string => text.replaceAll(/(^| )(?=\w)/g, '$1__meta_kubernetes_');
  const [namespace, ...podRest] = ofPod('a1', '10.0.0.1').split(' ');
  const whole = podRest.join(' ');
  const other = `__address__=10.0.0.1:9090 ${whole} ${ofContainer(9_090)}`;
  const port = 'endpoint_port_name=pprof endpoint_port_protocol=TCP';
  const reference = 'address_target_kind=Pod';
  const served = `__address__=10.0.0.1:6060 ${meta(
    `${port} endpoint_ready=true endpoint_${reference} endpoint_address_target_name=a1 ` +
      'endpoint_node_name=n1',
  )}`;
  const waiting = `__address__=10.0.0.2:6060 ${meta(`${port} endpoint_ready=false`)}`;
  const group = (service: string): string => `${namespace} ${meta(`endpoints_name=web${service}`)}`;
  const rig = await discoverRole(t, api, 'endpoints');
  await rig.becomes(
    `${served} ${whole} ${ofContainer(6_060)} ${group(' service_name=web')}`,
    `${waiting} ${group(' service_name=web')}`,
    `${other} ${group(' service_name=web')}`,
  );
  const bySlice = await discoverRole(t, api, 'endpointslice');
  const ofSlice = (service: string): string =>
    `${namespace} ${meta(
      'endpointslice_name=web-x1 endpointslice_label_kubernetes_io_service_name=web ' +
        `endpointslice_labelpresent_kubernetes_io_service_name=true${service} ` +
        'endpointslice_address_type=IPv4',
    )}`;
  const sliced = `__address__=10.0.0.1:6060 ${meta(
    'endpointslice_port_name=pprof endpointslice_port_protocol=TCP endpointslice_port=6060 ' +
      'endpointslice_endpoint_conditions_ready=true ' +
      `endpointslice_${reference} endpointslice_address_target_name=a1 ` +
      'endpointslice_endpoint_node_name=n1 endpointslice_endpoint_zone=z',
  )}`;
  const service = ' service_name=web';
  await bySlice.becomes(
    `${sliced} ${whole} ${ofContainer(6_060)} ${ofSlice(service)}`,
    `${other} ${ofSlice(service)}`,
  );
  // The watches of both resources must have begun before the pod is deleted.
  while (api.requests.filter((request) => request.includes('watch=1')).length < 6) await delay(5);
  api.delete(pods, pod('a1', ''));
  api.delete(services, { metadata: { name: 'web', namespace: 'shop' } });
  await rig.becomes(`${served} ${group('')}`, `${waiting} ${group('')}`);
  await bySlice.becomes(`${sliced} ${ofSlice('')}`);
});

test('examples/kubernetes.yaml scrapes pods as their annotations ask', async () => {
  const example = new URL('../../../examples/kubernetes.yaml', import.meta.url);
  const objects = parseAllDocuments(readFileSync(example, 'utf8')).map(
    (document) => document.toJS() as { kind: string; data?: Record<string, string> },
  );
  const text = objects.find(({ kind }) => kind === 'ConfigMap')?.data?.['parca.yaml'] ?? '';
  const [config] = parseConfig(text, 'parca.yaml', discoveryKinds).scrapeConfigs;
  const relabel = createRelabeling(config.relabelRules, md5);
  const findUrls = (
    ip: string,
    annotations: Record<string, string>,
    phase = 'Running',
  ): string[] => {
    const plain = pod('a1', ip, [80, 90]);
    const { metadata, status } = plain;
    const asked = { ...metadata, annotations };
    const read = readObject('pods', {
      ...plain,
      metadata: asked,
      status: { ...(status as object), phase },
    });
    const outcomes = makeTargets(config, [podGroup(read, nothingRelated)], relabel);
    const urls = outcomes.flatMap((one) => (one.kind === 'target' ? [one.target] : []));
    const cpu = urls.filter(({ profileName }) => profileName === 'process_cpu');
    return cpu.map(({ url, labels }) => `${url} ${labelValue(labels, 'job')}`);
  };
  const scrape = { 'parca.dev/scrape': 'true' };
  assert.deepEqual(findUrls('10.0.0.1', {}), []);
  assert.deepEqual(findUrls('10.0.0.1', { 'parca.dev/scrape': 'false' }), []);
  assert.deepEqual(findUrls('10.0.0.1', scrape, 'Succeeded'), []);
  const cpu = 'debug/pprof/profile?seconds=10';
  assert.deepEqual(findUrls('10.0.0.1', scrape), [
    `http://10.0.0.1:80/${cpu} web`,
    `http://10.0.0.1:90/${cpu} web`,
  ]);
  const [byPort] = findUrls('10.0.0.1', { ...scrape, 'parca.dev/port': '6060' });
  assert.equal(byPort, `http://10.0.0.1:6060/${cpu} web`);
  const asked = { ...scrape, 'parca.dev/port': '6060', 'parca.dev/path': '/internal' };
  assert.equal(findUrls('fd00::1', asked)[0], `http://[fd00::1]:6060/internal/${cpu} web`);
});
