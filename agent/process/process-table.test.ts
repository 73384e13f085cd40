import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { testProcess } from '../testing/samples.ts';
import { ExecutableTable } from './executable.ts';
import { KubeletLogs } from './kubelet.ts';
import { ProcFolder } from './proc-folder.ts';
import { ProcessLabels } from './process-labels.ts';
import { ProcessTable } from './process-table.ts';

test('a process that was sampled in the middle of exec gets its labels when it has names', () => {
  const clock = createFakeClock();
  const processLabels = new ProcessLabels({
    proc: new ProcFolder(),
    executables: new ExecutableTable(),
    kubelet: new KubeletLogs(clock, '/nowhere'),
    host: { node: 'n1', kernelRelease: '6.1', machine: 'x86_64', agentRevision: 'abc' },
    environmentNames: [],
  });
  const table = new ProcessTable({
    ...{ processLabels, clock, externalLabels: [], labelLifeMillis: 600_000 },
    relabel: () => undefined,
  });
  const name = '__meta_process_cmdline';
  const first = table.find(testProcess({ commandLine: [] }), undefined);
  first.samples = 3;
  assert.equal(first.found.get(name), undefined);
  const named = table.find(testProcess({}), undefined);
  assert.deepEqual([named.found.get(name), named.samples], ['app --flag', 3]);
  // Once is enough.
  assert.equal(table.find(testProcess({}), undefined), named);
  assert.equal(table.find(testProcess({ commandLine: [] }), undefined), named);
});
