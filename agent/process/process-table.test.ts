import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import type { SampledProcess } from '../../bpf/sampler.ts';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { md5 } from '../../src/base/node/md5.ts';
import { createRelabeling, type Relabeling, relabelDefaults } from '../../src/model/relabel.ts';
import { endedProgramsMax, settledMillis } from '../limits.ts';
import { createProcessTable } from '../testing/process-table.ts';
import { testProcess } from '../testing/samples.ts';
import type { ProcessTable, ProcessTableOptions } from './process-table.ts';

function createTable(): ProcessTable {
  return createProcessTable(createFakeClock(), { relabel: () => undefined, externalLabels: [] });
}

test('a process that runs another program has other labels', () => {
  const table = createTable();
  const sh = testProcess({ name: 'sh', executable: '/bin/sh' });
  const readLabel = (process: SampledProcess, name: string): string | undefined =>
    table.find(process, undefined).found.get(name);
  const before = table.find(sh, undefined);
  const app = testProcess({ name: 'app', executable: '/usr/bin/app' });
  assert.deepEqual([readLabel(sh, 'comm'), readLabel(app, 'comm')], ['sh', 'app']);
  assert.notEqual(table.find({ ...sh, startNanos: 9n }, undefined), before, 'the id is used again');
  assert.equal(table.find(sh, undefined), before);
});

test('a process that was sampled in the middle of exec gets its labels when it has names', () => {
  const table = createTable();
  const name = '__meta_process_cmdline';
  const first = table.find(testProcess({ commandLine: [] }), undefined);
  first.samples = 3;
  assert.equal(first.found.get(name), undefined);
  const named = table.find(testProcess({}), undefined);
  // A batch may contain samples from before and after the labels were read.
  first.samples += 4;
  assert.deepEqual([named.found.get(name), named.samples], ['app --flag', 7]);
  // The process keeps its labels even if its command line becomes empty later.
  assert.equal(table.find(testProcess({}), undefined), named);
  assert.equal(table.find(testProcess({ commandLine: [] }), undefined), named);
});

test('the service of a process: its own variables, then a rule, then what was found', async () => {
  const child = spawn('sleep', ['100'], { env: { OTEL_SERVICE_NAME: 'given' } });
  await once(child, 'spawn');
  const check = (want: string | undefined, pid: number, rules: readonly object[]): void => {
    const relabel = createRelabeling(
      rules.map((rule) => ({ ...relabelDefaults, ...rule })),
      md5,
    );
    const table = createProcessTable(createFakeClock(), { relabel, externalLabels: [] });
    const { labels } = table.find(testProcess({ pid, executable: '/usr/bin/app' }), undefined);
    assert.equal(labels?.find(({ name }) => name === 'service_name')?.value, want);
  };
  const rule = { sourceLabels: ['comm'], targetLabel: 'service_name', replacement: 'ruled' };
  const pid = child.pid ?? 0;
  /** Larger than the largest process id. */
  const gone = 4_194_305;
  check('app', gone, []);
  check('ruled', gone, [rule]);
  check('given', pid, [rule]);
  check('given', pid, []);
  check(undefined, pid, [{ action: 'labeldrop', regex: '__meta_(otel_)?service_name' }]);
  child.kill();
});

test('a program is over when its process ends or becomes another one', () => {
  const table = createTable();
  const sample = (name: string, pid: number, sampledNanos: bigint): void => {
    table.find(testProcess({ pid, name, executable: `/bin/${name}` }), undefined).sampledNanos =
      sampledNanos;
  };
  sample('sh', 7, 10n);
  sample('app', 7, 30n);
  sample('other', 8, 10n);
  const listNames = (ended: ReturnType<typeof table.end>): string[] =>
    ended.map(({ name }) => name);
  assert.deepEqual(listNames(table.end([{ kind: 'exec', pid: 7, timeNanos: 20n }])), ['sh']);
  // A late sample belongs to the program that has ended.
  const late = table.find(testProcess({ pid: 7, name: 'sh', executable: '/bin/sh' }), undefined);
  assert.equal(late.sampledNanos, 10n);
  const events = [
    { kind: 'exec', pid: 7, timeNanos: 25n },
    { kind: 'exit', pid: 7, timeNanos: 40n },
  ] as const;
  assert.deepEqual(listNames(table.end(events)), ['app']);
  assert.deepEqual(listNames(table.end(events)), []);
  assert.equal(table.all().length, 3);
});

