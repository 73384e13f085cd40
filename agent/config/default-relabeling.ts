// Default rules for a config without relabel_configs: short names for common labels.
import { relabelDefaults, type RelabelRule } from '../../src/model/relabel.ts';

/**
 * New labels, each with the label that its value comes from. A process without the source label
 * does not get the new label.
 */
const sources: readonly (readonly [target: string, source: string])[] = [
  ['executable', '__meta_process_executable_name'],
  ['systemd_unit', '__meta_systemd_unit'],
  ['systemd_user_unit', '__meta_systemd_user_unit'],
  ['namespace', '__meta_kubernetes_namespace'],
  ['pod', '__meta_kubernetes_pod_name'],
  ['container', '__meta_docker_container_name'],
  ['container', '__meta_podman_container_name'],
  ['container', '__meta_containerd_container_name'],
  ['container', '__meta_kubernetes_pod_container_name'],
  ['container_id', '__meta_kubernetes_pod_container_id'],
  ['container_id', '__meta_docker_container_id'],
  ['container_id', '__meta_containerd_container_id'],
  ['container_id', '__meta_podman_container_id'],
  ['container_id', '__meta_crio_container_id'],
  ['container_id', '__meta_lxc_container_id'],
  ['container_id', '__meta_nspawn_container_id'],
  ['container_id', '__meta_nomad_container_id'],
];

/** Rules in the order in which they are applied. */
export const defaultRelabelRules: readonly RelabelRule[] = sources.map(([target, source]) => ({
  ...relabelDefaults,
  sourceLabels: [source],
  targetLabel: target,
  regex: '(.+)',
}));
