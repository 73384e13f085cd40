// Labels of containers of this node, from the API server of Kubernetes.
import type { Label } from '../../src/model/labels.ts';

/** Pod or node with the labels of its containers, as discovery finds it. */
export interface KubernetesGroup {
  readonly source: string;
  /** Labels of each container, for pods. */
  readonly targets: readonly (readonly Label[])[];
  readonly labels: readonly Label[];
}

const idLabel = '__meta_kubernetes_pod_container_id';
/** Label that only the API server provides. */
export const phaseLabel = '__meta_kubernetes_pod_phase';

/** Containers by id. A group replaces the last one of the same source. */
export class Pods {
  readonly #idsOf = new Map<string, readonly string[]>();
  readonly #containers = new Map<string, ReadonlyMap<string, string>>();
  #node: readonly Label[] = [];

  /** Takes new and changed pods; a pod without containers is removed. */
  applyPods(groups: readonly KubernetesGroup[]): void {
    for (const { source, targets, labels } of groups) {
      for (const id of this.#idsOf.get(source) ?? []) this.#containers.delete(id);
      const ids: string[] = [];
      for (const target of targets) {
        const all = new Map<string, string>();
        for (const { name, value } of [...labels, ...target]) {
          // Ports belong to targets of scrapes.
          if (/^__meta_kubernetes_(?!pod_container_port_)/.test(name)) all.set(name, value);
        }
        // The name of the runtime is before the id: containerd://7b2c...
        const id = all.get(idLabel)?.replace(/^.*:\/\//, '') ?? '';
        if (id === '') continue;
        all.set(idLabel, id);
        ids.push(id);
        this.#containers.set(id, all);
      }
      if (ids.length === 0) this.#idsOf.delete(source);
      else this.#idsOf.set(source, ids);
    }
  }

  /** Takes the labels of the node. */
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
