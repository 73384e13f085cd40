// Docker Swarm: finds the services, tasks or nodes of a cluster.
import { readWord, refine, required } from '../../config/schema/read.ts';
import { defineDiscovery, type SettingsOf } from '../kind/define.ts';
import { httpSettings } from '../kind/settings.ts';
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
import { type Ask, createPolledDiscoverer } from '../kind/polled.ts';
import { engineFields, filterQuery, networkNames } from './docker.ts';

const prefix = '__meta_dockerswarm_';

/** Settings of discovery by Docker Swarm. */
const schema = refine(
  httpSettings({ ...engineFields, role: required(readWord(['services', 'tasks', 'nodes'])) }),
  ({ host, ...rest }) => ({ ...rest, ...host }),
);

type Config = SettingsOf<typeof schema>;

/** Source: the Engine API. */
export const dockerSwarm = defineDiscovery({
  kind: 'dockerswarm',
  schema,
  discover(config, context) {
    return createPolledDiscoverer(config, context, async ({ ask }) => {
      const items = readList(await ask(`/${config.role}`, filterQuery(config.filters)));
      const targets = await finders[config.role](items, config.port, ask);
      return [{ source: 'dockerswarm', targets, labels: [] }];
    });
  },
});

type Find = (items: readonly Json[], port: number, ask: Ask) => Promise<Label[][]>;

const finders: Readonly<Record<Config['role'], Find>> = {
  nodes: async (nodes, port) =>
    nodes.map((node) => {
      const names = {
        ...nodeNames(node),
        node_engine_version: stringAt(mapAt(mapAt(node, 'Description'), 'Engine'), 'EngineVersion'),
        ...managerNames(node),
      };
      return targetLabels(hostPort(names.node_address, port), prefix, names);
    }),
  services: async (services, port, ask) => {
    const networks = await networkNames(ask);
    return services.flatMap((service) => {
      const endpoint = mapAt(service, 'Endpoint');
      const template = mapAt(mapAt(mapAt(service, 'Spec'), 'TaskTemplate'), 'ContainerSpec');
      const common = {
        ...serviceNames(service),
        service_task_container_hostname: stringAt(template, 'Hostname'),
        service_task_container_image: stringAt(template, 'Image'),
        service_updating_status: stringAt(mapAt(service, 'UpdateStatus'), 'State'),
      };
      return listAt(endpoint, 'VirtualIPs').flatMap((virtual) => {
        const names = { ...common, ...networks.get(stringAt(virtual, 'NetworkID')) };
        const place = { ip: withoutMask(stringAt(virtual, 'Addr')), port, names };
        return portTargets(place, tcpPorts(listAt(endpoint, 'Ports')), (one) => ({
          service_endpoint_port_name: stringAt(one, 'Name'),
          service_endpoint_port_publish_mode: stringAt(one, 'PublishMode'),
        }));
      });
    });
  },
  tasks: async (tasks, port, ask) => {
    const [services, nodes] = [readList(await ask('/services')), readList(await ask('/nodes'))];
    const networks = await networkNames(ask);
    const byId = (items: readonly Json[]): ReadonlyMap<string, Json> =>
      new Map(items.map((item) => [stringAt(item, 'ID'), item]));
    const [serviceOf, nodeOf] = [byId(services), byId(nodes)];
    return tasks.flatMap((task) => {
      const service = serviceOf.get(stringAt(task, 'ServiceID')) ?? {};
      const node = nodeOf.get(stringAt(task, 'NodeID')) ?? {};
      const names = { ...taskNames(task), ...serviceNames(service), ...nodeNames(node) };
      const modeName = (one: Json): Names => ({
        task_port_publish_mode: stringAt(one, 'PublishMode'),
      });
      const own = tcpPorts(listAt(mapAt(mapAt(task, 'Status'), 'PortStatus'), 'Ports'));
      const ports = tcpPorts(listAt(mapAt(service, 'Endpoint'), 'Ports'));
      return [
        ...own.map((one) => portTarget(names.node_address, one, { ...names, ...modeName(one) })),
        ...listAt(task, 'NetworksAttachments').flatMap((attachment) => {
          const network = networks.get(stringAt(mapAt(attachment, 'Network'), 'ID'));
          return stringsAt(attachment, 'Addresses').flatMap((address) => {
            const place = { ip: withoutMask(address), port, names: { ...names, ...network } };
            return portTargets(place, ports, modeName);
          });
        }),
      ];
    });
  },
};

interface SwarmPlace {
  readonly ip: string;
  /** Port of targets that do not publish a port. */
  readonly port: number;
  readonly names: Names;
}

function portTargets(
  { ip, port, names }: SwarmPlace,
  ports: readonly Json[],
  namesOfPort: (port: Json) => Names,
): Label[][] {
  if (ports.length === 0) return [targetLabels(hostPort(ip, port), prefix, names)];
  return ports.map((one) => portTarget(ip, one, { ...names, ...namesOfPort(one) }));
}

function portTarget(ip: string, port: Json, names: Names): Label[] {
  return targetLabels(hostPort(ip, stringAt(port, 'PublishedPort')), prefix, names);
}

function tcpPorts(ports: readonly Json[]): readonly Json[] {
  return ports.filter((port) => stringAt(port, 'Protocol') === 'tcp');
}

/** Returns an address without a prefix length such as /24, which addresses of networks have. */
function withoutMask(address: string): string {
  return address.replace(/\/\d+$/, '');
}

function nodeNames(node: Json): { readonly node_address: string } & Names {
  const [spec, description] = [mapAt(node, 'Spec'), mapAt(node, 'Description')];
  const platform = mapAt(description, 'Platform');
  const status = mapAt(node, 'Status');
  return {
    node_id: stringAt(node, 'ID'),
    node_address: stringAt(status, 'Addr'),
    node_availability: stringAt(spec, 'Availability'),
    node_hostname: stringAt(description, 'Hostname'),
    node_platform_architecture: stringAt(platform, 'Architecture'),
    node_platform_os: stringAt(platform, 'OS'),
    node_role: stringAt(spec, 'Role'),
    node_status: stringAt(status, 'State'),
    ...prefixNames('node_label_', mapAt(spec, 'Labels')),
  };
}

function managerNames(node: Json): Names {
  if (node['ManagerStatus'] === undefined) return {};
  const manager = mapAt(node, 'ManagerStatus');
  return {
    node_manager_address: stringAt(manager, 'Addr'),
    node_manager_leader: stringAt(manager, 'Leader') || 'false',
    node_manager_reachability: stringAt(manager, 'Reachability'),
  };
}

function serviceNames(service: Json): Names {
  const spec = mapAt(service, 'Spec');
  const mode = mapAt(spec, 'Mode');
  const modes = [['Global', 'global'] as const, ['Replicated', 'replicated'] as const];
  return {
    service_id: stringAt(service, 'ID'),
    service_name: stringAt(spec, 'Name'),
    service_mode: modes.find(([key]) => mode[key] !== undefined)?.[1] ?? '',
    ...prefixNames('service_label_', mapAt(spec, 'Labels')),
  };
}

function taskNames(task: Json): Names {
  const status = mapAt(task, 'Status');
  const container = mapAt(mapAt(task, 'Spec'), 'ContainerSpec');
  return {
    task_id: stringAt(task, 'ID'),
    task_container_id: stringAt(mapAt(status, 'ContainerStatus'), 'ContainerID'),
    task_desired_state: stringAt(task, 'DesiredState'),
    task_slot: stringAt(task, 'Slot') || '0',
    task_state: stringAt(status, 'State'),
    ...prefixNames('container_label_', mapAt(container, 'Labels')),
  };
}
