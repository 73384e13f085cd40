// Rules that keep only the processes selected by flags; they are applied before all other rules.
import { relabelDefaults, type RelabelRule } from '../../src/model/relabel.ts';

/** Names of processes to keep; an empty list means all. `*` matches any characters. */
export interface Wanted {
  readonly units: readonly string[];
  readonly containers: readonly string[];
  readonly namespaces: readonly string[];
  readonly executables: readonly string[];
}

const sources: Readonly<Record<keyof Wanted, readonly string[]>> = {
  units: ['__meta_systemd_unit', '__meta_systemd_user_unit'],
  containers: [
    '__meta_kubernetes_pod_container_name',
    '__meta_docker_container_name',
    '__meta_podman_container_name',
    '__meta_containerd_container_name',
  ],
  namespaces: ['__meta_kubernetes_namespace', '__meta_containerd_namespace'],
  executables: ['__meta_process_executable_name'],
};

/** Separator between the values of several labels; it cannot occur in names. */
const separator = '\n';

/** Returns one rule for each list that is not empty. */
export function wantedRules(wanted: Wanted): readonly RelabelRule[] {
  const kinds = ['units', 'containers', 'namespaces', 'executables'] as const;
  return kinds.flatMap((kind) => {
    const names = wanted[kind];
    if (names.length === 0) return [];
    const forms = names.map((name) =>
      name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', `[^${separator}]*`),
    );
    const regex = `(?s:(?:.*${separator})?(?:${forms.join('|')})(?:${separator}.*)?)`;
    const rule: RelabelRule = {
      ...relabelDefaults,
      action: 'keep',
      sourceLabels: sources[kind],
      separator,
      regex,
    };
    return [rule];
  });
}
