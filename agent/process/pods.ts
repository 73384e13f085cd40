// Labels of the containers on this node, from the Kubernetes API server.
import type { Label } from '../../src/model/labels.ts';

/** A pod or node with the labels of its containers, from discovery. */
export interface KubernetesGroup {
  readonly source: string;
  /** Labels of each container; only for pods. */
  readonly targets: readonly (readonly Label[])[];
  readonly labels: readonly Label[];
}

const idLabel = '__meta_kubernetes_pod_container_id';
/** Label that only the API server provides. */
export const phaseLabel = '__meta_kubernetes_pod_phase';

const prefix = '__meta_kubernetes_pod_';

/** A controller of pods. */
export interface PodController {
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
}

/** Returns the name of a controller's owner; "" = no owner, undefined = unknown. */
export type FindOwner = (controller: PodController) => string | undefined;

/** Returns the controllers of the pods. */
export function listControllers(groups: readonly KubernetesGroup[]): readonly PodController[] {
  return groups.map(({ labels }) =>
    readController(new Map(labels.map(({ name, value }) => [name, value]))),
  );
}

function readController(labels: ReadonlyMap<string, string>): PodController {
  return {
    namespace: labels.get('__meta_kubernetes_namespace') ?? '',
    kind: labels.get(`${prefix}controller_kind`) ?? '',
    name: labels.get(`${prefix}controller_name`) ?? '',
  };
}

/** Adds the owner of the pod's controller. */
function addOwner(labels: Map<string, string>, findOwner: FindOwner): void {
  const controller = readController(labels);
  const { kind, name } = controller;
  if (name === '' || (kind !== 'ReplicaSet' && kind !== 'Job')) return;
  if (kind === 'Job') labels.set(`${prefix}job_name`, name);
  const hash = labels.get(`${prefix}label_pod_template_hash`) ?? '';
  const owner = findOwner(controller) ?? guessOwner(controller, hash);
  const label = kind === 'Job' ? 'cronjob_name' : 'deployment_name';
  if (owner !== '') labels.set(prefix + label, owner);
}

/**
 * Derives the owner from the names that Kubernetes generates, for agents that cannot read
 * controllers. A ReplicaSet's name is the Deployment's name and a hash; a Job's name is the
 * CronJob's name and the minute of its start.
 */
function guessOwner({ kind, name }: PodController, hash: string): string {
  if (kind === 'Job') return /^(.+)-\d{8,10}$/.exec(name)?.[1] ?? '';
  return hash !== '' && name.endsWith(`-${hash}`) ? name.slice(0, -hash.length - 1) : '';
}

/** Containers by id. A group replaces the previous group with the same source. */
export class Pods {
  readonly #idsOf = new Map<string, readonly string[]>();
  readonly #containers = new Map<string, ReadonlyMap<string, string>>();
  readonly #findOwner: FindOwner;
  #node: readonly Label[] = [];

  constructor(findOwner: FindOwner = () => undefined) {
    this.#findOwner = findOwner;
  }

  /** Adds or updates pods; removes pods without containers. */
  applyPods(groups: readonly KubernetesGroup[]): void {
    for (const { source, targets, labels } of groups) {
      for (const id of this.#idsOf.get(source) ?? []) this.#containers.delete(id);
      const ids: string[] = [];
      for (const target of targets) {
        const all = new Map<string, string>();
        for (const { name, value } of [...labels, ...target]) {
          // Ports are only needed for scraping.
          if (/^__meta_kubernetes_(?!pod_container_port_)/.test(name)) all.set(name, value);
        }
        // The id starts with the name of the runtime: containerd://7b2c...
        const id = all.get(idLabel)?.replace(/^.*:\/\//, '') ?? '';
        if (id === '') continue;
        all.set(idLabel, id);
        addOwner(all, this.#findOwner);
        ids.push(id);
        this.#containers.set(id, all);
      }
      if (ids.length === 0) this.#idsOf.delete(source);
      else this.#idsOf.set(source, ids);
    }
  }

  /** Removes all pods, before pods are listed from another source. */
  clear(): void {
    this.#idsOf.clear();
    this.#containers.clear();
  }

  /** Sets the labels of the node. */
  applyNode(groups: readonly KubernetesGroup[]): void {
    const wanted = /^__meta_kubernetes_node_(?:label|labelpresent|annotation|annotationpresent)_/;
    for (const { labels } of groups) this.#node = labels.filter(({ name }) => wanted.test(name));
  }

  /** Returns the labels of a container; undefined if it is unknown. */
  find(id: string): ReadonlyMap<string, string> | undefined {
    return this.#containers.get(id);
  }

  /** Labels of the node. */
  get node(): readonly Label[] {
    return this.#node;
  }
}
