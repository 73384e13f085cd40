// The parts of Kubernetes objects that discovery reads. Answers of the API server are hardly
// validated: the server gets our credentials anyway, which are worth more than a list of targets.
import { type Json, listAt, mapAt, stringAt } from '../../base/text/json-values.ts';

/** Resources that discovery lists and watches. */
export type Resource =
  | 'endpoints'
  | 'endpointslices'
  | 'ingresses'
  | 'namespaces'
  | 'nodes'
  | 'pods'
  | 'services';

/** Path of the API group that each resource belongs to. */
export const groupPaths: Readonly<Record<Resource, string>> = {
  endpoints: '/api/v1',
  endpointslices: '/apis/discovery.k8s.io/v1',
  ingresses: '/apis/networking.k8s.io/v1',
  namespaces: '/api/v1',
  nodes: '/api/v1',
  pods: '/api/v1',
  services: '/api/v1',
};

/** The fields of an object that discovery needs. */
export interface KubeObject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly annotations: ReadonlyMap<string, string>;
  readonly owners: readonly Json[];
  /** Top-level fields of the object, such as `spec` and `status`. */
  readonly body: Json;
}

/** Top-level fields that are kept of each resource's objects. */
const keptFields: Readonly<Record<Resource, readonly string[]>> = {
  endpoints: ['subsets'],
  endpointslices: ['addressType', 'endpoints', 'ports'],
  ingresses: ['spec'],
  namespaces: [],
  nodes: ['spec', 'status'],
  pods: ['spec', 'status'],
  services: ['spec'],
};

/**
 * Returns the key of an object within its resource: `namespace/name`, or only the name if it has no
 * namespace.
 */
export function objectKey({ namespace, name }: Pick<KubeObject, 'namespace' | 'name'>): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** Returns the part of an object of the API that discovery needs. */
export function readObject(resource: Resource, json: Json): KubeObject {
  const metadata = mapAt(json, 'metadata');
  const body: Record<string, unknown> = {};
  for (const field of keptFields[resource]) body[field] = json[field];
  if (resource === 'nodes') body['status'] = withoutImages(mapAt(json, 'status'));
  if (resource === 'pods') body['spec'] = onlyPorts(mapAt(json, 'spec'));
  return {
    namespace: stringAt(metadata, 'namespace'),
    name: stringAt(metadata, 'name'),
    uid: stringAt(metadata, 'uid'),
    labels: textsAt(metadata, 'labels'),
    annotations: textsAt(metadata, 'annotations'),
    owners: listAt(metadata, 'ownerReferences'),
    body,
  };
}

/** Removes the names of container images, which are nine tenths of a node's size. */
function withoutImages(status: Json): Json {
  return { addresses: status['addresses'], daemonEndpoints: status['daemonEndpoints'] };
}

/** Keeps only the containers' ports: environments, volumes and probes are most of a pod's spec. */
function onlyPorts(spec: Json): Json {
  const ports = (key: string): Json[] =>
    listAt(spec, key).map(({ name, image, ports: own }) => ({ name, image, ports: own }));
  return {
    nodeName: spec['nodeName'],
    containers: ports('containers'),
    initContainers: ports('initContainers'),
  };
}

function textsAt(json: Json, key: string): ReadonlyMap<string, string> {
  const map = mapAt(json, key);
  return new Map(Object.keys(map).map((name) => [name, stringAt(map, name)]));
}
