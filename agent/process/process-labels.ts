// Labels of a process before relabeling. Their names are those of Parca and systemd.
import { basename } from 'node:path';
import type { Binary, SampledProcess } from '../../bpf/sampler.ts';
import type { LabelMap } from '../../src/model/relabel.ts';
import type { Containers } from '../containers/containers.ts';
import type { UserContainer, UserContainers } from '../containers/user-containers.ts';
import { commandLineLengthMax } from '../limits.ts';
import {
  type CgroupLine,
  type Container,
  containerdPaths,
  findContainer,
  findUserId,
  mainCgroupPath,
  parseCgroup,
  systemdUnit,
} from './cgroup.ts';
import { addSchedulerLabels, schedulerVariables } from './scheduler-labels.ts';
import { providerLabel } from './cloud-instance.ts';
import type { ExecutableTable } from './executable.ts';
import type { KubeletLogs } from './kubelet.ts';
import { phaseLabel, type Pods } from './pods.ts';
import type { ProcFolder } from './proc-folder.ts';
import { foundServiceName, givenServiceName, nameVariables } from './service-name.ts';

/** Data about the host, which is the same for all processes. */
export interface HostFacts {
  /** Value of the label `node`. */
  readonly node: string;
  readonly kernelRelease: string;
  /** Architecture as reported by uname: x86_64, aarch64. */
  readonly machine: string;
  readonly agentRevision: string;
}

export interface ProcessLabelsOptions {
  readonly proc: ProcFolder;
  readonly executables: ExecutableTable;
  readonly kubelet: KubeletLogs;
  /** Undefined if no API server is queried. */
  readonly pods?: Pods | undefined;
  /** Undefined if no runtime is queried. */
  readonly containers?: Pick<Containers, 'find' | 'load'> | undefined;
  /** Undefined if the users' rootless container engines are not queried. */
  readonly userContainers?: Pick<UserContainers, 'find' | 'load'> | undefined;
  /** Labels of the cloud instance, if enabled. */
  readonly instanceLabels?: () => ReadonlyMap<string, string>;
  /** Opens a file as a process sees it; returns -1 if there is no such file. */
  readonly openFile?: (pid: number, path: string) => number;
  readonly host: HostFacts;
  /** Environment variables for the labels `__meta_env_var_<NAME>`. */
  readonly environmentNames: readonly string[];
}

/** Label for the service name from OpenTelemetry's variables, before relabeling. */
export const givenServiceLabel = '__meta_otel_service_name';
/** Label for a service name that was derived from other data. */
export const foundServiceLabel = '__meta_service_name';

/** Labels that can contain a container's name; the most specific label comes first. */
const containerNames: readonly string[] = [
  '__meta_kubernetes_pod_container_name',
  '__meta_docker_container_label_com_docker_compose_service',
  '__meta_docker_container_label_com_docker_swarm_service_name',
  '__meta_ecs_container_name',
  '__meta_nomad_task_name',
  '__meta_docker_container_name',
  '__meta_podman_container_name',
  '__meta_containerd_container_name',
];

/** Labels with container ids that a runtime can be queried about. */
const containerIds: readonly string[] = [
  'kubernetes_pod',
  'docker',
  'podman',
  'containerd',
  'crio',
].map((runtime) => `__meta_${runtime}_container_id`);

/** Reads the labels of processes. */
export class ProcessLabels {
  readonly #options: ProcessLabelsOptions;

  constructor(options: ProcessLabelsOptions) {
    this.#options = options;
  }

