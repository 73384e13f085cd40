// Docker: finds the containers of one engine. Each port of a container in each of its networks is a
// target.
import { resolve } from 'node:path';
import {
  boolean,
  nonEmptyText,
  optional,
  positiveDuration,
  refine,
  refuse,
  required,
  type Reader,
} from '../../config/schema/read.ts';
import { defineDiscovery, type SettingsOf } from '../kind/define.ts';
import { httpSettings, port, filterList, type ApiAddress } from '../kind/settings.ts';
import { hostPort } from '../../base/text/host-port.ts';
import type { Label } from '../../model/labels.ts';
import {
  readList,
  type Json,
  listAt,
  stringsAt,
  mapAt,
  stringAt,
} from '../../base/text/json-values.ts';
import { type Names, prefixNames, targetLabels } from '../kind/meta-labels.ts';
import type { Query } from '../../http-client/send.ts';
import { type Ask, createPolledDiscoverer } from '../kind/polled.ts';

const prefix = '__meta_docker_';

/** Reads the address of Docker's API: a URL, or a Unix socket. */
const engineAddress: Reader<ApiAddress> = refine(nonEmptyText, (host, place) => {
  if (host.startsWith('unix:///')) {
    return { url: 'http://localhost', socketPath: resolve(host.slice('unix://'.length)) };
  }
  // In Docker's addresses, tcp:// means HTTP.
  const url = host.replace(/^tcp:/, 'http:');
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return { url, socketPath: '' };
  return refuse(place, 'an address that begins with unix:///, http://, https:// or tcp://');
});

const filtersByName: Reader<ReadonlyMap<string, readonly string[]>> = refine(
  filterList,
  (given) => {
    const byName = new Map<string, readonly string[]>();
    for (const { name, values } of given) {
      byName.set(name, [...(byName.get(name) ?? []), ...values]);
    }
    return byName;
  },
);

/** Keys of Docker and of Docker Swarm. */
export const engineFields = {
  host: required(engineAddress),
  /** Port of targets that do not publish a port. */
  port: optional(port, 80),
  filters: optional(filtersByName, new Map<string, readonly string[]>()),
  refresh_interval: optional(positiveDuration, 60_000),
};

/** Settings of discovery by a Docker engine. */
const schema = refine(
  httpSettings({
    ...engineFields,
    /** Host name for containers that use the network of their host. */
    host_networking_host: optional(nonEmptyText, 'localhost'),
    /**
     * True if a container in several networks is only one target, in the network whose name sorts
     * first.
     */
    match_first_network: optional(boolean, true),
  }),
  ({ host, ...rest }) => ({ ...rest, ...host }),
);

type Config = SettingsOf<typeof schema>;

/** Source: the Engine API's `/containers/json`. */
export const docker = defineDiscovery({
  kind: 'docker',
  schema,
  discover(config, context) {
    return createPolledDiscoverer(config, context, async ({ ask }) => {
      const containers = readList(await ask('/containers/json', filterQuery(config.filters)));
      const networks = await networkNames(ask);
      const byId = new Map(containers.map((container) => [stringAt(container, 'Id'), container]));
      const targets = containers.flatMap((one) => containerTargets(one, byId, networks, config));
      return [{ source: 'docker', targets, labels: [] }];
    });
  },
});

/** Returns filters in the format of the Engine API. */
export function filterQuery(filters: ReadonlyMap<string, readonly string[]>): Query {
  return filters.size === 0 ? [] : [['filters', JSON.stringify(Object.fromEntries(filters))]];
}

/** Returns the labels of each network, by the network's id. */
export async function networkNames(ask: Ask): Promise<ReadonlyMap<string, Names>> {
  const networks = readList(await ask('/networks'));
  return new Map(
    networks.map((network) => [
      stringAt(network, 'Id'),
      {
        network_id: stringAt(network, 'Id'),
        network_name: stringAt(network, 'Name'),
        network_scope: stringAt(network, 'Scope'),
        network_internal: stringAt(network, 'Internal') || 'false',
        network_ingress: stringAt(network, 'Ingress') || 'false',
        ...prefixNames('network_label_', mapAt(network, 'Labels')),
      },
    ]),
  );
}

function containerTargets(
  container: Json,
  byId: ReadonlyMap<string, Json>,
  networks: ReadonlyMap<string, Names>,
  config: Config,
): Label[][] {
  const name = stringsAt(container, 'Names').at(0);
  if (name === undefined) return [];
  const mode = stringAt(mapAt(container, 'HostConfig'), 'NetworkMode');
  const common: Names = {
    container_id: stringAt(container, 'Id'),
    container_name: name,
    container_network_mode: mode,
    ...prefixNames('container_label_', mapAt(container, 'Labels')),
  };
  const ports = listAt(container, 'Ports').filter((port) => stringAt(port, 'Type') === 'tcp');
  const ends = findEndpoints(container, byId);
  const used = config.matchFirstNetwork ? ends.slice(0, 1) : ends;
  return used.flatMap((end) => {
    const ip = stringAt(end, 'IPAddress');
    const names = { ...common, network_ip: ip, ...networks.get(stringAt(end, 'NetworkID')) };
    if (ports.length === 0) {
      const address = mode === 'host' ? config.hostNetworkingHost : hostPort(ip, config.port);
      return [targetLabels(address, prefix, names)];
    }
    return ports.map((port) => {
      const number = stringAt(port, 'PrivatePort');
      return targetLabels(hostPort(ip, number), prefix, {
        ...names,
        port_private: number,
        port_public: stringAt(port, 'PublicPort'),
        port_public_ip: stringAt(port, 'PublicPort') === '' ? '' : stringAt(port, 'IP'),
      });
    });
  });
}

/**
 * Returns a container's networks, sorted by name. A container without networks may use those of
 * another container.
 */
function findEndpoints(container: Json, byId: ReadonlyMap<string, Json>): readonly Json[] {
  const seen = new Set<Json>();
  let one: Json | undefined = container;
  while (one !== undefined && !seen.has(one)) {
    seen.add(one);
    const networks = mapAt(mapAt(one, 'NetworkSettings'), 'Networks');
    const names = Object.keys(networks).sort();
    if (names.length > 0) return names.map((name) => mapAt(networks, name));
    const [kind, id]: readonly string[] = stringAt(mapAt(one, 'HostConfig'), 'NetworkMode').split(
      ':',
    );
    one = kind === 'container' ? byId.get(id) : undefined;
  }
  return [];
}
