// Makes target groups from Kubernetes objects, with the same labels as Prometheus.
import { hostPort } from '../../base/text/host-port.ts';
import type { Label } from '../../model/labels.ts';
import type { TargetGroup } from '../interface.ts';
import { type Json, listAt, mapAt, stringAt } from '../../base/text/json-values.ts';
import { sanitizeLabelName } from '../kind/meta-labels.ts';
import { type KubeObject, objectKey } from './objects.ts';

const prefix = '__meta_kubernetes_';

/**
 * Labels by their names without the prefix. The names `__address__` and `instance` have no prefix.
 */
type Names = Readonly<Record<string, string>>;

/** Functions that find the other objects whose labels a group gets. */
export interface Related {
  readonly pod: (key: string) => KubeObject | undefined;
  readonly service: (key: string) => KubeObject | undefined;
  /**
   * Finds a node. Like `namespace`, it is undefined unless the config attaches the labels of such
   * objects.
   */
  readonly node: ((name: string) => KubeObject | undefined) | undefined;
  readonly namespace: ((name: string) => KubeObject | undefined) | undefined;
}

export function nodeGroup(node: KubeObject): TargetGroup {
  const status = mapAt(node.body, 'status');
  const byType = new Map<string, string>();
  for (const address of listAt(status, 'addresses')) {
    const type = stringAt(address, 'type');
    if (!byType.has(type)) byType.set(type, stringAt(address, 'address'));
  }
  const host = addressTypes.map((type) => byType.get(type)).find((one) => one !== undefined);
  const kubelet = mapAt(mapAt(status, 'daemonEndpoints'), 'kubeletEndpoint');
  const addresses = [...byType].map(([type, value]) => [
    `node_address_${sanitizeLabelName(type)}`,
    value,
  ]);
  const target = {
    __address__: hostPort(host ?? '', stringAt(kubelet, 'Port')),
    instance: node.name,
    ...(Object.fromEntries(addresses) as Names),
  };
  return group('node', node, nothingRelated, host === undefined ? [] : [target], {
    node_provider_id: stringAt(mapAt(node.body, 'spec'), 'providerID'),
  });
}

/** Types of a node's addresses, in order of preference. */
const addressTypes = [
  'InternalIP',
  'InternalDNS',
  'ExternalIP',
  'ExternalDNS',
  'LegacyHostIP',
  'Hostname',
];

export function podGroup(pod: KubeObject, related: Related): TargetGroup {
  const ip = stringAt(mapAt(pod.body, 'status'), 'podIP');
  const nodeName = stringAt(mapAt(pod.body, 'spec'), 'nodeName');
  // As in Prometheus, a pod is not a target if selectors exclude its node.
  const isLeftOut = related.node !== undefined && related.node(nodeName) === undefined;
  const containers = ip === '' || isLeftOut ? [] : listContainers(pod);
  const targets = containers.flatMap((one) => containerTargets(ip, one));
  const own = { ...podLabels(pod), ...nodeLabels(nodeName, related) };
  return group('pod', pod, related, targets, own);
}

function nodeLabels(name: string, { node: nodeOf }: Related): Names {
  const node = name === '' ? undefined : nodeOf?.(name);
  return node === undefined ? {} : metaLabels('node', node);
}

/** Returns the names of the nodes that a pod, endpoints or an endpoint slice use. */
export function findNodeNames(object: KubeObject): ReadonlySet<string> {
  const names = listAddresses(object).map(readNodeName);
  return new Set([...names, stringAt(mapAt(object.body, 'spec'), 'nodeName')]);
}

function readNodeName(address: Json): string {
  const reference = mapAt(address, 'targetRef');
  const isNode = stringAt(reference, 'kind') === 'Node';
  return stringAt(address, 'nodeName') || (isNode ? stringAt(reference, 'name') : '');
}

interface Container {
  readonly labels: Names;
  readonly ports: readonly Json[];
}

