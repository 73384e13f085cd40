// Names of the labels that this agent can set before relabeling, and warnings about rules that use
// other names.
import { nearest } from '../../src/base/text/nearest.ts';
import type { RelabelRule } from '../../src/model/relabel.ts';
import { instanceLabelNames } from '../process/cloud-instance.ts';
import { schedulerLabels } from '../process/scheduler-labels.ts';

/** All fixed names. A test compares the list with the labels that the agent reads. */
export const metaNames: readonly string[] = [
  ...['pid', 'ppid', 'cmdline', 'cgroup'].map((name) => `__meta_process_${name}`),
  ...['name', 'build_id', 'file_id', 'compiler', 'static', 'stripped'].map(
    (name) => `__meta_process_executable_${name}`,
  ),
  '__meta_system_kernel_release',
  '__meta_system_kernel_machine',
  '__meta_agent_revision',
  '__meta_otel_service_name',
  '__meta_service_name',
  ...['unit', 'slice', 'user_unit'].map((name) => `__meta_systemd_${name}`),
  ...[
    'docker',
    'docker_build_kit',
    'containerd',
    'podman',
    'crio',
    'nspawn',
    'nomad',
    'lxc',
    'kubernetes_pod',
  ].map((runtime) => `__meta_${runtime}_container_id`),
  ...['docker', 'containerd', 'podman'].flatMap((runtime) =>
    ['name', 'image'].map((what) => `__meta_${runtime}_container_${what}`),
  ),
  ...['namespace', 'pod_name'].map((name) => `__meta_containerd_${name}`),
  ...schedulerLabels,
  ...instanceLabelNames,
  ...['namespace', 'node_name', 'pod_uid', 'pod_name', 'pod_node_name', 'pod_container_name'].map(
    (name) => `__meta_kubernetes_${name}`,
  ),
];

/** Prefixes of the names of a container's own labels. */
const containerPrefixes: readonly string[] = ['docker', 'containerd', 'podman'].flatMap((runtime) =>
  ['label', 'labelpresent'].map((what) => `__meta_${runtime}_container_${what}_`),
);

const variablePrefix = '__meta_env_var_';

/**
 * Further names and prefixes, which exist only if the Kubernetes API server or a container runtime
 * is queried.
 */
const clusterNames: readonly string[] = [
  'ip',
  'ready',
  'phase',
  'host_ip',
  'controller_kind',
  'controller_name',
  'deployment_name',
  'job_name',
  'cronjob_name',
  'container_image',
  'container_init',
].map((name) => `__meta_kubernetes_pod_${name}`);
const clusterPrefixes: readonly string[] = ['pod', 'node'].flatMap((kind) =>
  ['label', 'labelpresent', 'annotation', 'annotationpresent'].map(
    (what) => `__meta_kubernetes_${kind}_${what}_`,
  ),
);

/**
 * Returns a warning for each label name in a rule, or regular expression for label names, that no
 * process can have. `variables` are the environment variables that become labels. `isInCluster` is
 * true if the API server or a container runtime is queried.
 */
export function neverSetNames(
  rules: readonly RelabelRule[],
  variables: readonly string[],
  isInCluster: boolean,
): string[] {
  const ofVariables = variables.map((name) => variablePrefix + name);
  const known = [...metaNames, ...ofVariables, ...(isInCluster ? clusterNames : [])];
  const prefixes = [...containerPrefixes, ...(isInCluster ? clusterPrefixes : [])];
  return rules.flatMap(({ action, sourceLabels, regex, targetLabel }, i) => {
    // Rules can use the names that earlier rules create.
    const made = rules.slice(0, i).map((rule) => rule.targetLabel);
    const isSet = (name: string): boolean =>
      known.includes(name) || made.includes(name) || prefixes.some((one) => name.startsWith(one));
    const names = sourceLabels.filter((name) => name.startsWith('__meta_') && !isSet(name));
    const isOfNames = action === 'labelmap' || action === 'labelkeep';
    const prefix = isOfNames ? (/^__meta_\w*/.exec(regex)?.[0] ?? '') : '';
    const all = [...known, ...prefixes];
    const isWanted = prefix !== '' && !all.some((name) => name.startsWith(prefix));
    const place = `relabel_configs[${i}]${targetLabel === '' ? '' : ` for ${targetLabel}`}`;
    const lines = names.map((name) => {
      const near = nearest(name, known);
      const hint = near === undefined ? '' : `, the nearest name is ${near}`;
      return `${place}: no process has ${name}${hint}`;
    });
    return isWanted ? [...lines, `${place}: no process has a label like ${regex}`] : lines;
  });
}
