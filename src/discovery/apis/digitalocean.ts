// DigitalOcean: finds droplets or databases.
import { readWord, optional } from '../../config/schema/read.ts';
import { defineDiscovery, type SettingsOf } from '../kind/define.ts';
import { httpSettings, withUrl, common } from '../kind/settings.ts';
import { hostPort } from '../../base/text/host-port.ts';
import type { Label } from '../../model/labels.ts';
import { type Json, listAt, stringsAt, mapAt, stringAt } from '../../base/text/json-values.ts';
import { joined, sanitizeLabelName, targetLabels } from '../kind/meta-labels.ts';
import { type Ask, createPolledDiscoverer } from '../kind/polled.ts';

const prefix = '__meta_digitalocean_';
const pageSize = 200;

/** Settings of discovery on DigitalOcean. */
const schema = withUrl(
  httpSettings({ ...common, role: optional(readWord(['droplets', 'databases']), 'droplets') }),
  () => 'https://api.digitalocean.com',
);

type Config = SettingsOf<typeof schema>;

/** Source: DigitalOcean's API, v2. */
export const digitalOcean = defineDiscovery({
  kind: 'digitalocean',
  schema,
  discover(config, context) {
    const { role, port } = config;
    return createPolledDiscoverer(config, context, async ({ ask }) => {
      const items = await readPages(role, ask);
      const targets = items.flatMap((item) => makeTargets[role](item, port));
      return [{ source: 'digitalocean', targets, labels: [] }];
    });
  },
});

async function readPages(role: string, ask: Ask): Promise<readonly Json[]> {
  const items: Json[] = [];
  for (let page = 1; ; page += 1) {
    const query = [['page', String(page)] as const, ['per_page', String(pageSize)] as const];
    const answer = (await ask(`/v2/${role}`, query)) as Json;
    const found = listAt(answer, role);
    items.push(...found);
    const next = stringAt(mapAt(mapAt(answer, 'links'), 'pages'), 'next');
    if (next === '' || found.length === 0) return items;
  }
}

type MakeTargets = (item: Json, port: number) => Label[][];

const makeTargets: Readonly<Record<Config['role'], MakeTargets>> = {
  droplets: (droplet, port) => {
    const networks = mapAt(droplet, 'networks');
    if (listAt(networks, 'v4').length === 0) return [];
    const address = (version: string, type: string): string =>
      stringAt(listAt(networks, version).find((one) => one['type'] === type) ?? {}, 'ip_address');
    const publicIpv4 = address('v4', 'public');
    const image = mapAt(droplet, 'image');
    return [
      targetLabels(hostPort(publicIpv4, port), prefix, {
        droplet_id: stringAt(droplet, 'id'),
        droplet_name: stringAt(droplet, 'name'),
        image: stringAt(image, 'slug'),
        image_name: stringAt(image, 'name'),
        private_ipv4: address('v4', 'private'),
        public_ipv4: publicIpv4,
        public_ipv6: address('v6', 'public'),
        region: stringAt(mapAt(droplet, 'region'), 'slug'),
        size: stringAt(droplet, 'size_slug'),
        status: stringAt(droplet, 'status'),
        vpc: stringAt(droplet, 'vpc_uuid'),
        features: joined(stringsAt(droplet, 'features'), ','),
        tags: joined(stringsAt(droplet, 'tags'), ','),
      }),
    ];
  },
  databases: (database, port) => {
    const host = stringAt(mapAt(database, 'connection'), 'host');
    const privateHost = stringAt(mapAt(database, 'private_connection'), 'host');
    if (host === '' && privateHost === '') return [];
    return [
      targetLabels(hostPort(privateHost || host, port), prefix, {
        db_id: stringAt(database, 'id'),
        db_name: stringAt(database, 'name'),
        db_engine: stringAt(database, 'engine'),
        db_version: stringAt(database, 'version'),
        db_status: stringAt(database, 'status'),
        db_region: stringAt(database, 'region'),
        db_size: stringAt(database, 'size'),
        db_num_nodes: stringAt(database, 'num_nodes'),
        db_host: host,
        db_private_host: privateHost,
        ...Object.fromEntries(
          stringsAt(database, 'tags').map((tag) => [`db_tag_${sanitizeLabelName(tag)}`, 'true']),
        ),
      }),
    ];
  },
};
