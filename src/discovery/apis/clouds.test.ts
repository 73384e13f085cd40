// Tests of discovery in clouds that do not have a test file of their own.
import assert from 'node:assert/strict';
import { createVerify, generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import type { Answer, Asked } from '../../http-client/fake/cloud-server.ts';
import { type Cloud, startCloud, target } from '../fake/cloud.ts';

const limit = { timeout: 20_000 };

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

const gceInstance = {
  id: '4503599627370496123',
  name: 'i-1',
  status: 'RUNNING',
  zone: 'https://www.googleapis.com/compute/v1/projects/p/zones/europe-west1-b',
  machineType: 'https://www.googleapis.com/compute/v1/projects/p/zones/z/machineTypes/e2-micro',
  networkInterfaces: [
    {
      name: 'nic0',
      network: 'global/networks/default',
      subnetwork: 'sub',
      networkIP: '10.132.0.2',
      accessConfigs: [{ type: 'ONE_TO_ONE_NAT', natIP: '34.1.2.3' }],
    },
    { name: 'nic1', networkIP: '10.9.0.2' },
  ],
  tags: { items: ['http', 'db'] },
  metadata: { items: [{ key: 'ssh-keys', value: 'k' }] },
  labels: { 'goog-fleet': 'a' },
};

function gceTarget(): string {
  const url = 'https://www.googleapis.com/compute/v1/projects/p';
  return target(
    '10.132.0.2:80',
    'gce',
    'project=p',
    `zone=${url}/zones/europe-west1-b`,
    'instance_id=4503599627370496123',
    'instance_name=i-1',
    'instance_status=RUNNING',
    `machine_type=${url}/zones/z/machineTypes/e2-micro`,
    'network=global/networks/default',
    'subnetwork=sub',
    'private_ip=10.132.0.2',
    'public_ip=34.1.2.3',
    'tags=,http,db,',
    'interface_ipv4_nic0=10.132.0.2',
    'interface_ipv4_nic1=10.9.0.2',
    'metadata_ssh_keys=k',
    'label_goog_fleet=a',
  );
}

test('GCE: instances by a service account, and by the account of the machine', limit, async (t) => {
  const list = '/compute/v1/projects/p/zones/europe-west1-b/instances';
  let assertion = '';
  const files: Record<string, string> = {};
  const cloud = await startCloud(
    t,
    {
      'POST /token': ({ body }) => {
        const form = new URLSearchParams(body);
        assert.equal(form.get('grant_type'), 'urn:ietf:params:oauth:grant-type:jwt-bearer');
        assertion = form.get('assertion') ?? '';
        return { access_token: 'ya29', expires_in: 3599, token_type: 'Bearer' };
      },
      'GET /computeMetadata/v1/instance/service-accounts/default/token': ({ headers }) =>
        headers['metadata-flavor'] === 'Google' ? { access_token: 'own', expires_in: 3000 } : 403,
      [`GET ${list}?filter=labels.a:*`]: ({ headers }) =>
        headers.authorization === 'Bearer ya29'
          ? { items: [gceInstance, { networkInterfaces: [] }], nextPageToken: 'n' }
          : 401,
      [`GET ${list}?filter=labels.a:*&pageToken=n`]: {},
      [`GET ${list}`]: ({ headers }) =>
        headers.authorization === 'Bearer own' ? { items: [gceInstance] } : 401,
    },
    files,
  );
  const account = { client_email: 'me@p.iam', private_key: privateKey, private_key_id: 'kid' };
  files['/f/account.json'] = JSON.stringify({
    type: 'service_account',
    ...account,
    token_uri: `${cloud.url}/token`,
  });
  const rig = await cloud.discover(
    ['gce_sd_configs: [{project: p, zone: europe-west1-b, filter: "labels.a:*"}]'],
    { GOOGLE_APPLICATION_CREDENTIALS: '/f/account.json' },
  );
  await rig.becomes(gceTarget());
  const [header, claims, signature] = assertion.split('.');
  const verify = createVerify('RSA-SHA256').update(`${header}.${claims}`);
  assert.ok(verify.verify(publicKey, Buffer.from(signature, 'base64url')));
  const { iss, aud, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  assert.deepEqual([iss, aud, exp - iat], ['me@p.iam', `${cloud.url}/token`, 3_600]);

  const machine = await cloud.discover(['gce_sd_configs: [{project: p, zone: europe-west1-b}]'], {
    GCE_METADATA_HOST: cloud.url.replace('http://', ''),
  });
  await machine.becomes(gceTarget());
});

const group = '/subscriptions/s/resourceGroups/Group';
const compute = 'providers/Microsoft.Compute';
const interfacePath = (name: string): string =>
  `${group}/providers/Microsoft.Network/networkInterfaces/${name}`;

function azureMachine(name: string, nic: string): object {
  return {
    id: `${group}/${compute}/virtualMachines/${name}`,
    name,
    type: 'Microsoft.Compute/virtualMachines',
    location: 'westeurope',
    tags: { 'cost-center': '7' },
    properties: {
      hardwareProfile: { vmSize: 'Standard_B1s' },
      storageProfile: { osDisk: { osType: 'Linux' } },
      osProfile: { computerName: `${name}-host` },
      networkProfile: { networkInterfaces: [{ id: nic }] },
    },
  };
}

function azureNic(privateIp: string, publicIp?: string): object {
  const publicAddress =
    publicIp === undefined ? {} : { publicIPAddress: { properties: { ipAddress: publicIp } } };
  const properties = { privateIPAddress: privateIp, ...publicAddress };
  return { properties: { primary: true, ipConfigurations: [{ properties }] } };
}

function azureTarget(name: string, ip: string, ...more: readonly string[]): string {
  const set = more.find((pair) => pair.startsWith('machine_scale_set'));
  const folder = set
    ? `virtualMachineScaleSets/set/virtualMachines/${name}`
    : `virtualMachines/${name}`;
  return target(
    `${ip}:80`,
    'azure',
    'subscription_id=s',
    'tenant_id=t',
    `machine_id=${group}/${compute}/${folder}`,
    `machine_name=${name}`,
    `machine_computer_name=${name}-host`,
    'machine_os_type=Linux',
    'machine_location=westeurope',
    'machine_resource_group=Group',
    'machine_size=Standard_B1s',
    ...(set ? [set] : []),
    'machine_tag_cost_center=7',
    `machine_private_ip=${ip}`,
    ...more.filter((pair) => pair !== set),
  );
}

test(
  'Azure: machines and scale sets by a client secret; deleted ones are left out',
  limit,
  async (t) => {
    const inSet = `${group}/${compute}/virtualMachineScaleSets/set`;
    const setNic = `${inSet}/virtualMachines/0/networkInterfaces/n`;
    const bearer = (answer: object) => (asked: Asked) =>
      asked.headers.authorization === 'Bearer azure' ? answer : 401;
    const cloud: Cloud = await startCloud(t, {
      'POST /t/oauth2/v2.0/token': ({ body }) => {
        const form = new URLSearchParams(body);
        assert.equal(form.get('client_secret'), 'c+s');
        assert.equal(form.get('scope'), `${cloud.url}/.default`);
        return { token_type: 'Bearer', expires_in: 3599, access_token: 'azure' };
      },
      [`GET /subscriptions/s/${compute}/virtualMachines?api-version=2024-07-01`]: bearer({
        value: [
          azureMachine('vm1', interfacePath('n1')),
          azureMachine('gone', interfacePath('none')),
        ],
        get nextLink() {
          return `${cloud.url}/page2`;
        },
      }),
      'GET /page2': bearer({ value: [azureMachine('stopped', interfacePath('n2'))] }),
      [`GET /subscriptions/s/${compute}/virtualMachineScaleSets`]: bearer({
        value: [{ id: inSet, name: 'set' }],
      }),
      [`GET ${inSet}/virtualMachines`]: bearer({
        value: [
          { ...azureMachine('0', setNic), id: `${inSet}/virtualMachines/0`, instanceId: '0' },
        ],
      }),
      [`GET ${interfacePath('n1')}`]: bearer(azureNic('10.0.0.4', '20.1.1.1')),
      [`GET ${interfacePath('n2')}`]: bearer({ properties: {} }),
      [`GET ${setNic}`]: bearer(azureNic('10.0.0.5')),
    });
    const rig = await cloud.discover(
      ['azure_sd_configs: [{subscription_id: s, tenant_id: t, client_id: c, client_secret: c+s}]'],
      { AZURE_AUTHORITY_HOST: cloud.url },
    );
    await rig.becomes(
      azureTarget('vm1', '10.0.0.4', 'machine_public_ip=20.1.1.1'),
      azureTarget('0', '10.0.0.5', 'machine_scale_set=set'),
    );
  },
);

test('Azure: the identities of a machine and of a workload', limit, async (t) => {
  const empty = (asked: Asked): Answer =>
    asked.headers.authorization === 'Bearer azure' ? { value: [] } : 401;
  const cloud = await startCloud(
    t,
    {
      'GET /metadata/identity/oauth2/token': ({ url, headers }) =>
        headers['metadata'] === 'true' && url.endsWith('&client_id=mine')
          ? { access_token: 'azure', expires_in: '86399' }
          : 400,
      'POST /t/oauth2/v2.0/token': ({ body }) =>
        new URLSearchParams(body).get('client_assertion') === 'jwt'
          ? { access_token: 'azure', expires_in: 3599 }
          : 400,
      [`GET ${group}/${compute}/virtualMachines`]: empty,
      [`GET ${group}/${compute}/virtualMachineScaleSets`]: empty,
    },
    { '/f/token': 'jwt\n' },
  );
  const common = 'subscription_id: s, resource_group: Group, client_id: mine';
  const managed = await cloud.discover(
    [`azure_sd_configs: [{${common}, authentication_method: ManagedIdentity}]`],
    { AZURE_POD_IDENTITY_AUTHORITY_HOST: cloud.url },
  );
  await managed.finds();
  const workload = await cloud.discover(
    [`azure_sd_configs: [{${common}, tenant_id: t, authentication_method: WorkloadIdentity}]`],
    { AZURE_AUTHORITY_HOST: cloud.url, AZURE_FEDERATED_TOKEN_FILE: '/f/token' },
  );
  await workload.finds();
});

test('DigitalOcean: droplets of all pages, and databases', limit, async (t) => {
  const droplet = {
    id: 3164444,
    name: 'example.com',
    status: 'active',
    size_slug: 's-1vcpu-1gb',
    vpc_uuid: '760e09ef',
    features: ['backups', 'ipv6'],
    tags: ['web'],
    image: { slug: 'ubuntu-16-04-x64', name: '16.04 x64' },
    region: { slug: 'nyc3' },
    networks: {
      v4: [
        { ip_address: '10.128.192.124', type: 'private' },
        { ip_address: '192.241.165.154', type: 'public' },
      ],
      v6: [{ ip_address: '2604:a880::2a', type: 'public' }],
    },
  };
  const database = {
    id: '9cc10173',
    name: 'backend',
    engine: 'pg',
    version: '14',
    num_nodes: 2,
    region: 'nyc3',
    status: 'online',
    size: 'db-s-2vcpu-4gb',
    tags: ['prod.x'],
    connection: { host: 'backend.db.ondigitalocean.com' },
    private_connection: { host: 'private-backend.db.ondigitalocean.com' },
  };
  const withToken = (answer: Answer) => (asked: Asked) =>
    asked.headers.authorization === 'Bearer do' ? answer : 401;
  const next = { links: { pages: { next: 'https://api.digitalocean.com/v2/droplets?page=2' } } };
  const cloud = await startCloud(t, {
    'GET /v2/droplets?page=1&per_page=200': withToken({ droplets: [droplet], ...next }),
    'GET /v2/droplets?page=2&per_page=200': withToken({ droplets: [{ networks: {} }], links: {} }),
    'GET /v2/databases': withToken({ databases: [database] }),
  });
  const rig = await cloud.discover(['digitalocean_sd_configs: [{bearer_token: do}]']);
  const ips = ['private_ipv4=10.128.192.124', 'public_ipv4=192.241.165.154'];
  await rig.becomes(
    target(
      '192.241.165.154:80',
      'digitalocean',
      'droplet_id=3164444',
      'droplet_name=example.com',
      'image=ubuntu-16-04-x64',
      'image_name=16.04 x64',
      ...ips,
      'public_ipv6=2604:a880::2a',
      'region=nyc3',
      'size=s-1vcpu-1gb',
      'status=active',
      'vpc=760e09ef',
      'features=,backups,ipv6,',
      'tags=,web,',
    ),
  );
  const databases = await cloud.discover([
    'digitalocean_sd_configs: [{role: databases, port: 9273, bearer_token: do}]',
  ]);
  const host = 'private-backend.db.ondigitalocean.com';
  await databases.becomes(
    target(
      `${host}:9273`,
      'digitalocean',
      'db_id=9cc10173',
      'db_name=backend',
      'db_engine=pg',
      'db_version=14',
      'db_status=online',
      'db_region=nyc3',
      'db_size=db-s-2vcpu-4gb',
      'db_num_nodes=2',
      'db_host=backend.db.ondigitalocean.com',
      `db_private_host=${host}`,
      'db_tag_prod_x=true',
    ),
  );
});

test('Hetzner: servers of the cloud with their networks, and dedicated ones', limit, async (t) => {
  const server = {
    id: 42,
    name: 'my-server',
    status: 'running',
    labels: { 'my-key': 'my-value' },
    public_net: { ipv4: { ip: '1.2.3.4' }, ipv6: { ip: '2001:db8::/64' } },
    server_type: { name: 'cx11', cores: 1, cpu_type: 'shared', memory: 1.5, disk: 25 },
    datacenter: { name: 'fsn1-dc8', location: { name: 'fsn1', network_zone: 'eu-central' } },
    image: {
      name: 'ubuntu-20.04',
      description: 'Ubuntu 20.04',
      os_flavor: 'ubuntu',
      os_version: '20.04',
    },
    private_net: [{ network: 4711, ip: '10.0.0.2' }],
  };
  const page = (next: number | null): object => ({ meta: { pagination: { next_page: next } } });
  const robot = {
    server: {
      server_ip: '123.123.123.123',
      server_number: 321,
      server_name: 'server1',
      product: 'DS 3000',
      dc: 'NBG1-DC1',
      status: 'ready',
      cancelled: false,
      subnet: [{ ip: '2a01:4f8:111:4221::', mask: '64' }],
    },
  };
  const cloud = await startCloud(t, {
    'GET /v1/servers?page=1&per_page=50&label_selector=a': { servers: [], ...page(2) },
    'GET /v1/servers?page=2&per_page=50&label_selector=a': { servers: [server], ...page(null) },
    'GET /v1/networks': { networks: [{ id: 4711, name: 'my net' }], ...page(null) },
    'GET /server': ({ headers }) =>
      headers.authorization === `Basic ${btoa('u:p')}` ? [robot] : 401,
  });
  const rig = await cloud.discover([
    'hetzner_sd_configs: [{role: hcloud, bearer_token: x, label_selector: a}]',
  ]);
  await rig.becomes(
    target(
      '1.2.3.4:80',
      'hetzner',
      'role=hcloud',
      'server_id=42',
      'server_name=my-server',
      'server_status=running',
      'datacenter=fsn1-dc8',
      'public_ipv4=1.2.3.4',
      'public_ipv6_network=2001:db8::/64',
      'hcloud_location=fsn1',
      'hcloud_location_network_zone=eu-central',
      'hcloud_datacenter_location=fsn1',
      'hcloud_datacenter_location_network_zone=eu-central',
      'hcloud_server_type=cx11',
      'hcloud_cpu_cores=1',
      'hcloud_cpu_type=shared',
      'hcloud_memory_size_gb=1',
      'hcloud_disk_size_gb=25',
      'hcloud_image_name=ubuntu-20.04',
      'hcloud_image_description=Ubuntu 20.04',
      'hcloud_image_os_version=20.04',
      'hcloud_image_os_flavor=ubuntu',
      'hcloud_private_ipv4_my_net=10.0.0.2',
      'hcloud_labelpresent_my_key=true',
      'hcloud_label_my_key=my-value',
    ),
  );
  const dedicated = await cloud.discover([
    'hetzner_sd_configs: [{role: robot, basic_auth: {username: u, password: p}}]',
  ]);
  await dedicated.becomes(
    target(
      '123.123.123.123:80',
      'hetzner',
      'role=robot',
      'server_id=321',
      'server_name=server1',
      'server_status=ready',
      'datacenter=nbg1-dc1',
      'public_ipv4=123.123.123.123',
      'public_ipv6_network=2a01:4f8:111:4221::/64',
      'robot_datacenter=nbg1-dc1',
      'robot_product=DS 3000',
      'robot_cancelled=false',
    ),
  );
});

test('Eureka: instances of applications, with their metadata', limit, async (t) => {
  const apps = `<applications><apps__hashcode>UP_1_</apps__hashcode>
  <application><name>CONFIG-SERVICE</name><instance>
    <instanceId>config-service001:8080</instanceId><hostName>config-service001.test.com</hostName>
    <ipAddr>192.133.83.31</ipAddr><status>UP</status>
    <port enabled="true">8080</port><securePort enabled="false">8443</securePort>
    <countryId>1</countryId>
    <dataCenterInfo class="com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo"><name>MyOwn</name>
      <metadata><instance-id>i-1</instance-id></metadata></dataCenterInfo>
    <metadata><management.port>8090</management.port></metadata>
    <homePageUrl>http://config-service001.test.com:8080/</homePageUrl>
    <vipAddress>config-service</vipAddress>
  </instance></application></applications>`;
  const cloud = await startCloud(t, {
    'GET /apps': ({ headers }) => (headers.accept === 'application/xml' ? apps : 406),
  });
  const rig = await cloud.discover([`eureka_sd_configs: [{server: "http://example.com/eureka"}]`]);
  await rig.becomes(
    `${target(
      'config-service001.test.com:8080',
      'eureka',
      'app_name=CONFIG-SERVICE',
      'app_instance_id=config-service001:8080',
      'app_instance_hostname=config-service001.test.com',
      'app_instance_ip_addr=192.133.83.31',
      'app_instance_status=UP',
      'app_instance_homepage_url=http://config-service001.test.com:8080/',
      'app_instance_vip_address=config-service',
      'app_instance_country_id=1',
      'app_instance_datacenterinfo_name=MyOwn',
      'app_instance_port=8080',
      'app_instance_port_enabled=true',
      'app_instance_secure_port=8443',
      'app_instance_secure_port_enabled=false',
      'app_instance_datacenterinfo_metadata_instance_id=i-1',
      'app_instance_metadata_management_port=8090',
    )} instance=config-service001:8080`,
  );
});

test('PuppetDB: resources of a query, with parameters that are wanted', limit, async (t) => {
  const resource = {
    certname: 'edinburgh.example.com',
    resource: '49af83',
    type: 'Apache::Vhost',
    title: 'example',
    exported: false,
    tags: ['vhost', 'apache'],
    file: '/etc/site.pp',
    environment: 'prod',
    parameters: { port: 22, ssl: true, labels: { alias: 'edinburgh' }, list: ['a', 1], none: null },
  };
  const cloud = await startCloud(t, {
    'POST /pdb/query/v4': ({ body }) => (body === '{"query":"vhosts { }"}' ? [resource] : 400),
  });
  const lines = (more: string): string[] => [
    `puppetdb_sd_configs: [{url: "http://puppet", query: "vhosts { }", port: 9100${more}}]`,
  ];
  const common = [
    'query=vhosts { }',
    'certname=edinburgh.example.com',
    'resource=49af83',
    'type=Apache::Vhost',
    'title=example',
    'exported=false',
    'file=/etc/site.pp',
    'environment=prod',
    'tags=,vhost,apache,',
  ];
  const rig = await cloud.discover(lines(''));
  await rig.becomes(target('edinburgh.example.com:9100', 'puppetdb', ...common));
  const whole = await cloud.discover(lines(', include_parameters: true'));
  await whole.becomes(
    target(
      'edinburgh.example.com:9100',
      'puppetdb',
      ...common,
      'parameter_port=22',
      'parameter_ssl=true',
      'parameter_labels_alias=edinburgh',
      'parameter_list=a,1',
    ),
  );
});

test('OpenStack: instances, hypervisors and load balancers of a region', limit, async (t) => {
  const withToken = (answer: object) => (asked: Asked) =>
    asked.headers['x-auth-token'] === 'token' ? answer : 401;
  const bodies: string[] = [];
  const cloud: Cloud = await startCloud(t, {
    'POST /v3/auth/tokens': ({ body }) => {
      bodies.push(body);
      const endpoint = (path: string, region = 'RegionOne'): object => ({
        interface: 'public',
        region,
        url: `${cloud.url}${path}`,
      });
      const catalog = [
        { type: 'compute', endpoints: [endpoint('/other', 'RegionTwo'), endpoint('/v2.1')] },
        { type: 'network', endpoints: [endpoint('')] },
        { type: 'load-balancer', endpoints: [endpoint('/lb')] },
      ];
      const json = { token: { catalog, expires_at: '2099-01-01T00:00:00.000000Z' } };
      return { json, headers: { 'x-subject-token': 'token' } };
    },
    'GET /v2.0/ports': withToken({ ports: [{ id: 'port1', device_id: 'srv1' }] }),
    'GET /v2.0/floatingips': withToken({
      floatingips: [
        { floating_ip_address: '172.24.4.227', fixed_ip_address: '10.0.0.32', port_id: 'port1' },
        { floating_ip_address: '192.168.1.2', port_id: 'vip-port' },
      ],
    }),
    'GET /v2.1/servers/detail?all_tenants=true': withToken({
      servers: [
        {
          id: 'srv1',
          name: 'herp',
          status: 'ACTIVE',
          tenant_id: 'p1',
          user_id: 'u1',
          flavor: { id: '1' },
          image: { id: 'img' },
          metadata: { 'env-a': 'prod' },
          addresses: { private: [{ addr: '10.0.0.32' }, { addr: '172.24.4.227' }] },
        },
      ],
      get servers_links() {
        return [{ rel: 'next', href: `${cloud.url}/v2.1/servers/detail?marker=srv1` }];
      },
    }),
    'GET /v2.1/servers/detail?marker=srv1': withToken({ servers: [{ id: 'none', addresses: {} }] }),
    'GET /v2.1/os-hypervisors/detail': withToken({
      hypervisors: [
        {
          id: 1,
          hypervisor_hostname: 'nc14',
          host_ip: '172.16.70.14',
          status: 'enabled',
          state: 'up',
          hypervisor_type: 'QEMU',
        },
      ],
    }),
    'GET /lb/v2.0/lbaas/loadbalancers': withToken({
      loadbalancers: [
        {
          id: 'lb1',
          name: 'lb',
          vip_address: '10.0.0.9',
          vip_port_id: 'vip-port',
          operating_status: 'ONLINE',
          provisioning_status: 'ACTIVE',
          provider: 'amphora',
          project_id: 'p1',
          tags: ['a', 'b'],
          availability_zone: 'az1',
        },
        { id: 'lb2', vip_address: '10.0.0.10' },
      ],
    }),
    'GET /lb/v2.0/lbaas/listeners': withToken({
      listeners: [{ protocol: 'PROMETHEUS', protocol_port: 9273, loadbalancers: [{ id: 'lb1' }] }],
    }),
  });
  const lines = (more: string): string[] => [
    `openstack_sd_configs: [{region: RegionOne, identity_endpoint: "${cloud.url}/v3", ${more}}]`,
  ];
  const login = 'username: me, password: pw, domain_name: Default, project_name: proj';
  const rig = await cloud.discover(lines(`role: instance, all_tenants: true, ${login}`));
  await rig.becomes(
    target(
      '10.0.0.32:80',
      'openstack',
      'instance_id=srv1',
      'instance_status=ACTIVE',
      'instance_name=herp',
      'project_id=p1',
      'user_id=u1',
      'instance_flavor=1',
      'instance_image=img',
      'tag_env_a=prod',
      'address_pool=private',
      'private_ip=10.0.0.32',
      'public_ip=172.24.4.227',
    ),
  );
  const domain = { name: 'Default' };
  assert.deepEqual(JSON.parse(bodies[0]), {
    auth: {
      identity: {
        methods: ['password'],
        password: { user: { name: 'me', domain, password: 'pw' } },
      },
      scope: { project: { name: 'proj', domain } },
    },
  });
  const hypervisors = await cloud.discover(
    ['openstack_sd_configs: [{role: hypervisor, region: RegionOne}]'],
    {
      OS_AUTH_URL: cloud.url,
      OS_APPLICATION_CREDENTIAL_ID: 'id',
      OS_APPLICATION_CREDENTIAL_SECRET: 'cs',
    },
  );
  await hypervisors.becomes(
    target(
      '172.16.70.14:80',
      'openstack',
      'hypervisor_id=1',
      'hypervisor_hostname=nc14',
      'hypervisor_host_ip=172.16.70.14',
      'hypervisor_status=enabled',
      'hypervisor_state=up',
      'hypervisor_type=QEMU',
    ),
  );
  assert.deepEqual(JSON.parse(bodies[1]).auth.identity, {
    methods: ['application_credential'],
    application_credential: { id: 'id', secret: 'cs' },
  });
  const balancers = await cloud.discover(lines(`role: loadbalancer, ${login}`));
  await balancers.becomes(
    target(
      '10.0.0.9:9273',
      'openstack',
      'loadbalancer_id=lb1',
      'loadbalancer_name=lb',
      'loadbalancer_operating_status=ONLINE',
      'loadbalancer_provisioning_status=ACTIVE',
      'loadbalancer_availability_zone=az1',
      'loadbalancer_vip=10.0.0.9',
      'loadbalancer_provider=amphora',
      'loadbalancer_tags=a,b',
      'loadbalancer_floating_ip=192.168.1.2',
      'project_id=p1',
    ),
  );
});

test('clouds that fail keep their last targets, and say why', limit, async (t) => {
  let status = 200;
  const cloud = await startCloud(t, {
    'GET /server': () => (status === 200 ? [{ server: { server_ip: '1.1.1.1' } }] : status),
  });
  const rig = await cloud.discover([
    'hetzner_sd_configs: [{role: robot, refresh_interval: 1s, basic_auth: {username: u, password: p}}]',
  ]);
  const labels = target(
    '1.1.1.1:80',
    'hetzner',
    'role=robot',
    'public_ipv4=1.1.1.1',
    'robot_cancelled=false',
  );
  await rig.becomes(labels);
  status = 500;
  await rig.warns(/cannot get \/server: the answer has status 500/);
  await rig.becomes(labels);
});