function listContainers(pod: KubeObject): Container[] {
  const [spec, status] = [mapAt(pod.body, 'spec'), mapAt(pod.body, 'status')];
  return (['containers', 'initContainers'] as const).flatMap((key) => {
    const isInit = key === 'initContainers';
    const states = listAt(status, isInit ? 'initContainerStatuses' : 'containerStatuses');
    return listAt(spec, key).map((container) => {
      const name = stringAt(container, 'name');
      const state = states.find((one) => stringAt(one, 'name') === name) ?? {};
      return {
        labels: {
          pod_container_name: name,
          pod_container_id: stringAt(state, 'containerID'),
          pod_container_image: stringAt(container, 'image'),
          pod_container_init: String(isInit),
        },
        ports: listAt(container, 'ports'),
      };
    });
  });
}

/**
 * Returns the targets of a container. If it has no ports, its target is an address without a port,
 * which relabeling may add.
 */
function containerTargets(ip: string, { labels, ports }: Container): Names[] {
  if (ports.length === 0) return [{ __address__: ip, ...labels }];
  return ports.map((port) => ({
    __address__: hostPort(ip, stringAt(port, 'containerPort')),
    ...labels,
    ...portLabels(port),
  }));
}

function portLabels(port: Json): Names {
  return {
    pod_container_port_name: stringAt(port, 'name'),
    pod_container_port_number: stringAt(port, 'containerPort'),
    pod_container_port_protocol: stringAt(port, 'protocol') || 'TCP',
  };
}

function podLabels(pod: KubeObject): Names {
  const status = mapAt(pod.body, 'status');
  const ready = listAt(status, 'conditions').find((one) => stringAt(one, 'type') === 'Ready');
  const controller = pod.owners.find((owner) => owner['controller'] === true);
  return {
    pod_ip: stringAt(status, 'podIP'),
    pod_ready: ready === undefined ? 'unknown' : stringAt(ready, 'status').toLowerCase(),
    pod_phase: stringAt(status, 'phase'),
    pod_node_name: stringAt(mapAt(pod.body, 'spec'), 'nodeName'),
    pod_host_ip: stringAt(status, 'hostIP'),
    pod_uid: pod.uid,
    ...(controller && {
      pod_controller_kind: stringAt(controller, 'kind'),
      pod_controller_name: stringAt(controller, 'name'),
    }),
  };
}

export function serviceGroup(service: KubeObject, related: Related): TargetGroup {
  const spec = mapAt(service.body, 'spec');
  const type = stringAt(spec, 'type');
  const targets = listAt(spec, 'ports').map((port) => ({
    __address__: hostPort(`${service.name}.${service.namespace}.svc`, stringAt(port, 'port')),
    service_port_name: stringAt(port, 'name'),
    service_port_number: stringAt(port, 'port'),
    service_port_protocol: stringAt(port, 'protocol') || 'TCP',
    service_type: type,
    ...(type === 'ExternalName'
      ? { service_external_name: stringAt(spec, 'externalName') }
      : { service_cluster_ip: stringAt(spec, 'clusterIP') }),
  }));
  return group('service', service, related, targets);
}

export function ingressGroup(ingress: KubeObject, related: Related): TargetGroup {
  const spec = mapAt(ingress.body, 'spec');
  const encrypted = listAt(spec, 'tls').flatMap((tls) => {
    const hosts = tls['hosts'];
    return Array.isArray(hosts) ? (hosts as readonly unknown[]).map(String) : [];
  });
  const targets = listAt(spec, 'rules').flatMap((rule) => {
    const host = stringAt(rule, 'host');
    const paths = listAt(mapAt(rule, 'http'), 'paths').map((path) => stringAt(path, 'path') || '/');
    return (paths.length === 0 ? ['/'] : paths).map((path) => ({
      __address__: host,
      ingress_scheme: encrypted.some((pattern) => covers(pattern, host)) ? 'https' : 'http',
      ingress_host: host,
      ingress_path: path,
    }));
  });
  return group('ingress', ingress, related, targets, {
    ingress_class_name: stringAt(spec, 'ingressClassName'),
  });
}

/** Returns true if a host name in a certificate covers a host; `*` stands for the first label. */
function covers(pattern: string, host: string): boolean {
  if (!pattern.startsWith('*.')) return pattern === host;
  return host.includes('.') && host.slice(host.indexOf('.')) === pattern.slice(1);
}

