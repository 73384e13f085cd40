// The rules of an agent whose file has no relabel_configs: what people look for, by short names.
import { relabelDefaults, type RelabelRule } from '../../src/model/relabel.ts';

/** Label and where it comes from; a process without the source has no such label. */
const sources: readonly (readonly [target: string, source: string])[] = [
  ['executable', '__meta_process_executable_name'],
  ['systemd_unit', '__meta_systemd_unit'],
  ['systemd_user_unit', '__meta_systemd_user_unit'],
  ['namespace', '__meta_kubernetes_namespace'],
  ['pod', '__meta_kubernetes_pod_name'],
  ['container', '__meta_kubernetes_pod_container_name'],
  ['container_id', '__meta_kubernetes_pod_container_id'],
  ['container_id', '__meta_docker_container_id'],
  ['container_id', '__meta_containerd_container_id'],
  ['container_id', '__meta_podman_container_id'],
  ['container_id', '__meta_lxc_container_id'],
];

/** In order. */
export const defaultRelabelRules: readonly RelabelRule[] = sources.map(([target, source]) => ({
  ...relabelDefaults,
  sourceLabels: [source],
  targetLabel: target,
  regex: '(.+)',
}));
