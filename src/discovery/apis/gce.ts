// Google Compute Engine: the instances of a zone.
import type { GceDiscoveryConfig } from '../../config/config.ts';
import type { Label } from '../../model/labels.ts';
import type { Discoverer, DiscoveryContext } from '../interface.ts';
import { type Json, listAt, listOfTexts, mapAt, textAt } from '../json.ts';
import { joined, namesOf, type Names, sanitizeLabelName, targetLabels } from '../meta-labels.ts';
import { createPolledDiscoverer, getJson } from '../polled.ts';
import { GoogleLogin } from './google-login.ts';

const prefix = '__meta_gce_';

/** A discoverer of one entry of `gce_sd_configs`. Source: Compute Engine's `instances.list`. */
export function createGceDiscoverer(
  config: GceDiscoveryConfig,
  context: DiscoveryContext,
): Discoverer {
  const { project, zone, filter } = config;
  const login = new GoogleLogin(context);
  const [inProject, inZone] = [project, zone].map(encodeURIComponent);
  const url = `${config.url}/compute/v1/projects/${inProject}/zones/${inZone}/instances`;
  return createPolledDiscoverer(config, context, async ({ send }) => {
    const targets: Label[][] = [];
    for (let page: string | undefined = ''; page !== undefined;) {
      const given = { filter, pageToken: page };
      const query = Object.entries(given).filter(([, value]) => value !== '');
      const headers = { authorization: `Bearer ${await login.token(send)}` };
      const answer = (await getJson(send, { url, query, headers })) as Json;
      for (const instance of listAt(answer, 'items')) {
        targets.push(...instanceTargets(instance, config));
      }
      page = textAt(answer, 'nextPageToken') || undefined;
    }
    return [{ source: `GCE_${project}_${zone}`, targets, labels: [] }];
  });
}

function instanceTargets(
  instance: Json,
  { project, port, tagSeparator }: GceDiscoveryConfig,
): Label[][] {
  const interfaces = listAt(instance, 'networkInterfaces');
  const [first] = interfaces;
  if (first === undefined) return [];
  const [access = {}] = listAt(first, 'accessConfigs');
  const isPublic = textAt(access, 'type') === 'ONE_TO_ONE_NAT';
  const metadata = listAt(mapAt(instance, 'metadata'), 'items');
  const names: Names = {
    project,
    zone: textAt(instance, 'zone'),
    instance_id: textAt(instance, 'id'),
    instance_name: textAt(instance, 'name'),
    instance_status: textAt(instance, 'status'),
    machine_type: textAt(instance, 'machineType'),
    network: textAt(first, 'network'),
    subnetwork: textAt(first, 'subnetwork'),
    private_ip: textAt(first, 'networkIP'),
    public_ip: isPublic ? textAt(access, 'natIP') : '',
    tags: joined(listOfTexts(mapAt(instance, 'tags'), 'items'), tagSeparator),
    ...Object.fromEntries(
      interfaces.map((one) => [
        `interface_ipv4_${sanitizeLabelName(textAt(one, 'name'))}`,
        textAt(one, 'networkIP'),
      ]),
    ),
    ...Object.fromEntries(
      metadata.map((one) => [
        `metadata_${sanitizeLabelName(textAt(one, 'key'))}`,
        textAt(one, 'value'),
      ]),
    ),
    ...namesOf('label_', mapAt(instance, 'labels')),
  };
  return [targetLabels(`${names['private_ip']}:${port}`, prefix, names)];
}
