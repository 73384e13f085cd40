// Google Compute Engine: finds the instances of a zone.
import { plainHttpClient } from '../../config/config.ts';
import { nonEmptyText, optional, refine, required, text } from '../../config/schema/read.ts';
import { defineDiscovery, type SettingsOf } from '../kind/define.ts';
import { settings, common } from '../kind/settings.ts';
import type { Label } from '../../model/labels.ts';
import { type Json, listAt, stringsAt, mapAt, stringAt } from '../../base/text/json-values.ts';
import {
  joined,
  prefixNames,
  type Names,
  sanitizeLabelName,
  targetLabels,
} from '../kind/meta-labels.ts';
import { getJson } from '../../http-client/send.ts';
import { createPolledDiscoverer } from '../kind/polled.ts';
import { GoogleLogin } from '../../http-client/logins/google-login.ts';

const prefix = '__meta_gce_';
/** OAuth scope of the requested token. */
const scope = 'https://www.googleapis.com/auth/compute.readonly';

/** Settings of discovery on Google Compute Engine. */
const schema = refine(
  settings({
    ...common,
    project: required(nonEmptyText),
    zone: required(nonEmptyText),
    /** A Google filter expression that selects instances; "" = all instances. */
    filter: optional(text, ''),
    tag_separator: optional(text, ','),
  }),
  (given) => ({
    ...given,
    url: 'https://compute.googleapis.com',
    socketPath: '',
    http: plainHttpClient,
  }),
);

type Config = SettingsOf<typeof schema>;

/** Source: Compute Engine's `instances.list`. */
export const gce = defineDiscovery({
  kind: 'gce',
  schema,
  discover(config, context) {
    const { project, zone, filter } = config;
    const login = new GoogleLogin(scope, context);
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
        page = stringAt(answer, 'nextPageToken') || undefined;
      }
      return [{ source: `GCE_${project}_${zone}`, targets, labels: [] }];
    });
  },
});

function instanceTargets(instance: Json, { project, port, tagSeparator }: Config): Label[][] {
  const interfaces = listAt(instance, 'networkInterfaces');
  const [first] = interfaces;
  if (first === undefined) return [];
  const [access = {}] = listAt(first, 'accessConfigs');
  const isPublic = stringAt(access, 'type') === 'ONE_TO_ONE_NAT';
  const metadata = listAt(mapAt(instance, 'metadata'), 'items');
  const names: Names = {
    project,
    zone: stringAt(instance, 'zone'),
    instance_id: stringAt(instance, 'id'),
    instance_name: stringAt(instance, 'name'),
    instance_status: stringAt(instance, 'status'),
    machine_type: stringAt(instance, 'machineType'),
    network: stringAt(first, 'network'),
    subnetwork: stringAt(first, 'subnetwork'),
    private_ip: stringAt(first, 'networkIP'),
    public_ip: isPublic ? stringAt(access, 'natIP') : '',
    tags: joined(stringsAt(mapAt(instance, 'tags'), 'items'), tagSeparator),
    ...Object.fromEntries(
      interfaces.map((one) => [
        `interface_ipv4_${sanitizeLabelName(stringAt(one, 'name'))}`,
        stringAt(one, 'networkIP'),
      ]),
    ),
    ...Object.fromEntries(
      metadata.map((one) => [
        `metadata_${sanitizeLabelName(stringAt(one, 'key'))}`,
        stringAt(one, 'value'),
      ]),
    ),
    ...prefixNames('label_', mapAt(instance, 'labels')),
  };
  return [targetLabels(`${names['private_ip']}:${port}`, prefix, names)];
}