test('a process is unwanted when its labels have been dropped for a while', async () => {
  const clock = createFakeClock();
  const relabel: ProcessTableOptions['relabel'] = (labels) =>
    labels.get('comm') === 'app' ? 0 : undefined;
  const table = createProcessTable(clock, { relabel, externalLabels: [] });
  const app = testProcess({ pid: 7, name: 'app' });
  const web = testProcess({ pid: 8, name: 'web' });
  for (const process of [app, web]) table.find(process, undefined);
  assert.deepEqual(table.unwanted([app, web]).pids, []);
  await clock.advance(settledMillis);
  assert.deepEqual(table.unwanted([app, web]), { pids: [7], cgroupIds: [] });
  assert.deepEqual(table.unwanted([testProcess({ pid: 7, name: 'other' })]).pids, []);
});

test('a control group is unwanted when a rule drops all that runs in it', async () => {
  const clock = createFakeClock();
  const drop = (name: string, value: string): Relabeling => {
    const rule = { ...relabelDefaults, sourceLabels: [name], regex: value };
    return createRelabeling([{ ...rule, action: 'drop' }], md5);
  };
  const dropUnit = drop('__meta_systemd_unit', 'a.service');
  const dropName = drop('comm', 'app');
  const table = createProcessTable(clock, {
    relabel: (labels) => dropUnit(labels) ?? dropName(labels),
    relabelGroup: dropUnit,
    externalLabels: [],
  });
  const make = (pid: number, cgroup: string, cgroupId: bigint, name: string): SampledProcess =>
    testProcess({ pid, name, cgroup, cgroupId });
  const all = [
    make(1, '0::/system.slice/a.service\n', 41n, 'app'),
    make(2, '0::/system.slice/a.service\n', 41n, 'web'),
    make(3, '0::/system.slice/b.service\n', 42n, 'app'),
    make(4, '0::/system.slice/b.service\n', 42n, 'web'),
    // A process with an unknown control group id.
    make(5, '0::/system.slice/a.service\n', 0n, 'web'),
    // Containers in one version 2 group may be distinguished by version 1 groups.
    make(6, '1:name=systemd:/system.slice/a.service\n0::/system.slice/a.service\n', 43n, 'web'),
    make(7, '1:name=systemd:/system.slice/a.service\n0::/\n', 1n, 'web'),
    make(8, '1:name=systemd:/\n0::/system.slice/a.service\n', 44n, 'web'),
  ];
  for (const process of all) table.find(process, undefined);
  await clock.advance(settledMillis);
  assert.deepEqual(table.unwanted(all), { pids: [3, 5, 6, 7], cgroupIds: [41n, 44n] });
  // If a process has moved to another group, its labels are read again.
  const moved = make(1, '0::/system.slice/c.service\n', 45n, 'web-1');
  const before = { ...moved, cgroup: all[0].cgroup, cgroupId: 41n };
  assert.equal(table.find(before, undefined).labels, undefined);
  assert.notEqual(table.find(moved, undefined).labels, undefined);
});

test('programs that have ended are few', () => {
  const table = createTable();
  for (let pid = 1; pid <= endedProgramsMax + 9; pid += 1) {
    table.find(testProcess({ pid }), undefined);
    table.end([{ kind: 'exit', pid, timeNanos: 1n }]);
  }
  table.find(testProcess({ pid: 4_194_304 }), undefined);
  assert.equal(table.all().length, endedProgramsMax + 1);
});
