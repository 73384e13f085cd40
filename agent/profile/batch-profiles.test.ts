// Tests of making profiles from batches of samples; the server's decoder reads the profiles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stackStatus } from '../../bpf/sampler.ts';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { md5 } from '../../src/base/node/md5.ts';
import { PprofColumns } from '../../src/formats/pprof/columns.ts';
import { decodePprof } from '../../src/formats/pprof/decode.ts';
import { profileText, validateProfile } from '../../src/formats/pprof/validate.ts';
import { createRelabeling, relabelDefaults, type RelabelRule } from '../../src/model/relabel.ts';
import { defaultRelabelRules } from '../config/default-relabeling.ts';
import { FrameResolver } from '../frames/frame-resolver.ts';
import { BinarySymbols } from '../frames/binary-symbols.ts';
import { DebugFolders } from '../frames/debug-folders.ts';
import { KernelSymbols } from '../frames/kernel-symbols.ts';
import { JitDumps } from '../frames/jit-dumps.ts';
import { PerfMaps } from '../frames/perf-maps.ts';
import { ProcFolder } from '../process/proc-folder.ts';
import type { ProcessTable } from '../process/process-table.ts';
import { createProcessTable } from '../testing/process-table.ts';
import { fileBinary, kernelBinary, testBatch, testProcess } from '../testing/samples.ts';
import { type BatchProfile, makeProfiles, type ProfileOptions } from './batch-profiles.ts';

const clock = createFakeClock();
const kernel = new KernelSymbols(Buffer.from('ffffffff81000000 T do_syscall_64\n'));
const sources = {
  kernel: () => kernel,
  vdso: undefined,
  jitDumps: new JitDumps(new ProcFolder(), clock, () => -1),
  perfMaps: new PerfMaps(new ProcFolder(), clock),
  binarySymbols: new BinarySymbols(new DebugFolders([])),
  demangle: (name: string) => name,
  isNamedHere: () => false,
};
const options: ProfileOptions = {
  frequencyHz: 19,
  withCpu: true,
  withThreadId: true,
  withThreadName: true,
  withSampleTimes: true,
  withErrorFrames: false,
};
const withoutLabels: ProfileOptions = {
  ...options,
  withCpu: false,
  withThreadId: false,
  withThreadName: false,
};
const [startNanos, endNanos] = [1_760_000_000_000_000_000n, 1_760_000_005_000_000_000n];

function createTable(rules: readonly RelabelRule[] = defaultRelabelRules): ProcessTable {
  return createProcessTable(clock, {
    relabel: createRelabeling(rules, md5),
    externalLabels: [
      { name: 'comm', value: 'never' },
      { name: 'region', value: 'eu' },
    ],
  });
}

/** Returns lines `value frame; frame label=value`, leaf first. */
function printProfile(profile: BatchProfile): string[] {
  const columns = new PprofColumns();
  decodePprof(profile.samples.encode(profile.head), columns);
  validateProfile(columns);
  const text = (row: number): string => profileText(columns, row);
  const frame = (location: number): string => {
    const mapping = columns.locationMapping[location];
    const buildId = text(columns.mappingBuildId[mapping]);
    const file = text(columns.mappingFile[mapping]) + (buildId === '' ? '' : `@${buildId}`);
    const line = columns.lineStart[location];
    const name =
      line === columns.lineStart[location + 1]
        ? `0x${columns.addressLow[location].toString(16)}`
        : text(columns.functionName[columns.lineFunction[line]]);
    return `${file} ${name}`;
  };
  return Array.from({ length: columns.sampleCount }, (_, row) => {
    const frames = columns.frameLocation.subarray(
      columns.frameStart[row],
      columns.frameStart[row + 1],
    );
    const first = columns.labelStart[row];
    const labels = Array.from({ length: columns.labelStart[row + 1] - first }, (_, i) =>
      [columns.labelKey, columns.labelText].map((column) => text(column[first + i])).join('='),
    );
    return [`${columns.values[row]} ${[...frames].map(frame).join('; ')}`, ...labels].join(' ');
  });
}

