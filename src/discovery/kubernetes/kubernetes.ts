// Kubernetes discovery: finds nodes, pods, services, endpoints, endpoint slices and ingresses.
import { isDeepStrictEqual } from 'node:util';
import { type Clock, sleep } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { HttpClient } from '../../http-client/http-client.ts';
import { defineDiscovery } from '../kind/define.ts';
import type { Discoverer, DiscoveryContext, TargetGroup } from '../interface.ts';
import { Failures } from '../kind/refresh.ts';
import { findApiServer, openApiClient, ownNamespace } from './api-server.ts';
import { type KubeObject, objectKey, type Resource } from './objects.ts';
import { kubernetesSchema, type KubernetesRole, type KubernetesSettings } from './settings.ts';
import * as targets from './targets.ts';
import { type OnChange, ResourceWatch } from './watch.ts';

/**
 * Milliseconds for which changes are collected, as in Prometheus. Hundreds of pods may start and
 * end at the same time.
 */
const gatherMillis = 5_000;
/** Longest wait after a failure, in milliseconds. */
const retryMillisMax = 60_000;

/**
 * Resources of each role. Each object of the first resource is a group; the other resources provide
 * further labels.
 */
const roleResources: Readonly<Record<KubernetesRole, readonly [Resource, ...Resource[]]>> = {
  node: ['nodes'],
  pod: ['pods'],
  service: ['services'],
  ingress: ['ingresses'],
  endpoints: ['endpoints', 'pods', 'services'],
  endpointslice: ['endpointslices', 'pods', 'services'],
};

/** Resources whose objects do not belong to a namespace. */
const clusterWide: ReadonlySet<Resource> = new Set(['nodes', 'namespaces']);

/** Returns the resources of a role, and those whose labels are attached to its targets. */
function watchedResources({ role, attach }: KubernetesSettings): readonly Resource[] {
  const own = roleResources[role];
  const hasNodes = ['pod', 'endpoints', 'endpointslice'].includes(role);
  return [
    ...own,
    ...(attach.node && hasNodes ? (['nodes'] as const) : []),
    ...(attach.namespace && role !== 'node' ? (['namespaces'] as const) : []),
  ];
}

/** Role that selectors use for each resource. */
const resourceRoles: Readonly<Partial<Record<Resource, KubernetesRole>>> = {
  nodes: 'node',
  pods: 'pod',
  services: 'service',
  ingresses: 'ingress',
  endpoints: 'endpoints',
  endpointslices: 'endpointslice',
};

export const kubernetes = defineDiscovery({
  kind: 'kubernetes',
  schema: kubernetesSchema,
  discover: createKubernetesDiscoverer,
});

/**
 * Creates a discoverer of a cluster's objects. `onFailure` gets errors after which the discoverer
 * continues.
 */
export function createKubernetesDiscoverer(
  config: KubernetesSettings,
  context: DiscoveryContext,
  onFailure: (error: unknown) => void = () => undefined,
): Discoverer {
  const keepTrying = { context, onFailure };
  return {
    async run(signal, onUpdate) {
      const cluster = new Cluster(config);
      const { clock } = context;
      const opened = await untilDone(keepTrying, signal, () =>
        openWatches(config, context, (resource, key, object) =>
          cluster.change(resource, key, object),
        ),
      );
      if (opened === undefined) return;
      const { client, watches } = opened;
      let listed = 0;
      const emitting = repeat(clock, gatherMillis, signal, () => {
        if (listed < watches.length) return;
        const groups = cluster.changedGroups();
        if (groups.length > 0) onUpdate(groups);
      });
      const running = watches.map(async (watch) => {
        let isListed = false;
        await keepRunning(keepTrying, signal, () =>
          watch.run(client, signal, () => {
            if (isListed) return;
            isListed = true;
            listed += 1;
            // Before everything is listed, groups would lack labels of objects that are not known
            // yet.
            if (listed === watches.length) onUpdate(cluster.changedGroups());
          }),
        );
      });
      await Promise.all([emitting, ...running]);
      await client.close();
    },
  };
}

/** Opens a client, and creates the watches of a role that share it. */
async function openWatches(
  config: KubernetesSettings,
  context: DiscoveryContext,
  onChange: OnChange,
): Promise<{ readonly client: HttpClient; readonly watches: readonly ResourceWatch[] }> {
  const { files } = context;
  const server = await findApiServer(config, context);
  const own = config.ownNamespace ? [await ownNamespace(files)] : [];
  const named = [...new Set([...own, ...config.namespaces])];
  const watches = watchedResources(config).flatMap((resource) => {
    const selector = config.selectors.find(({ role }) => role === resourceRoles[resource]);
    const isEverywhere = named.length === 0 || clusterWide.has(resource);
    return (isEverywhere ? [''] : named).map((namespace) => {
      const what = {
        resource,
        namespace,
        labelSelector: selector?.label ?? '',
        fieldSelector: selector?.field ?? '',
      };
      return new ResourceWatch(server.url, what, onChange);
    });
  });
  return { client: await openApiClient(server, gatherMillis, context), watches };
}

/** Calls `act` at regular intervals until the signal is aborted. */
async function repeat(
  clock: Clock,
  everyMillis: number,
  signal: AbortSignal,
  act: () => void,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(clock, everyMillis, signal).catch(() => undefined);
    if (!signal.aborted) act();
  }
}

/** Calls `run` again and again until the signal is aborted, with a wait after each failure. */
async function keepRunning(
  tries: Tries,
  signal: AbortSignal,
  run: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) await untilDone(tries, signal, run);
}

