// Consul: finds services of the catalog, with the health of each instance.
import type { CredentialsConfig } from '../../config/config.ts';
import type { TextSource } from '../../config/text-source.ts';
import {
  boolean,
  list,
  readMap,
  nonEmptyText,
  readWord,
  optional,
  positiveDuration,
  refine,
  refuse,
  secret,
  text,
} from '../../config/schema/read.ts';
import { defineDiscovery, type SettingsOf } from '../kind/define.ts';
import { httpSettings } from '../kind/settings.ts';
import { hostPort } from '../../base/text/host-port.ts';
import type { Label } from '../../model/labels.ts';
import type { TargetGroup } from '../interface.ts';
import {
  readList,
  type Json,
  listAt,
  stringsAt,
  mapAt,
  stringAt,
} from '../../base/text/json-values.ts';
import { joined, metaLabels, prefixNames, targetLabels } from '../kind/meta-labels.ts';
import type { Query } from '../../http-client/send.ts';
import { type Ask, createPolledDiscoverer } from '../kind/polled.ts';

const prefix = '__meta_consul_';

const noStrings: readonly string[] = [];

/** Settings of discovery by Consul. An empty string matches all values. */
const schema = refine(
  httpSettings(
    {
      server: optional(nonEmptyText, 'localhost:8500'),
      scheme: optional(readWord(['http', 'https']), 'http'),
      path_prefix: optional(text, ''),
      token: optional(secret, ''),
      username: optional(text, ''),
      password: optional(secret, ''),
      datacenter: optional(text, ''),
      namespace: optional(text, ''),
      partition: optional(text, ''),
      /** Names of services; an empty list selects all services. */
      services: optional(list(nonEmptyText), noStrings),
      /** Tags, all of which an instance must have. */
      tags: optional(list(nonEmptyText), noStrings),
      tag_separator: optional(text, ','),
      node_meta: optional(readMap(text), new Map<string, string>()),
      /** A Consul filter expression for the catalog. */
      filter: optional(text, ''),
      /** A Consul filter expression for instances. */
      health_filter: optional(text, ''),
      allow_stale: optional(boolean, true),
      refresh_interval: optional(positiveDuration, 30_000),
    },
    (_, place) => {
      const has = (key: string): boolean => place.find(key) !== undefined;
      if (has('username') && has('basic_auth')) {
        place.at('username').report('expected only one of username and basic_auth');
      }
    },
  ),
  ({ server, scheme, pathPrefix, token, username, password, http, ...rest }, place) => {
    const url = `${scheme}://${server}`;
    if (!URL.canParse(url) || server.includes('/')) {
      return refuse(place.at('server'), 'an address such as localhost:8500');
    }
    const basic: CredentialsConfig = {
      kind: 'basic',
      username: inline(username),
      password: inline(password),
    };
    const credentials = username === '' ? http.credentials : basic;
    const headers = new Map(http.headers);
    if (token !== '') headers.set('x-consul-token', [inline(token)]);
    return {
      ...rest,
      url: `${url}/${pathPrefix}`.replace(/\/+$/, '').replace(/([^:])\/{2,}/g, '$1/'),
      socketPath: '',
      http: { ...http, credentials, headers },
    };
  },
);

function inline(text: string): TextSource {
  return { kind: 'inline', text };
}

type Config = SettingsOf<typeof schema>;

/** Source: Consul's `/v1/catalog`, `/v1/health`. */
export const consul = defineDiscovery({
  kind: 'consul',
  schema,
  discover(config, context) {
    return createPolledDiscoverer(config, context, async ({ ask }) => {
      const names = await serviceNames(config, ask);
      return Promise.all(names.map((name) => serviceGroup(name, config, ask)));
    });
  },
});

function writeQuery(config: Config, filter: string): Query {
  const { datacenter, namespace, partition, nodeMeta, allowStale } = config;
  const texts = { dc: datacenter, ns: namespace, partition, filter };
  return [
    ...Object.entries(texts).filter(([, value]) => value !== ''),
    ...[...nodeMeta].map(([key, value]) => ['node-meta', `${key}:${value}`] as const),
    ...(allowStale ? [['stale', ''] as const] : []),
  ];
}

/**
 * Returns the names of the services that have all required tags. If the config lists services, only
 * these are returned.
 */
async function serviceNames(config: Config, ask: Ask): Promise<readonly string[]> {
  const { services, tags } = config;
  if (services.length > 0 && tags.length === 0) return services;
  const catalog = (await ask('/v1/catalog/services', writeQuery(config, config.filter))) as Json;
  return Object.keys(catalog).filter((name) => {
    const own = stringsAt(catalog, name);
    const isNamed = services.length === 0 || services.includes(name);
    return isNamed && tags.every((tag) => own.includes(tag));
  });
}

async function serviceGroup(name: string, config: Config, ask: Ask): Promise<TargetGroup> {
  const instances = await ask(`/v1/health/service/${encodeURIComponent(name)}`, [
    ...writeQuery(config, config.healthFilter),
    ...config.tags.map((tag) => ['tag', tag] as const),
  ]);
  return {
    source: name,
    targets: readList(instances).map((instance) => instanceLabels(instance, config)),
    labels: metaLabels(prefix, { service: name }),
  };
}

function instanceLabels(instance: Json, { tagSeparator, datacenter }: Config): Label[] {
  const [node, service] = [mapAt(instance, 'Node'), mapAt(instance, 'Service')];
  const [nodeAddress, address] = [stringAt(node, 'Address'), stringAt(service, 'Address')];
  const port = stringAt(service, 'Port');
  return targetLabels(hostPort(address || nodeAddress, port), prefix, {
    dc: stringAt(node, 'Datacenter') || datacenter,
    address: nodeAddress,
    node: stringAt(node, 'Node'),
    namespace: stringAt(service, 'Namespace'),
    partition: stringAt(service, 'Partition'),
    tags: joined(stringsAt(service, 'Tags'), tagSeparator),
    service_address: address,
    service_port: port,
    service_id: stringAt(service, 'ID'),
    health: worstHealth(listAt(instance, 'Checks')),
    ...prefixNames('metadata_', mapAt(node, 'Meta')),
    ...prefixNames('service_metadata_', mapAt(service, 'Meta')),
    ...prefixNames('tagged_address_', mapAt(node, 'TaggedAddresses')),
  });
}

/** Returns the worst state of all checks, as Consul's own client does. */
function worstHealth(checks: readonly Json[]): string {
  const states = checks.map((check) => {
    const id = stringAt(check, 'CheckID');
    const isMaintenance = id === '_node_maintenance' || id.startsWith('_service_maintenance:');
    return isMaintenance ? 'maintenance' : stringAt(check, 'Status');
  });
  const worst = ['maintenance', 'critical', 'warning'].find((state) => states.includes(state));
  return worst ?? 'passing';
}