export function endpointsGroup(endpoints: KubeObject, related: Related): TargetGroup {
  const places: Place[] = [];
  for (const subset of listAt(endpoints.body, 'subsets')) {
    for (const port of listAt(subset, 'ports')) {
      for (const isReady of [true, false]) {
        const key = isReady ? 'addresses' : 'notReadyAddresses';
        for (const address of listAt(subset, key)) {
          places.push({
            ip: stringAt(address, 'ip'),
            port: stringAt(port, 'port'),
            protocol: stringAt(port, 'protocol') || 'TCP',
            podKey: readPodKey(endpoints, mapAt(address, 'targetRef')),
            labels: {
              endpoint_port_name: stringAt(port, 'name'),
              endpoint_port_protocol: stringAt(port, 'protocol') || 'TCP',
              endpoint_ready: String(isReady),
              ...referenceLabels('endpoint', mapAt(address, 'targetRef')),
              ...given('endpoint_node_name', stringAt(address, 'nodeName')),
              ...given('endpoint_hostname', stringAt(address, 'hostname')),
              ...nodeLabels(readNodeName(address), related),
            },
          });
        }
      }
    }
  }
  const service = related.service(objectKey(endpoints));
  return group('endpoints', endpoints, related, withPods(places, related), {}, service);
}

/** Label of an endpoint slice that contains the name of its service. */
export const serviceNameLabel = 'kubernetes.io/service-name';

export function endpointSliceGroup(slice: KubeObject, related: Related): TargetGroup {
  const places: Place[] = [];
  for (const port of listAt(slice.body, 'ports')) {
    for (const endpoint of listAt(slice.body, 'endpoints')) {
      const conditions = mapAt(endpoint, 'conditions');
      const reference = mapAt(endpoint, 'targetRef');
      const addresses = endpoint['addresses'];
      for (const ip of Array.isArray(addresses) ? (addresses as readonly unknown[]) : []) {
        places.push({
          ip: String(ip),
          port: stringAt(port, 'port'),
          protocol: stringAt(port, 'protocol') || 'TCP',
          podKey: readPodKey(slice, reference),
          labels: {
            endpointslice_port_name: stringAt(port, 'name'),
            endpointslice_port_protocol: stringAt(port, 'protocol') || 'TCP',
            endpointslice_port: stringAt(port, 'port'),
            ...given('endpointslice_port_app_protocol', stringAt(port, 'appProtocol')),
            ...conditionLabels(conditions),
            ...referenceLabels('endpointslice', reference),
            ...given('endpointslice_endpoint_hostname', stringAt(endpoint, 'hostname')),
            ...given('endpointslice_endpoint_node_name', stringAt(endpoint, 'nodeName')),
            ...given('endpointslice_endpoint_zone', stringAt(endpoint, 'zone')),
            ...nodeLabels(readNodeName(endpoint), related),
          },
        });
      }
    }
  }
  const serviceName = slice.labels.get(serviceNameLabel) ?? '';
  const service = related.service(objectKey({ namespace: slice.namespace, name: serviceName }));
  const own = { endpointslice_address_type: stringAt(slice.body, 'addressType') };
  return group('endpointslice', slice, related, withPods(places, related), own, service);
}

function conditionLabels(conditions: Json): Names {
  const names = ['ready', 'serving', 'terminating'].filter(
    (name) => stringAt(conditions, name) !== '',
  );
  return Object.fromEntries(
    names.map((name) => [`endpointslice_endpoint_conditions_${name}`, stringAt(conditions, name)]),
  );
}

function referenceLabels(role: string, reference: Json): Names {
  return {
    ...given(`${role}_address_target_kind`, stringAt(reference, 'kind')),
    ...given(`${role}_address_target_name`, stringAt(reference, 'name')),
  };
}

/**
 * Returns the keys of the pods that the addresses of endpoints or of an endpoint slice belong to.
 */
export function findPodKeys(object: KubeObject): string[] {
  return listAddresses(object)
    .map((address) => readPodKey(object, mapAt(address, 'targetRef')))
    .filter((key) => key !== undefined);
}

function listAddresses(object: KubeObject): readonly Json[] {
  return [
    ...listAt(object.body, 'endpoints'),
    ...listAt(object.body, 'subsets').flatMap((subset) => [
      ...listAt(subset, 'addresses'),
      ...listAt(subset, 'notReadyAddresses'),
    ]),
  ];
}