/** Log, clock and listener for failures. */
interface Tries {
  readonly context: DiscoveryContext;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Calls `run` until it succeeds, and returns its result; undefined if the signal is aborted first.
 */
async function untilDone<T>(
  { context, onFailure }: Tries,
  signal: AbortSignal,
  run: () => Promise<T>,
): Promise<T | undefined> {
  const failures = new Failures(context, 'kubernetes');
  while (!signal.aborted) {
    try {
      return await run();
    } catch (error) {
      if (signal.aborted) return undefined;
      onFailure(error);
      const waitMillis = Math.min(failures.note(error), retryMillisMax);
      await sleep(context.clock, waitMillis, signal).catch(() => undefined);
    }
  }
  return undefined;
}

/** The known objects of a cluster, and the groups that have changed. */
class Cluster {
  readonly #role: KubernetesRole;
  readonly #primary: Resource;
  readonly #objects = new Map<Resource, Map<string, KubeObject>>();
  readonly #changed = new Set<string>();
  /** Keys of the groups that get labels from each pod, by the key of the pod. */
  readonly #byPod = new Map<string, Set<string>>();

  constructor(config: KubernetesSettings) {
    this.#role = config.role;
    [this.#primary] = roleResources[config.role];
    for (const resource of watchedResources(config)) this.#objects.set(resource, new Map());
  }

  change(resource: Resource, key: string, object: KubeObject | undefined): void {
    const objects = this.#of(resource);
    if (resource === this.#primary) {
      this.#index(key, objects.get(key), object);
      this.#changed.add(key);
    } else if (resource === 'pods') {
      for (const group of this.#byPod.get(key) ?? []) this.#changed.add(group);
    } else if (clusterWide.has(resource)) {
      if (!hasSameLabels(objects.get(key), object)) this.#changeAll(resource, key);
    } else this.#changeService(key);
    if (object === undefined) objects.delete(key);
    else objects.set(key, object);
  }

  /**
   * Returns the groups that have changed since the last call. The group of a removed object is
   * empty.
   */
  changedGroups(): TargetGroup[] {
    const objects = this.#of(this.#primary);
    const groups = [...this.#changed].map((key) => {
      const object = objects.get(key);
      if (object !== undefined) return this.#group(object);
      const [namespace, name] = key.includes('/') ? key.split('/') : ['', key];
      const source = targets.nameGroup(this.#role, { namespace, name });
      return { source, targets: [], labels: [] };
    });
    this.#changed.clear();
    return groups;
  }

  #group(object: KubeObject): TargetGroup {
    const related = {
      pod: (key: string) => this.#of('pods').get(key),
      service: (key: string) => this.#of('services').get(key),
      node: this.#finder('nodes'),
      namespace: this.#finder('namespaces'),
    };
    switch (this.#role) {
      case 'node':
        return targets.nodeGroup(object);
      case 'pod':
        return targets.podGroup(object, related);
      case 'service':
        return targets.serviceGroup(object, related);
      case 'ingress':
        return targets.ingressGroup(object, related);
      case 'endpoints':
        return targets.endpointsGroup(object, related);
      case 'endpointslice':
        return targets.endpointSliceGroup(object, related);
      default:
        throw new AppError('internal', `BUG: role ${String(this.#role)}`);
    }
  }

  /**
   * Returns a function that finds an object of a resource; undefined if the config does not attach
   * labels of such objects.
   */
  #finder(resource: Resource): ((name: string) => KubeObject | undefined) | undefined {
    const objects = resource === this.#primary ? undefined : this.#objects.get(resource);
    return objects && ((name) => objects.get(name));
  }

  /** Marks all groups that use a node or a namespace as changed. */
  #changeAll(resource: Resource, name: string): void {
    // Until groups are reported for the first time, all of them are marked anyway.
    if (this.#changed.size === this.#of(this.#primary).size) return;
    for (const [key, object] of this.#of(this.#primary)) {
      const isAffected =
        resource === 'namespaces'
          ? object.namespace === name
          : targets.findNodeNames(object).has(name);
      if (isAffected) this.#changed.add(key);
    }
  }

  #changeService(key: string): void {
    if (this.#role === 'endpoints') {
      this.#changed.add(key);
      return;
    }
    for (const [sliceKey, { namespace, labels }] of this.#of('endpointslices')) {
      const name = labels.get(targets.serviceNameLabel) ?? '';
      if (objectKey({ namespace, name }) === key) this.#changed.add(sliceKey);
    }
  }

  #index(key: string, before: KubeObject | undefined, after: KubeObject | undefined): void {
    if (!this.#objects.has('pods') || this.#primary === 'pods') return;
    for (const pod of before === undefined ? [] : targets.findPodKeys(before)) {
      const groups = this.#byPod.get(pod);
      groups?.delete(key);
      if (groups?.size === 0) this.#byPod.delete(pod);
    }
    for (const pod of after === undefined ? [] : targets.findPodKeys(after)) {
      this.#byPod.set(pod, (this.#byPod.get(pod) ?? new Set()).add(key));
    }
  }

  #of(resource: Resource): Map<string, KubeObject> {
    return this.#objects.get(resource) ?? new Map<string, KubeObject>();
  }
}

/**
 * Returns true if targets would get the same labels from both objects. Other properties of a node
 * change all the time.
 */
function hasSameLabels(before: KubeObject | undefined, after: KubeObject | undefined): boolean {
  const attachedLabels = (object: KubeObject | undefined): unknown =>
    object && [object.labels, object.annotations];
  return isDeepStrictEqual(attachedLabels(before), attachedLabels(after));
}
