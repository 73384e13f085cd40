// Tests of discovery by APIs. A server on the loopback interface gives the answers from the
// vendors' documentation.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import {
  startTargetServer,
  type Handler,
  type TargetServer,
} from '../../scrape/fake/target-server.ts';
import { discover } from '../fake/rig.ts';

const limit = { timeout: 20_000 };

/**
 * Starts an API whose answers can be changed. An answer that is a status code is sent as an error.
 */
async function api(
  t: TestContext,
  answers: Map<string, unknown>,
): Promise<{ readonly server: TargetServer; readonly seen: Set<string> }> {
  const seen = new Set<string>();
  const handler: Handler = (request, response) => {
    const path = decodeURIComponent(request.url ?? '').replaceAll('+', ' ');
    const token = request.headers['x-consul-token'] ?? request.headers.authorization ?? '';
    seen.add(`${path} ${String(token)}`.trim());
    const answer = answers.get(path.split('?', 1)[0]);
    const status = typeof answer === 'number' ? answer : answer === undefined ? 404 : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? 'none'));
  };
  const paths = ['/services', '/tasks', '/nodes', '/networks', '/containers/json', '/v1/services'];
  const more = ['/v1/service/redis', '/v1/catalog/services'];
  const services = ['web', 'db'].map((name) => `/v1/health/service/${name}`);
  const all = [...paths, ...more, ...services];
  const server = await startTargetServer(Object.fromEntries(all.map((path) => [path, handler])));
  t.after(() => server.close());
  return { server, seen };
}

test(
  'Consul: instances with health and tags, services that come, go and fail',
  limit,
  async (t) => {
    const web = {
      Node: {
        ID: '40e4a748',
        Node: 'foobar',
        Address: '10.1.10.12',
        Datacenter: 'dc1',
        TaggedAddresses: { lan: '10.1.10.12', wan: '8.8.8.8' },
        Meta: { 'instance-type': 'm5.large' },
      },
      Service: {
        ID: 'web-1',
        Service: 'web',
        Tags: ['primary', 'v1'],
        Address: '10.1.10.13',
        Port: 8000,
        Meta: { version: '4.0' },
        Namespace: 'default',
      },
      Checks: [
        { CheckID: 'serfHealth', Status: 'passing' },
        { CheckID: 'service:web', Status: 'warning' },
      ],
    };
    const db = {
      Node: { Node: 'other', Address: 'fe80::1', Datacenter: 'dc1' },
      Service: { ID: 'db-1', Service: 'db', Tags: [], Address: '', Port: 5432 },
      Checks: [
        { CheckID: 'a', Status: 'critical' },
        { CheckID: '_node_maintenance', Status: 'critical' },
      ],
    };
    const answers = new Map<string, unknown>([
      ['/v1/catalog/services', { consul: [], web: ['primary', 'v1'], db: ['primary'] }],
      ['/v1/health/service/web', [web]],
      ['/v1/health/service/db', [db]],
    ]);
    const { server, seen } = await api(t, answers);
    const rig = await discover(t, '/tmp', [
      `consul_sd_configs: [{server: "${server.address}", token: secret, tags: [primary],`,
      '  datacenter: dc1, node_meta: {rack: "1"}, refresh_interval: 500ms}]',
    ]);
    const m = '__meta_consul_';
    const webLabels = [
      `__address__=10.1.10.13:8000 ${m}dc=dc1 ${m}address=10.1.10.12 ${m}node=foobar`,
      `${m}namespace=default ${m}tags=,primary,v1, ${m}service_address=10.1.10.13`,
      `${m}service_port=8000 ${m}service_id=web-1 ${m}health=warning`,
      `${m}metadata_instance_type=m5.large ${m}service_metadata_version=4.0`,
      `${m}tagged_address_lan=10.1.10.12 ${m}tagged_address_wan=8.8.8.8 ${m}service=web`,
    ].join(' ');
    const dbLabels = [
      `__address__=[fe80::1]:5432 ${m}dc=dc1 ${m}address=fe80::1 ${m}node=other`,
      `${m}service_port=5432 ${m}service_id=db-1 ${m}health=maintenance ${m}service=db`,
    ].join(' ');
    await rig.becomes(webLabels, dbLabels);
    const query = 'dc=dc1&node-meta=rack:1&stale=';
    assert.deepEqual([...seen].sort(), [
      `/v1/catalog/services?${query} secret`,
      `/v1/health/service/db?${query}&tag=primary secret`,
      `/v1/health/service/web?${query}&tag=primary secret`,
    ]);

    answers.set('/v1/health/service/web', 500);
    await rig.warns(/cannot get \/v1\/health\/service\/web: the answer has status 500/);
    await rig.becomes(webLabels, dbLabels);

    answers.set('/v1/catalog/services', { db: ['primary'], web: ['v1'] });
    await rig.becomes(dbLabels);
  },
);