test('a sample has its time, to a fifth of the period, unless times are off', () => {
  const batch = testBatch({
    startNanos,
    endNanos,
    binaries: [kernelBinary, fileBinary('/usr/bin/app', 'ab12')],
    processes: [testProcess({})],
    samples: [
      { process: 0, frames: [[1, 0x10n]], count: 2, at: 1_234_567_890n },
      { process: 0, frames: [[1, 0x20n]], at: 3_000_000n },
    ],
  });
  const resolver = new FrameResolver(sources, batch.binaries);
  const times = (chosen: Partial<ProfileOptions>): unknown => {
    const { profiles } = makeProfiles(batch, createTable(), resolver, { ...options, ...chosen });
    return Array.from(profiles[0].samples.rows(), ({ timesNanos }) =>
      timesNanos?.map((time) => Number(time - startNanos) / 1e6),
    );
  };
  assert.deepEqual(times({}), [[1_230, 1_330], [0]]);
  assert.deepEqual(times({ frequencyHz: 99 }), [[1_234, 1_334], [2]]);
  assert.deepEqual(times({ frequencyHz: 997 }), [[1_234, 1_334], [3]]);
  assert.deepEqual(times({ withSampleTimes: false }), [undefined, undefined]);
});

test('equal stacks are summed, kernel frames named, files sent as addresses', () => {
  const batch = testBatch({
    startNanos,
    endNanos,
    binaries: [kernelBinary, fileBinary('/usr/bin/app', 'ab12')],
    processes: [testProcess({ name: 'app' })],
    samples: [
      {
        process: 0,
        frames: [
          [1, 0x1234n],
          [1, 0x2000n],
        ],
        count: 3,
      },
      {
        process: 0,
        frames: [
          [0, 0xffffffff81000010n],
          [1, 0x2000n],
        ],
      },
      { process: 0, frames: [[0, 0x10n]], threadId: 8 },
    ],
  });
  const table = createTable();
  const resolver = new FrameResolver(sources, batch.binaries);
  const { profiles, sampleCount, droppedCount } = makeProfiles(batch, table, resolver, options);
  assert.deepEqual([sampleCount, droppedCount, profiles.length], [5, 0, 1]);
  assert.deepEqual(profiles[0].labels, [
    { name: 'comm', value: 'app' },
    { name: 'executable', value: 'app' },
    { name: 'node', value: 'n1' },
    { name: 'region', value: 'eu' },
    { name: 'service_name', value: 'app' },
  ]);
  const labels = 'cpu=0 thread_id=7 thread_name=main';
  assert.deepEqual(printProfile(profiles[0]), [
    `3 /usr/bin/app@ab12 0x1234; /usr/bin/app@ab12 0x2000 ${labels}`,
    `1 [kernel.kallsyms] do_syscall_64; /usr/bin/app@ab12 0x2000 ${labels}`,
    '1 [kernel.kallsyms] [kernel] cpu=0 thread_id=8 thread_name=main',
  ]);
  const columns = new PprofColumns();
  decodePprof(profiles[0].samples.encode(profiles[0].head), columns);
  assert.equal(columns.period, 52_693_702n);
  assert.equal(columns.timeNanos, startNanos);
  assert.equal(columns.durationNanos, 5_000_000_000n);
  assert.equal(table.all()[0].samples, 5);
});

test('functions of JavaScript have their names', () => {
  const batch = testBatch({
    startNanos,
    endNanos,
    binaries: [kernelBinary, fileBinary('/usr/bin/node', 'ab12')],
    processes: [testProcess({ name: 'node' })],
    functions: [
      { language: 'javascript', name: 'work', fileName: '/app.js', startLine: 3, line: 0 },
      { language: 'javascript', name: '', fileName: '/app.js', startLine: 1, line: 0 },
    ],
    samples: [
      {
        process: 0,
        frames: [
          [1, 0x1234n, 1],
          [1, 0x1234n, 2],
          [1, 0x1234n],
        ],
      },
    ],
  });
  const resolver = new FrameResolver(sources, batch.binaries);
  const { profiles } = makeProfiles(batch, createTable(), resolver, withoutLabels);
  assert.deepEqual(printProfile(profiles[0]), [
    '1 [jit] work; [jit] (anonymous); /usr/bin/node@ab12 0x1234',
  ]);
  const columns = new PprofColumns();
  decodePprof(profiles[0].samples.encode(profiles[0].head), columns);
  const text = (row: number): string => profileText(columns, row);
  const rows = [...columns.functionName.keys()].filter(
    (row) => text(columns.functionName[row]) === 'work',
  );
  assert.deepEqual(
    rows.map((row) => [text(columns.functionFile[row]), columns.functionStartLine[row]]),
    [['/app.js', 3]],
  );
});