  /** Returns the labels of a process; `binary` is its executable, undefined if unknown. */
  read(process: SampledProcess, binary: Binary | undefined): LabelMap {
    const { host, proc, environmentNames } = this.#options;
    const { pid } = process;
    const labels: LabelMap = new Map();
    const set: SetLabel = (name, value) => {
      if (value !== '') labels.set(name, value);
    };
    set('node', host.node);
    set('comm', process.name);
    set('__meta_process_pid', String(pid));
    set('__meta_process_ppid', String(process.parentPid));
    set('__meta_process_cmdline', process.commandLine.join(' ').slice(0, commandLineLengthMax));
    set('__meta_system_kernel_release', host.kernelRelease);
    set('__meta_system_kernel_machine', host.machine);
    set('__meta_agent_revision', host.agentRevision);
    set('__meta_process_executable_name', basename(process.executable));
    if (binary !== undefined) this.#addExecutable(binary, set);
    for (const [name, value] of this.#options.instanceLabels?.() ?? []) set(name, value);
    this.#addCgroup(process.cgroup, set);
    const variables = [...environmentNames, ...nameVariables, ...schedulerVariables];
    const environment = proc.environment(pid, variables);
    for (const name of environmentNames) set(`__meta_env_var_${name}`, environment.get(name) ?? '');
    addSchedulerLabels(environment, (path) => this.#options.openFile?.(pid, path) ?? -1, set);
    set(givenServiceLabel, givenServiceName(environment));
    const read = (name: string): string => labels.get(name) ?? '';
    const container = containerNames.map(read).find((name) => name !== '') ?? '';
    const units = ['__meta_systemd_unit', '__meta_systemd_user_unit'].map(read);
    set(foundServiceLabel, foundServiceName(process, { environment, proc, container, units }));
    return labels;
  }

  /**
   * Queries runtimes about the containers of new processes, so that their first profiles have
   * labels.
   */
  async load(processes: readonly SampledProcess[]): Promise<void> {
    const { containers, userContainers } = this.#options;
    const ids = new Set<string>();
    const ofUsers: UserContainer[] = [];
    for (const { cgroup } of processes) {
      const lines = parseCgroup(cgroup);
      const container = findContainer(lines);
      const userId = findUserId(lines);
      if (container === undefined) continue;
      if (userId === undefined) ids.add(container.id);
      else ofUsers.push({ userId, id: container.id });
    }
    await Promise.all([
      ids.size === 0 ? undefined : containers?.load([...ids]),
      ofUsers.length === 0 ? undefined : userContainers?.load(ofUsers),
    ]);
  }

  /**
   * Returns true if the API server or a runtime has reported the container since the labels were
   * read.
   */
  areStale(labels: ReadonlyMap<string, string>): boolean {
    const { pods } = this.#options;
    const podId = labels.get('__meta_kubernetes_pod_container_id');
    if (podId !== undefined && !labels.has(phaseLabel) && pods?.find(podId) !== undefined) {
      return true;
    }
    const { instanceLabels } = this.#options;
    if (!labels.has(providerLabel) && (instanceLabels?.().size ?? 0) > 0) return true;
    if (containerNames.some((name) => labels.has(name))) return false;
    const id = containerIds.map((name) => labels.get(name)).find((one) => one !== undefined);
    if (id === undefined) return false;
    const path = labels.get('__meta_process_cgroup') ?? '';
    return this.#findLabels(id, findUserId([{ path }])) !== undefined;
  }

  #addExecutable(binary: Binary, set: SetLabel): void {
    const { buildId, buildIdKind } = binary;
    if (buildIdKind !== 'hash') set('__meta_process_executable_build_id', buildId);
    const facts = this.#options.executables.facts(binary);
    if (facts === undefined) return;
    set('__meta_process_executable_file_id', facts.fileId);
    set('__meta_process_executable_compiler', facts.compiler);
    set('__meta_process_executable_static', String(facts.isStatic));
    set('__meta_process_executable_stripped', String(facts.isStripped));
  }

  #addCgroup(text: string, set: SetLabel): void {
    const lines = parseCgroup(text);
    set('__meta_process_cgroup', mainCgroupPath(lines));
    const { unit, slice, userUnit } = systemdUnit(lines);
    set('__meta_systemd_unit', unit);
    set('__meta_systemd_slice', slice);
    set('__meta_systemd_user_unit', userUnit);
    const container = findContainer(lines);
    if (container !== undefined) this.#addContainer(container, findUserId(lines), set);
    else this.#addNamed(lines, set);
  }

  /** Adds the labels of a containerd container that is known by name instead of by id. */
  #addNamed(lines: readonly CgroupLine[], set: SetLabel): void {
    const { containers } = this.#options;
    if (containers === undefined) return;
    for (const path of containerdPaths(lines)) {
      const found = containers.find(path);
      for (const [name, value] of found ?? []) set(name, value);
      if (found !== undefined) return;
    }
  }

  /**
   * Returns a container's labels from a runtime. Users can name their control groups freely, so a
   * user's control group is looked up only in the user's own engine.
   */
  #findLabels(id: string, userId: number | undefined): ReadonlyMap<string, string> | undefined {
    const { containers, userContainers } = this.#options;
    return userId === undefined ? containers?.find(id) : userContainers?.find({ userId, id });
  }

  #addContainer(
    { runtime, id, podUid }: Container,
    userId: number | undefined,
    set: SetLabel,
  ): void {
    for (const [name, value] of this.#findLabels(id, userId) ?? []) set(name, value);
    if (runtime !== 'kubernetes') {
      set(`__meta_${runtime}_container_id`, id);
      return;
    }
    set('__meta_kubernetes_pod_container_id', id);
    set('__meta_kubernetes_pod_uid', podUid);
    set('__meta_kubernetes_node_name', this.#options.host.node);
    const { pods } = this.#options;
    for (const { name, value } of pods?.node ?? []) set(name, value);
    for (const [name, value] of pods?.find(id) ?? []) set(name, value);
    const names = this.#options.kubelet.find(id);
    if (names === undefined) return;
    set('__meta_kubernetes_namespace', names.namespace);
    set('__meta_kubernetes_pod_name', names.pod);
    set('__meta_kubernetes_pod_node_name', this.#options.host.node);
    set('__meta_kubernetes_pod_container_name', names.container);
  }
}

type SetLabel = (name: string, value: string) => void;
