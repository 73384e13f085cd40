// Docker: the containers of one engine, a target for each port and network.
import { hostPort } from '../../base/text/host-port.ts';
import type { DockerDiscoveryConfig } from '../../config/config.ts';
import type { Label } from '../../model/labels.ts';
import type { Discoverer, DiscoveryContext } from '../interface.ts';
import {
  readList,
  type Json,
  listAt,
  stringsAt,
  mapAt,
  stringAt,
} from '../../base/text/json-values.ts';
import { type Names, namesOf, targetLabels } from '../meta-labels.ts';
import type { Query } from '../../http-client/send.ts';
import { type Ask, createPolledDiscoverer } from '../polled.ts';

const prefix = '__meta_docker_';

/** A discoverer of one entry of `docker_sd_configs`. Source: the Engine API's `/containers/json`. */
export function createDockerDiscoverer(
  config: DockerDiscoveryConfig,
  context: DiscoveryContext,
): Discoverer {
  return createPolledDiscoverer(config, context, async ({ ask }) => {
    const containers = readList(await ask('/containers/json', filterQuery(config.filters)));
    const networks = await networkNames(ask);
    const byId = new Map(containers.map((container) => [stringAt(container, 'Id'), container]));
    const targets = containers.flatMap((one) => containerTargets(one, byId, networks, config));
    return [{ source: 'docker', targets, labels: [] }];
  });
}

/** Returns filters in the form of the Engine API. */
export function filterQuery(filters: ReadonlyMap<string, readonly string[]>): Query {
  return filters.size === 0 ? [] : [['filters', JSON.stringify(Object.fromEntries(filters))]];
}

/** Returns labels of each network, by its id. */
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
        ...namesOf('network_label_', mapAt(network, 'Labels')),
      },
    ]),
  );
}

function containerTargets(
  container: Json,
  byId: ReadonlyMap<string, Json>,
  networks: ReadonlyMap<string, Names>,
  config: DockerDiscoveryConfig,
): Label[][] {
  const name = stringsAt(container, 'Names').at(0);
  if (name === undefined) return [];
  const mode = stringAt(mapAt(container, 'HostConfig'), 'NetworkMode');
  const common: Names = {
    container_id: stringAt(container, 'Id'),
    container_name: name,
    container_network_mode: mode,
    ...namesOf('container_label_', mapAt(container, 'Labels')),
  };
  const ports = listAt(container, 'Ports').filter((port) => stringAt(port, 'Type') === 'tcp');
  const ends = endpointsOf(container, byId);
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
 * Returns networks by name. A container without a network may share the networks of another one.
 */
function endpointsOf(container: Json, byId: ReadonlyMap<string, Json>): readonly Json[] {
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
