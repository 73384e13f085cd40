// Hetzner: finds cloud servers or dedicated servers.
import { readWord, optional, required, text } from '../../config/schema/read.ts';
import { defineDiscovery, type SettingsOf } from '../kind/define.ts';
import { httpSettings, withUrl, common } from '../kind/settings.ts';
import { hostPort } from '../../base/text/host-port.ts';
import type { Label } from '../../model/labels.ts';
import { readList, type Json, listAt, mapAt, stringAt } from '../../base/text/json-values.ts';
import { type Names, prefixNames, sanitizeLabelName, targetLabels } from '../kind/meta-labels.ts';
import type { Query } from '../../http-client/send.ts';
import { type Ask, createPolledDiscoverer } from '../kind/polled.ts';

const prefix = '__meta_hetzner_';
const pageSize = 50;

const urls = { hcloud: 'https://api.hetzner.cloud', robot: 'https://robot-ws.your-server.de' };

/** Settings of discovery at Hetzner. */
const schema = withUrl(
  httpSettings({
    ...common,
    role: required(readWord(['hcloud', 'robot'])),
    label_selector: optional(text, ''),
  }),
  ({ role }) => urls[role],
);

type Config = SettingsOf<typeof schema>;

/** Sources: Hetzner's Cloud API, `/v1/servers`, and the web service of Robot, `/server`. */
export const hetzner = defineDiscovery({
  kind: 'hetzner',
  schema,
  discover(config, context) {
    return createPolledDiscoverer(config, context, async ({ ask }) => {
      const targets = await finders[config.role](config, ask);
      return [{ source: 'hetzner', targets, labels: [] }];
    });
  },
});

type Find = (config: Config, ask: Ask) => Promise<Label[][]>;

const finders: Readonly<Record<Config['role'], Find>> = {
  hcloud: async ({ labelSelector, port }, ask) => {
    const selected = labelSelector === '' ? [] : [['label_selector', labelSelector] as const];
    const servers = await readPages('servers', selected, ask);
    const networks = await readPages('networks', [], ask);
    const networkNames = new Map(
      networks.map((one) => [stringAt(one, 'id'), stringAt(one, 'name')]),
    );
    return servers.map((server) => {
      const names = cloudNames(server, networkNames);
      return targetLabels(hostPort(names.public_ipv4, port), prefix, names);
    });
  },
  robot: async ({ port }, ask) =>
    readList(await ask('/server')).map((item) => {
      const server = mapAt(item, 'server');
      const ip = stringAt(server, 'server_ip');
      return targetLabels(hostPort(ip, port), prefix, robotNames(server, ip));
    }),
};

async function readPages(key: string, query: Query, ask: Ask): Promise<readonly Json[]> {
  const items: Json[] = [];
  for (let page = '1'; page !== '';) {
    const paging = [['page', page] as const, ['per_page', String(pageSize)] as const];
    const answer = (await ask(`/v1/${key}`, [...paging, ...query])) as Json;
    items.push(...listAt(answer, key));
    page = stringAt(mapAt(mapAt(answer, 'meta'), 'pagination'), 'next_page');
  }
  return items;
}

function cloudNames(
  server: Json,
  networkNames: ReadonlyMap<string, string>,
): { readonly public_ipv4: string } & Names {
  const addresses = mapAt(server, 'public_net');
  const type = mapAt(server, 'server_type');
  const image = mapAt(server, 'image');
  // In older answers, the location is in the data center and not in the server.
  const ownLocation = mapAt(server, 'location');
  const datacenter = mapAt(server, 'datacenter');
  const location =
    stringAt(ownLocation, 'name') === '' ? mapAt(datacenter, 'location') : ownLocation;
  const [place, zone] = [stringAt(location, 'name'), stringAt(location, 'network_zone')];
  const labels = mapAt(server, 'labels');
  const privateAddresses = listAt(server, 'private_net').map((one) => {
    const network = networkNames.get(stringAt(one, 'network'));
    return [
      `hcloud_private_ipv4_${sanitizeLabelName(network ?? '')}`,
      network && stringAt(one, 'ip'),
    ] as const;
  });
  return {
    role: 'hcloud',
    server_id: stringAt(server, 'id'),
    server_name: stringAt(server, 'name'),
    server_status: stringAt(server, 'status'),
    datacenter: stringAt(datacenter, 'name'),
    public_ipv4: stringAt(mapAt(addresses, 'ipv4'), 'ip'),
    public_ipv6_network: stringAt(mapAt(addresses, 'ipv6'), 'ip'),
    hcloud_location: place,
    hcloud_location_network_zone: zone,
    hcloud_datacenter_location: place,
    hcloud_datacenter_location_network_zone: zone,
    hcloud_server_type: stringAt(type, 'name'),
    hcloud_cpu_cores: stringAt(type, 'cores'),
    hcloud_cpu_type: stringAt(type, 'cpu_type'),
    hcloud_memory_size_gb: wholeAt(type, 'memory'),
    hcloud_disk_size_gb: wholeAt(type, 'disk'),
    hcloud_image_name: stringAt(image, 'name'),
    hcloud_image_description: stringAt(image, 'description'),
    hcloud_image_os_version: stringAt(image, 'os_version'),
    hcloud_image_os_flavor: stringAt(image, 'os_flavor'),
    ...Object.fromEntries(privateAddresses.filter(([, ip]) => ip !== undefined)),
    ...Object.fromEntries(
      Object.keys(labels).map((name) => [`hcloud_labelpresent_${sanitizeLabelName(name)}`, 'true']),
    ),
    ...prefixNames('hcloud_label_', labels),
  };
}

function robotNames(server: Json, ip: string): Names {
  const datacenter = stringAt(server, 'dc').toLowerCase();
  const ipv6 = listAt(server, 'subnet').find((subnet) => stringAt(subnet, 'ip').includes(':'));
  return {
    role: 'robot',
    server_id: stringAt(server, 'server_number'),
    server_name: stringAt(server, 'server_name'),
    server_status: stringAt(server, 'status'),
    datacenter,
    public_ipv4: ip,
    public_ipv6_network: ipv6 ? `${stringAt(ipv6, 'ip')}/${stringAt(ipv6, 'mask')}` : '',
    robot_datacenter: datacenter,
    robot_product: stringAt(server, 'product'),
    robot_cancelled: stringAt(server, 'cancelled') || 'false',
  };
}

function wholeAt(json: Json, key: string): string {
  const number = Number(stringAt(json, key) || Number.NaN);
  return Number.isNaN(number) ? '' : String(Math.trunc(number));
}