test('Consul: services that are named need no catalog', limit, async (t) => {
  const { server, seen } = await api(t, new Map([['/v1/health/service/db', []]]));
  const rig = await discover(t, '/tmp', [
    `consul_sd_configs: [{server: "${server.address}", services: [db], allow_stale: false,`,
    '  username: me, password: secret, health_filter: "a == b"}]',
  ]);
  await rig.becomes();
  for (let left = 200; left > 0 && seen.size === 0; left -= 1) {
    await new Promise((resolve) => void setTimeout(resolve, 10));
  }
  const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`;
  assert.deepEqual([...seen], [`/v1/health/service/db?filter=a == b ${basic}`]);
});

test('Nomad: services of a namespace', limit, async (t) => {
  const instance = {
    Address: '127.0.0.1',
    AllocID: '177160af',
    Datacenter: 'dc1',
    JobID: 'example',
    ID: '_nomad-task-177160af',
    Namespace: 'default',
    NodeID: '7406e90b',
    Port: 29702,
    ServiceName: 'redis',
    Tags: ['cache', 'db'],
  };
  const { server, seen } = await api(
    t,
    new Map<string, unknown>([
      ['/v1/services', [{ Namespace: 'default', Services: [{ ServiceName: 'redis', Tags: [] }] }]],
      ['/v1/service/redis', [instance]],
    ]),
  );
  const rig = await discover(t, '/tmp', [
    `nomad_sd_configs: [{server: "http://${server.address}"}]`,
  ]);
  const m = '__meta_nomad_';
  await rig.becomes(
    [
      `__address__=127.0.0.1:29702 ${m}address=127.0.0.1 ${m}dc=dc1 ${m}namespace=default`,
      `${m}node_id=7406e90b ${m}service=redis ${m}service_address=127.0.0.1`,
      `${m}service_id=_nomad-task-177160af ${m}service_port=29702 ${m}tags=,cache,db,`,
    ].join(' '),
  );
  const query = 'namespace=default&region=global&stale=';
  assert.deepEqual([...seen], [`/v1/services?${query}`, `/v1/service/redis?${query}`]);
});

const networks = [
  {
    Name: 'bridge',
    Id: 'n1',
    Scope: 'local',
    Internal: false,
    Ingress: false,
    Labels: { 'com.example.team': 'a' },
  },
  { Name: 'other', Id: 'n2', Scope: 'swarm', Internal: true, Ingress: false, Labels: {} },
];
const containers = [
  {
    Id: '8dfafdbc3a40',
    Names: ['/boring_feynman'],
    Labels: { 'com.example.v': '1' },
    Ports: [
      { IP: '0.0.0.0', PrivatePort: 2222, PublicPort: 3333, Type: 'tcp' },
      { PrivatePort: 53, Type: 'udp' },
    ],
    HostConfig: { NetworkMode: 'bridge' },
    NetworkSettings: {
      Networks: {
        other: { NetworkID: 'n2', IPAddress: '10.0.0.2' },
        bridge: { NetworkID: 'n1', IPAddress: '172.17.0.2' },
      },
    },
  },
  {
    Id: '9cd87474be90',
    Names: ['/sidecar'],
    Labels: {},
    Ports: [],
    HostConfig: { NetworkMode: 'container:8dfafdbc3a40' },
    NetworkSettings: { Networks: {} },
  },
  {
    Id: '3176a2479c92',
    Names: ['/host'],
    Labels: {},
    Ports: [],
    HostConfig: { NetworkMode: 'host' },
    NetworkSettings: { Networks: { host: { NetworkID: 'n3', IPAddress: '' } } },
  },
  { Id: 'nameless', Names: [] },
];

function dockerTargets(): string[] {
  const m = '__meta_docker_';
  const network = [
    `${m}network_id=n1 ${m}network_name=bridge ${m}network_scope=local`,
    `${m}network_internal=false ${m}network_ingress=false ${m}network_label_com_example_team=a`,
  ].join(' ');
  return [
    [
      `__address__=172.17.0.2:2222 ${m}container_id=8dfafdbc3a40`,
      `${m}container_name=/boring_feynman ${m}container_network_mode=bridge`,
      `${m}container_label_com_example_v=1 ${m}network_ip=172.17.0.2 ${network}`,
      `${m}port_private=2222 ${m}port_public=3333 ${m}port_public_ip=0.0.0.0`,
    ].join(' '),
    [
      `__address__=172.17.0.2:6060 ${m}container_id=9cd87474be90 ${m}container_name=/sidecar`,
      `${m}container_network_mode=container:8dfafdbc3a40 ${m}network_ip=172.17.0.2 ${network}`,
    ].join(' '),
    `__address__=me ${m}container_id=3176a2479c92 ${m}container_name=/host ${m}container_network_mode=host`,
  ];
}

test('Docker: ports, networks of others, the host’s, and filters', limit, async (t) => {
  const answers = new Map<string, unknown>([
    ['/containers/json', containers],
    ['/networks', networks],
  ]);
  const { server, seen } = await api(t, answers);
  const rig = await discover(t, '/tmp', [
    `docker_sd_configs: [{host: "tcp://${server.address}", port: 6060, host_networking_host: me,`,
    '  filters: [{name: label, values: [a]}, {name: label, values: [b]}]}]',
  ]);
  await rig.becomes(...dockerTargets());
  assert.ok(seen.has('/containers/json?filters={"label":["a","b"]}'));
  const all = await discover(t, '/tmp', [
    `docker_sd_configs: [{host: "http://${server.address}", match_first_network: false}]`,
  ]);
  for (let left = 400; left > 0 && all.discovered() !== 5; left -= 1) {
    await new Promise((resolve) => void setTimeout(resolve, 10));
  }
  assert.equal(all.discovered(), 5);
});

test('Docker: the socket of the machine', limit, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'docker-'));
  const server = createServer((request, response) => {
    response.end(JSON.stringify(request.url === '/networks' ? networks : containers));
  });
  await new Promise<void>((resolve) => void server.listen(join(folder, 'docker.sock'), resolve));
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
    await rm(folder, { recursive: true });
  });
  const rig = await discover(t, folder, [
    `docker_sd_configs: [{host: "unix://${folder}/docker.sock", port: 6060,`,
    '  host_networking_host: me}]',
  ]);
  await rig.becomes(...dockerTargets());
});

test('Docker Swarm: nodes, services and tasks', limit, async (t) => {
  const node = {
    ID: '24ifsmvkjbyhk',
    Spec: { Role: 'manager', Availability: 'active', Labels: { foo: 'bar' } },
    Description: {
      Hostname: 'bf3067039e47',
      Platform: { Architecture: 'x86_64', OS: 'linux' },
      Engine: { EngineVersion: '17.06.0' },
    },
    Status: { State: 'ready', Addr: '172.17.0.2' },
    ManagerStatus: { Leader: true, Reachability: 'reachable', Addr: '10.0.0.46:2377' },
  };
  const service = {
    ID: '9mnpnzenvg8p8',
    Spec: {
      Name: 'hopeful_cori',
      Labels: { tier: 'web' },
      Mode: { Replicated: { Replicas: 1 } },
      TaskTemplate: { ContainerSpec: { Image: 'redis', Hostname: 'h' } },
    },
    Endpoint: {
      Ports: [
        {
          Name: 'p',
          Protocol: 'tcp',
          TargetPort: 6379,
          PublishedPort: 30001,
          PublishMode: 'ingress',
        },
        { Protocol: 'udp', TargetPort: 53, PublishedPort: 30002 },
      ],
      VirtualIPs: [{ NetworkID: 'n2', Addr: '10.255.0.2/16' }],
    },
    UpdateStatus: { State: 'completed' },
  };
  const task = {
    ID: '0kzzo1i0y4jz6',
    ServiceID: '9mnpnzenvg8p8',
    NodeID: '24ifsmvkjbyhk',
    Slot: 1,
    DesiredState: 'running',
    Spec: { ContainerSpec: { Labels: { c: 'd' } } },
    Status: {
      State: 'running',
      ContainerStatus: { ContainerID: 'e5d62702' },
      PortStatus: { Ports: [{ Protocol: 'tcp', PublishedPort: 8080, PublishMode: 'host' }] },
    },
    NetworksAttachments: [{ Network: { ID: 'n2' }, Addresses: ['10.255.0.10/16'] }],
  };
  const { server } = await api(
    t,
    new Map<string, unknown>([
      ['/nodes', [node]],
      ['/services', [service]],
      ['/tasks', [task]],
      ['/networks', networks],
    ]),
  );
  const m = '__meta_dockerswarm_';
  const names = (...pairs: readonly string[]): string => pairs.map((one) => m + one).join(' ');
  const ofNode = names(
    'node_id=24ifsmvkjbyhk',
    'node_address=172.17.0.2',
    'node_availability=active',
    'node_hostname=bf3067039e47',
    'node_platform_architecture=x86_64',
    'node_platform_os=linux',
    'node_role=manager',
    'node_status=ready',
    'node_label_foo=bar',
  );
  const ofService = names(
    'service_id=9mnpnzenvg8p8',
    'service_name=hopeful_cori',
    'service_mode=replicated',
    'service_label_tier=web',
  );
  const ofNetwork = names(
    'network_id=n2',
    'network_name=other',
    'network_scope=swarm',
    'network_internal=true',
    'network_ingress=false',
  );
  const manager = names(
    'node_engine_version=17.06.0',
    'node_manager_address=10.0.0.46:2377',
    'node_manager_leader=true',
    'node_manager_reachability=reachable',
  );
  const ofTask = names(
    'task_id=0kzzo1i0y4jz6',
    'task_container_id=e5d62702',
    'task_desired_state=running',
    'task_slot=1',
    'task_state=running',
    'container_label_c=d',
  );
  const becomes = async (role: string, ...targets: readonly string[]): Promise<void> => {
    const rig = await discover(t, '/tmp', [
      `dockerswarm_sd_configs: [{host: "http://${server.address}", role: ${role}}]`,
    ]);
    await rig.becomes(...targets);
  };
  await becomes('nodes', `__address__=172.17.0.2:80 ${ofNode} ${manager}`);
  const ofTemplate = names(
    'service_task_container_hostname=h',
    'service_task_container_image=redis',
    'service_updating_status=completed',
  );
  const ofPort = names(
    'service_endpoint_port_name=p',
    'service_endpoint_port_publish_mode=ingress',
  );
  await becomes(
    'services',
    `__address__=10.255.0.2:30001 ${ofService} ${ofTemplate} ${ofNetwork} ${ofPort}`,
  );
  const common = `${ofTask} ${ofService} ${ofNode}`;
  await becomes(
    'tasks',
    `__address__=172.17.0.2:8080 ${common} ${names('task_port_publish_mode=host')}`,
    `__address__=10.255.0.10:30001 ${common} ${ofNetwork} ${names('task_port_publish_mode=ingress')}`,
  );
});
