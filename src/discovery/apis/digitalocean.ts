// DigitalOcean: droplets, or databases.
import { hostPort } from '../../base/text/host-port.ts';
import type { DigitalOceanDiscoveryConfig } from '../../config/config.ts';
import type { Label } from '../../model/labels.ts';
import type { Discoverer, DiscoveryContext } from '../interface.ts';
import { type Json, listAt, listOfTexts, mapAt, textAt } from '../json.ts';
import { joined, sanitizeLabelName, targetLabels } from '../meta-labels.ts';
import { type Ask, createPolledDiscoverer } from '../polled.ts';

const prefix = '__meta_digitalocean_';
const pageSize = 200;

/** A discoverer of one entry of `digitalocean_sd_configs`. Source: DigitalOcean's API, v2. */
export function createDigitalOceanDiscoverer(
  config: DigitalOceanDiscoveryConfig,
  context: DiscoveryContext,
): Discoverer {
  const { role, port } = config;
  return createPolledDiscoverer(config, context, async ({ ask }) => {
    const items = await itemsOfPages(role, ask);
    const targets = items.flatMap((item) => targetsOf[role](item, port));
    return [{ source: 'digitalocean', targets, labels: [] }];
  });
}

async function itemsOfPages(role: string, ask: Ask): Promise<readonly Json[]> {
  const items: Json[] = [];
  for (let page = 1; ; page += 1) {
    const query = [['page', String(page)] as const, ['per_page', String(pageSize)] as const];
    const answer = (await ask(`/v2/${role}`, query)) as Json;
    const found = listAt(answer, role);
    items.push(...found);
    const next = textAt(mapAt(mapAt(answer, 'links'), 'pages'), 'next');
    if (next === '' || found.length === 0) return items;
  }
}

type TargetsOf = (item: Json, port: number) => Label[][];

const targetsOf: Readonly<Record<DigitalOceanDiscoveryConfig['role'], TargetsOf>> = {
  droplets: (droplet, port) => {
    const networks = mapAt(droplet, 'networks');
    if (listAt(networks, 'v4').length === 0) return [];
    const address = (version: string, type: string): string =>
      textAt(listAt(networks, version).find((one) => one['type'] === type) ?? {}, 'ip_address');
    const publicIpv4 = address('v4', 'public');
    const image = mapAt(droplet, 'image');
    return [
      targetLabels(hostPort(publicIpv4, port), prefix, {
        droplet_id: textAt(droplet, 'id'),
        droplet_name: textAt(droplet, 'name'),
        image: textAt(image, 'slug'),
        image_name: textAt(image, 'name'),
        private_ipv4: address('v4', 'private'),
        public_ipv4: publicIpv4,
        public_ipv6: address('v6', 'public'),
        region: textAt(mapAt(droplet, 'region'), 'slug'),
        size: textAt(droplet, 'size_slug'),
        status: textAt(droplet, 'status'),
        vpc: textAt(droplet, 'vpc_uuid'),
        features: joined(listOfTexts(droplet, 'features'), ','),
        tags: joined(listOfTexts(droplet, 'tags'), ','),
      }),
    ];
  },
  databases: (database, port) => {
    const host = textAt(mapAt(database, 'connection'), 'host');
    const privateHost = textAt(mapAt(database, 'private_connection'), 'host');
    if (host === '' && privateHost === '') return [];
    return [
      targetLabels(hostPort(privateHost || host, port), prefix, {
        db_id: textAt(database, 'id'),
        db_name: textAt(database, 'name'),
        db_engine: textAt(database, 'engine'),
        db_version: textAt(database, 'version'),
        db_status: textAt(database, 'status'),
        db_region: textAt(database, 'region'),
        db_size: textAt(database, 'size'),
        db_num_nodes: textAt(database, 'num_nodes'),
        db_host: host,
        db_private_host: privateHost,
        ...Object.fromEntries(
          listOfTexts(database, 'tags').map((tag) => [`db_tag_${sanitizeLabelName(tag)}`, 'true']),
        ),
      }),
    ];
  },
};