test('functions of interpreters have their lines', () => {
  const pay = { language: 'python', name: 'Shop.pay', fileName: '/shop.py', startLine: 3 } as const;
  const batch = testBatch({
    startNanos,
    endNanos,
    binaries: [kernelBinary, fileBinary('/usr/bin/python3.11', 'ab12')],
    processes: [testProcess({ name: 'python3' })],
    functions: [
      { ...pay, line: 5 },
      { ...pay, line: 7 },
      { language: 'python', name: '', fileName: '', startLine: 0, line: 0 },
      { language: 'ruby', name: 'Array#each', fileName: '', startLine: 0, line: 0 },
      { language: 'php', name: 'usort', fileName: '', startLine: 0, line: 0 },
    ],
    samples: [1, 2, 3, 4, 5].map((called) => ({
      process: 0,
      frames: [
        [1, 0n, called],
        [1, 0x1234n],
      ],
    })),
  });
  const resolver = new FrameResolver(sources, batch.binaries);
  const { profiles } = makeProfiles(batch, createTable(), resolver, withoutLabels);
  assert.deepEqual(printProfile(profiles[0]), [
    '1 [python] Shop.pay; /usr/bin/python3.11@ab12 0x1234',
    '1 [python] Shop.pay; /usr/bin/python3.11@ab12 0x1234',
    '1 [python] [unknown]; /usr/bin/python3.11@ab12 0x1234',
    '1 [ruby] Array#each; /usr/bin/python3.11@ab12 0x1234',
    '1 [php] usort; /usr/bin/python3.11@ab12 0x1234',
  ]);
  const columns = new PprofColumns();
  decodePprof(profiles[0].samples.encode(profiles[0].head), columns);
  assert.deepEqual([...new Set(columns.lineNumber)], [5, 7, 0]);
});

test('processes of equal labels share a profile, dropped ones have none', () => {
  const drop = {
    ...relabelDefaults,
    action: 'drop',
    sourceLabels: ['comm'],
    regex: 'noisy',
  } as const;
  const processes = [
    testProcess({ pid: 4_194_306, name: 'app' }),
    testProcess({ pid: 4_194_307, name: 'app' }),
    testProcess({ pid: 4_194_308, name: 'noisy' }),
  ];
  const batch = testBatch({
    startNanos,
    endNanos,
    processes,
    binaries: [kernelBinary, fileBinary('/usr/bin/app', 'ab12')],
    samples: [0, 1, 2].map((process) => ({ process, frames: [[1, 0x10n]] })),
  });
  const resolver = new FrameResolver(sources, batch.binaries);
  const made = makeProfiles(batch, createTable([drop]), resolver, withoutLabels);
  assert.deepEqual([made.sampleCount, made.droppedCount], [2, 1]);
  assert.deepEqual(made.profiles.map(printProfile), [['2 /usr/bin/app@ab12 0x10']]);
});

test('a stack that is too deep ends in [truncated], one that fails in an error frame if asked', () => {
  const batch = testBatch({
    startNanos,
    endNanos,
    binaries: [
      kernelBinary,
      fileBinary('/usr/bin/app', ''),
      { ...kernelBinary, kind: 'anonymous' },
    ],
    processes: [testProcess({})],
    samples: [
      { process: 0, frames: [[1, 0x10n]], status: stackStatus.noRule },
      { process: 0, frames: [[2, 0x10n]] },
      { process: 0, frames: [[1, 0x20n]], status: stackStatus.truncated },
    ],
  });
  const resolver = new FrameResolver(sources, batch.binaries);
  const check = (withErrorFrames: boolean, failed: string): void => {
    const chosen = { ...withoutLabels, withErrorFrames };
    const { profiles } = makeProfiles(batch, createTable(), resolver, chosen);
    assert.deepEqual(printProfile(profiles[0]), [
      failed,
      '1 [anonymous] [anonymous]',
      '1 /usr/bin/app 0x20;  [truncated]',
    ]);
  };
  check(true, '1 /usr/bin/app 0x10; agent-internal-error-frame aborted');
  check(false, '1 /usr/bin/app 0x10');
});
