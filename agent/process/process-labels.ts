// The labels that a process has before relabeling: Parca's names, and systemd's.
import { basename } from 'node:path';
import type { Binary, SampledProcess } from '../../bpf/sampler.ts';
import type { LabelMap } from '../../src/model/relabel.ts';
import { commandLineLengthMax } from '../limits.ts';
import { type Container, containerOf, mainCgroupPath, parseCgroup, systemdUnit } from './cgroup.ts';
import type { ExecutableTable } from './executable.ts';
import type { KubeletLogs } from './kubelet.ts';
import { phaseLabel, type Pods } from './pods.ts';
import type { ProcFolder } from './proc-folder.ts';
import { foundServiceName, givenServiceName, nameVariables } from './service-name.ts';

/** Facts of the host, the same for every process. */
export interface HostFacts {
  /** The label `node`. */
  readonly node: string;
  readonly kernelRelease: string;
  /** Architecture as uname prints it: x86_64, aarch64. */
  readonly machine: string;
  readonly agentRevision: string;
}

export interface ProcessLabelsOptions {
  readonly proc: ProcFolder;
  readonly executables: ExecutableTable;
  readonly kubelet: KubeletLogs;
  /** Undefined where no API server is asked. */
  readonly pods?: Pods | undefined;
  readonly host: HostFacts;
  /** Environment variables that become `__meta_env_var_<NAME>`. */
  readonly environmentNames: readonly string[];
}

/** Label of the name that OpenTelemetry's variables give, before relabeling. */
export const givenServiceLabel = '__meta_otel_service_name';
/** Label of the name that was found otherwise. */
export const foundServiceLabel = '__meta_service_name';

/** Reads labels of processes. */
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
    this.#addCgroup(process.cgroup, set);
    const environment = proc.environment(pid, [...environmentNames, ...nameVariables]);
    for (const name of environmentNames) set(`__meta_env_var_${name}`, environment.get(name) ?? '');
    set(givenServiceLabel, givenServiceName(environment));
    const valueOf = (name: string): string => labels.get(name) ?? '';
    const container = valueOf('__meta_kubernetes_pod_container_name');
    const units = ['__meta_systemd_unit', '__meta_systemd_user_unit'].map(valueOf);
    set(foundServiceLabel, foundServiceName(process, { environment, proc, container, units }));
    return labels;
  }

  /** Returns true if the API server has told of the container since labels were read. */
  areStale(labels: ReadonlyMap<string, string>): boolean {
    const { pods } = this.#options;
    if (pods === undefined || labels.has(phaseLabel)) return false;
    const id = labels.get('__meta_kubernetes_pod_container_id');
    return id !== undefined && pods.find(id) !== undefined;
  }

  #addExecutable(binary: Binary, set: SetLabel): void {
    const { buildId, buildIdKind } = binary;
    if (buildIdKind === 'hash') set('__meta_process_executable_file_id', buildId);
    else set('__meta_process_executable_build_id', buildId);
    const facts = this.#options.executables.facts(binary);
    if (facts === undefined) return;
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
    const container = containerOf(lines);
    if (container !== undefined) this.#addContainer(container, set);
  }

  #addContainer({ runtime, id, podUid }: Container, set: SetLabel): void {
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
