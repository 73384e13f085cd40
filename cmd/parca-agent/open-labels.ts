// Opens the sources of process labels: relabeling, pods, containers and the cloud instance.
import { hostname, machine, release } from 'node:os';
import type { AgentConfig } from '../../agent/config/agent-config.ts';
import { defaultRelabelRules } from '../../agent/config/default-relabeling.ts';
import { cgroupRules } from '../../agent/config/cgroup-rules.ts';
import { neverSetNames } from '../../agent/config/meta-names.ts';
import { wantedRules } from '../../agent/config/wanted-rules.ts';
import { CloudInstance } from '../../agent/process/cloud-instance.ts';
import { UserContainers, userFolders } from '../../agent/containers/user-containers.ts';
import type { ExecutableTable } from '../../agent/process/executable.ts';
import { KubeletLogs, kubeletLogFolder } from '../../agent/process/kubelet.ts';
import { ProcFolder } from '../../agent/process/proc-folder.ts';
import { ProcessLabels } from '../../agent/process/process-labels.ts';
import { ProcessTable } from '../../agent/process/process-table.ts';
import { openFilesOfProcesses } from '../../bpf/index.ts';
import { md5 } from '../../src/base/node/md5.ts';
import { createRelabeling, type RelabelRule } from '../../src/model/relabel.ts';
import type { BuildInfo } from '../build-info.ts';
import type { Machine } from '../machine.ts';
import type { Flags } from './flags.ts';
import { hasPodRuntime, openContainers } from './open-containers.ts';
import type { OpenPods } from './open-pods.ts';

/** Labels of processes, and a function that stops the watches that update them. */
export interface OpenLabels {
  readonly table: ProcessTable;
  stop(): Promise<void>;
}

export interface LabelsOptions {
  readonly on: Machine;
  readonly flags: Flags;
  readonly config: AgentConfig;
  readonly build: BuildInfo;
  readonly executables: ExecutableTable;
}

/** Starts watches, and logs warnings about rules with labels that no process can have. */
export async function openLabels(options: LabelsOptions): Promise<OpenLabels> {
  const { on, flags, config, build, executables } = options;
  const node = flags.node || hostname();
  const socketPath = flags.runtimeSocketPath;
  const cluster = await openCluster(on, node, build, flags);
  const { relabelRules = [] } = config;
  const hasPods = cluster !== undefined || hasPodRuntime({ socketPath });
  for (const line of neverSetNames(relabelRules, flags.includeEnvVars, hasPods))
    on.logger.warn(line);
  const containers = openContainers(on, { node, socketPath, environment: process.env });
  const userContainers = flags.userContainers
    ? new UserContainers({ clock: on.clock, logger: on.logger, folder: userFolders })
    : undefined;
  const instance = flags.cloudInstance ? new CloudInstance(on.clock, on.logger) : undefined;
  const processLabels = new ProcessLabels({
    proc: new ProcFolder(),
    executables,
    kubelet: new KubeletLogs(on.clock, kubeletLogFolder),
    pods: cluster?.pods,
    containers,
    userContainers,
    instanceLabels: () => instance?.labels ?? new Map(),
    openFile: openFilesOfProcesses(),
    host: {
      node,
      kernelRelease: release(),
      machine: machine(),
      agentRevision: build.commit,
    },
    environmentNames: flags.includeEnvVars,
  });
  const groupRules = rulesOfGroups(flags, config);
  const table = new ProcessTable({
    processLabels,
    relabel: createRelabeling(allRules(flags, config), md5),
    relabelGroup: groupRules.length === 0 ? undefined : createRelabeling(groupRules, md5),
    externalLabels: flags.externalLabels,
    labelLifeMillis: flags.labelLifeMillis,
    clock: on.clock,
  });
  return {
    table,
    stop: async () => {
      userContainers?.stop();
      await Promise.all([cluster?.stop(), containers.stop(), instance?.stop()]);
    },
  };
}

function allRules(flags: Flags, { relabelRules }: AgentConfig): readonly RelabelRule[] {
  return [...wantedRules(flags.wanted), ...(relabelRules ?? defaultRelabelRules)];
}

/** Returns the rules that drop whole control groups, which the kernel can then skip. */
export function rulesOfGroups(flags: Flags, config: AgentConfig): readonly RelabelRule[] {
  return cgroupRules(allRules(flags, config));
}

/** Watches the pods of this node; undefined outside a cluster. */
async function openCluster(
  on: Machine,
  node: string,
  build: BuildInfo,
  { kubeletAddress, kubeletInsecureSkipVerify }: Flags,
): Promise<OpenPods | undefined> {
  if (process.env['KUBERNETES_SERVICE_HOST'] === undefined) return undefined;
  const { findKubelet, openPods } = await import('./open-pods.ts');
  return openPods(on, {
    node,
    userAgent: `parca-agent/${build.version}`,
    apiServer: '',
    kubelet: findKubelet(node, kubeletAddress, kubeletInsecureSkipVerify),
  });
}
