// Tests of the profiles that Firefox itself writes, for example with MOZ_PROFILER_SHUTDOWN.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Profile } from 'pprof-format';
import { importProfile } from '../import/import-profile.ts';
import { readSampleTimes } from '../testing/read-sample-times.ts';
import { plainCounts } from '../reading/imported-profile.ts';

const schemas = {
  samples: { stack: 0, time: 1, eventDelay: 2, threadCPUDelta: 3 },
  stackTable: { prefix: 0, frame: 1 },
  frameTable: { location: 0, relevantForJS: 1, innerWindowID: 2, implementation: 3, line: 4 },
};

function thread(name: string, samples: readonly (readonly (number | null)[])[]): object {
  const table = (kind: keyof typeof schemas, data: readonly unknown[]): object => ({
    schema: schemas[kind],
    data,
  });
  return {
    name,
    processType: 'default',
    processName: 'Web Content',
    tid: 7,
    pid: '4242',
    markers: { schema: { name: 0 }, data: [] },
    samples: table('samples', samples),
    stackTable: table('stackTable', [
      [null, 0],
      [0, 1],
      [1, 2],
    ]),
    frameTable: table('frameTable', [[0], [1, true, 0, null, 31], [2, false]]),
    stringTable: ['(root)', 'render (chrome://app/a.js:12:3)', '0x7f0000001234'],
  };
}

const library = {
  name: 'libxul.so',
  path: '/usr/lib/firefox/libxul.so',
  codeId: 'ABCDEF01',
  start: 0x7f00_0000_0000,
  end: 0x7f00_0001_0000,
  offset: 0x1000,
};

const file = {
  meta: {
    version: 31,
    startTime: 1_790_000_000_000,
    interval: 1,
    processType: 0,
    sampleUnits: { time: 'ms', eventDelay: 'ms', threadCPUDelta: 'µs' },
  },
  libs: [library],
  threads: [
    thread('GeckoMain', [
      [2, 10, 0, 700],
      [2, 11, 0, 300],
      [1, 12.5],
      [null, 13],
    ]),
    thread('Idle', []),
  ],
  processes: [
    {
      meta: { version: 31, startTime: 1_790_000_001_000, interval: 1 },
      libs: [],
      threads: [thread('DOM Worker', [[0, 5]])],
      processes: [],
    },
  ],
};

test('threads of all processes, with counts, CPU time, lines, addresses and times', () => {
  const bytes = new TextEncoder().encode(JSON.stringify(file));
  const context = { timeNanos: 0n, durationNanos: 0n, counts: plainCounts };
  const { profiles } = importProfile(bytes, context);
  const texts = profiles.map(({ name, labels, pprof }) => {
    const profile = Profile.decode(pprof);
    const text = (row: number | bigint): string => profile.stringTable.strings[Number(row)];
    const frameText = (id: number | bigint): string => {
      const { address, line, mappingId } = profile.location[Number(id) - 1];
      const mapping = profile.mapping[Number(mappingId) - 1];
      const place = mapping && `${text(mapping.filename)}[${text(mapping.buildId)}]`;
      if (line.length === 0) return `${place ?? ''}0x${address.toString(16)}`;
      const called = profile.function[Number(line[0].functionId) - 1];
      return `${text(called.name)} ${text(called.filename)}:${line[0].line}`;
    };
    return {
      name,
      labels: labels.map((label) => `${label.name}=${label.value}`).join(),
      types: profile.sampleType.map(({ type, unit }) => `${text(type)}:${text(unit)}`).join(),
      time: BigInt(profile.timeNanos) / 1_000_000n,
      duration: BigInt(profile.durationNanos),
      samples: profile.sample.map(
        ({ locationId, value }) => `${locationId.map(frameText).join(';')} ${value.join()}`,
      ),
    };
  });
  assert.deepEqual(texts, [
    {
      name: 'process_cpu',
      labels: 'process=Web Content,thread=GeckoMain,pid=4242',
      types: 'samples:count,cpu:nanoseconds',
      time: 1_790_000_000_010n,
      duration: 3_000_000n,
      samples: [
        'render chrome://app/a.js:31;(root) :0 1,0',
        '/usr/lib/firefox/libxul.so[abcdef01]0x7f0000001234;render chrome://app/a.js:31;' +
          '(root) :0 2,1000000',
      ],
    },
    {
      name: 'process_cpu',
      labels: 'process=Web Content,thread=DOM Worker,pid=4242',
      types: 'samples:count',
      time: 1_790_000_001_005n,
      duration: 0n,
      samples: ['(root) :0 1'],
    },
  ]);
});

test('samples have their times and both values, unless one of them lacks a time', () => {
  const listTimes = (given: unknown): unknown[] => {
    const bytes = new TextEncoder().encode(JSON.stringify(given));
    const context = { timeNanos: 0n, durationNanos: 0n, counts: plainCounts };
    return importProfile(bytes, context).profiles.map(({ pprof }) =>
      readSampleTimes(pprof).map((times) =>
        times.map(({ offset, values }) => `${offset}:${values.join('+')}`).join(),
      ),
    );
  };
  assert.deepEqual(listTimes(file), [['2500000:1+0', '0:1+700000,1000000:1+300000'], ['0:1']]);
  const changed = structuredClone(file);
  changed.threads = [thread('GeckoMain', [[2, 10], [2]])];
  assert.deepEqual(listTimes(changed), [[''], ['0:1']]);
});

test('rows that are missing are refused with their path', () => {
  const context = { timeNanos: 0n, durationNanos: 0n, counts: plainCounts };
  const check = (change: (given: typeof file) => void, why: RegExp): void => {
    const changed = structuredClone(file);
    change(changed);
    const bytes = new TextEncoder().encode(JSON.stringify(changed));
    assert.throws(() => importProfile(bytes, context), why);
  };
  check((given) => {
    Object.assign(given.threads[0], { stringTable: [] });
  }, /cannot read Firefox profile: threads\[0\]\.frameTable\.data\[0\]\[0\] is 0, not an index/);
  check((given) => {
    Object.assign(given.threads[0], { stackTable: { schema: schemas.stackTable, data: [[1, 0]] } });
  }, /stackTable\.data\[0\]\[0\] is 1, not an index below 0/);
  check((given) => {
    given.threads = [];
    given.processes = [];
  }, /no thread has samples/);
});