function readPodKey(object: KubeObject, reference: Json): string | undefined {
  if (stringAt(reference, 'kind') !== 'Pod') return undefined;
  const namespace = stringAt(reference, 'namespace') || object.namespace;
  return objectKey({ namespace, name: stringAt(reference, 'name') });
}

/** An address of a service, with one of its ports. */
interface Place {
  readonly ip: string;
  readonly port: string;
  readonly protocol: string;
  readonly podKey: string | undefined;
  readonly labels: Names;
}

/**
 * Returns a target for each address, with the labels of its pod and container. Ports of these pods
 * that the service does not use become targets, too.
 */
function withPods(places: readonly Place[], { pod: podOf }: Related): Names[] {
  const servedPorts = new Map<KubeObject, Set<string>>();
  const targets = places.map(({ ip, port, protocol, podKey, labels }): Names => {
    const target = { __address__: hostPort(ip, port), ...labels };
    const pod = podKey === undefined ? undefined : podOf(podKey);
    if (pod === undefined) return target;
    const served = servedPorts.get(pod) ?? new Set<string>();
    servedPorts.set(pod, served.add(port));
    for (const container of listContainers(pod)) {
      const own = container.ports.find(
        (one) =>
          stringAt(one, 'containerPort') === port &&
          (stringAt(one, 'protocol') || 'TCP') === protocol,
      );
      if (own === undefined) continue;
      return {
        ...target,
        ...metaLabels('pod', pod),
        ...podLabels(pod),
        ...container.labels,
        ...portLabels(own),
      };
    }
    return { ...target, ...metaLabels('pod', pod), ...podLabels(pod) };
  });
  for (const [pod, served] of servedPorts) {
    const ip = stringAt(mapAt(pod.body, 'status'), 'podIP');
    for (const { labels, ports } of listContainers(pod)) {
      for (const port of ports) {
        const number = stringAt(port, 'containerPort');
        if (served.has(number) || ip === '') continue;
        targets.push({
          __address__: hostPort(ip, number),
          ...metaLabels('pod', pod),
          ...podLabels(pod),
          ...labels,
          ...portLabels(port),
        });
      }
    }
  }
  return targets;
}

/** Returns the name of an object's group, which is the same as long as the object exists. */
export function nameGroup(role: string, object: Pick<KubeObject, 'namespace' | 'name'>): string {
  return `${role}/${objectKey(object)}`;
}

function group(
  role: string,
  object: KubeObject,
  related: Pick<Related, 'namespace'>,
  targets: readonly Names[],
  own: Names = {},
  service?: KubeObject,
): TargetGroup {
  return {
    source: nameGroup(role, object),
    targets: targets.map(toLabels),
    labels: toLabels({
      ...given('namespace', object.namespace),
      ...metaLabels(role, object),
      ...namespaceLabels(object, related),
      ...(service && metaLabels('service', service)),
      ...own,
    }),
  };
}

const nothingRelated = { namespace: undefined };

/**
 * Returns a label with the name of an object's namespace, and the namespace's labels and
 * annotations if they are attached.
 */
function namespaceLabels(object: KubeObject, related: Pick<Related, 'namespace'>): Names {
  const namespace = related.namespace?.(object.namespace);
  if (namespace === undefined) return {};
  const { namespace_name: _, ...labels } = metaLabels('namespace', namespace);
  return labels;
}

/** Returns labels for the name, the labels and the annotations of an object. */
function metaLabels(role: string, object: KubeObject): Names {
  const names: Record<string, string> = { [`${role}_name`]: object.name };
  const add = (kind: string, values: ReadonlyMap<string, string>): void => {
    for (const [name, value] of values) {
      names[`${role}_${kind}_${sanitizeLabelName(name)}`] = value;
      names[`${role}_${kind}present_${sanitizeLabelName(name)}`] = 'true';
    }
  };
  add('label', object.labels);
  add('annotation', object.annotations);
  return names;
}

function toLabels(names: Names): Label[] {
  return Object.entries(names).map(([name, value]) => ({
    name: name === '__address__' || name === 'instance' ? name : prefix + name,
    value,
  }));
}

function given(name: string, value: string): Names {
  return value === '' ? {} : { [name]: value };
}
