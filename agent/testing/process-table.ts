// Creates process tables for tests, for a host without Kubernetes and systemd.
import type { Clock } from '../../src/base/clock.ts';
import { ExecutableTable } from '../process/executable.ts';
import { KubeletLogs } from '../process/kubelet.ts';
import { ProcFolder } from '../process/proc-folder.ts';
import { ProcessLabels } from '../process/process-labels.ts';
import { ProcessTable, type ProcessTableOptions } from '../process/process-table.ts';

/** Creates an empty table for the node `n1`. */
export function createProcessTable(
  clock: Clock,
  options: Pick<ProcessTableOptions, 'relabel' | 'relabelGroup' | 'externalLabels'>,
): ProcessTable {
  const processLabels = new ProcessLabels({
    proc: new ProcFolder(),
    executables: new ExecutableTable(),
    kubelet: new KubeletLogs(clock, '/nowhere'),
    host: { node: 'n1', kernelRelease: '6.1', machine: 'x86_64', agentRevision: 'abc' },
    environmentNames: [],
  });
  return new ProcessTable({ processLabels, clock, labelLifeMillis: 600_000, ...options });
}
