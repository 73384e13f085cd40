import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Profile } from 'pprof-format';
import { AppError } from '../../base/errors.ts';
import { sampleTimesMax } from '../../model/limits.ts';
import { PprofColumns } from '../pprof/columns.ts';
import { decodePprof } from '../pprof/decode.ts';
import { readSampleTimes } from '../testing/read-sample-times.ts';
import { type ImportContext, plainCounts } from '../reading/imported-profile.ts';
import { type DecodedJfr, decodeJfr } from './decode.ts';
import { formatClassName } from './frames.ts';
import { labelsMessage } from './testing/labels-message.ts';
import { cpuSample, smallChunk, smallRecording } from './testing/small-recording.ts';
import { type FieldSpec, writeRecording } from './testing/write-recording.ts';

const context = { timeNanos: 0n, durationNanos: 0n, counts: plainCounts };

/** Returns the samples of each profile as lines: type, stack with line numbers, labels, values. */
function decodeLines(bytes: Uint8Array, given: Partial<ImportContext> = {}): string[] {
  return decodeJfr(bytes, { ...context, ...given }).profiles.flatMap(({ name, pprof }) => {
    const {
      stringTable,
      location,
      function: functions,
      sample,
      sampleType,
      mapping,
    } = Profile.decode(pprof);
    const text = (row: number | bigint): string => stringTable.strings[Number(row)];
    const frame = (id: number | bigint): string => {
      const { line, mappingId } = location[Number(id) - 1];
      const call = text(functions[Number(line[0].functionId) - 1].name);
      const code = Number(mappingId) === 0 ? '' : text(mapping[Number(mappingId) - 1].filename);
      return `${call}:${line[0].line}${code}`;
    };
    const type = `${name}:${sampleType.map((one) => text(one.type)).join('+')}`;
    return sample.map(({ locationId, value, label }) => {
      const labels = label.map((one) => `${text(one.key)}=${text(one.str)}`).join(' ');
      return `${type} ${locationId.map(frame).join(' < ')} {${labels}} ${value.join('+')}`;
    });
  });
}

const java = 'com.acme.Foo.bar:12[jit] < com.acme.Foo.main:40[jit]';
const native = 'do_syscall_64:0[kernel.kallsyms] < read:0libc.so.6 < com.acme.Foo.main:41[jit]';
const span = 'thread_name=main profile_id=fedcba9876543210';
const all = [
  `process_cpu:cpu ${java} {thread_name=main} 20000000`,
  `process_cpu:cpu ${java} {${span}} 10000000`,
  `wall:wall ${java} {thread_name=main} 20000000`,
  `wall:wall ${native} {thread_name=C2 Compiler} 40000000`,
  `wall:wall ${java} {${span}} 10000000`,
  `process_cpu:cpu ${java} {thread_name=main} 20000000`,
  `memory:alloc_in_new_tlab_objects+alloc_in_new_tlab_bytes ${java} {thread_name=main} 1+4096`,
  `memory:alloc_outside_tlab_objects+alloc_outside_tlab_bytes ${java} {thread_name=main} 1+8000000000`,
  `memory:alloc_sample_objects+alloc_sample_bytes ${java} {thread_name=main} 1+500`,
  `memory:live ${java} {thread_name=main} 1`,
  `mutex:contentions+delay ${java} {thread_name=main} 1+3000`,
  `block:contentions+delay ${native} {thread_name=C2 Compiler} 1+5000`,
];

test('events of every kind become profiles with the names of Pyroscope', () => {
  assert.deepEqual(decodeLines(smallRecording()), all);
  assert.deepEqual(decodeLines(smallRecording({ isCompressed: false })), all);
  const { profiles } = decodeJfr(smallRecording(), context);
  assert.deepEqual(
    profiles.map(({ labels }) => labels.map(({ name, value }) => `${name}=${value}`).join()),
    ['wall', 'wall', 'cpu_time', 'wall', 'wall', 'wall', 'wall', 'wall', 'wall'].map(
      (event) => `jfr_event=${event}`,
    ),
  );
});

test('functions of C have their file instead of a class, where the recorder knows the kernel', () => {
  const { constants } = smallChunk();
  const inProgram = (more: [number, string[]][]): string[] =>
    decodeLines(
      smallRecording({
        constants: constants.map(([type, rows]): (typeof constants)[number] => {
          if (type === 'jdk.types.FrameType') return [type, [...rows, ...more]];
          const isSymbols = type === 'jdk.types.Symbol';
          return [
            type,
            isSymbols ? rows.map(([key, value]) => [key, key === 4 ? ['java'] : value]) : rows,
          ];
        }),
      }),
    );
  const kernel: [number, string[]] = [3, ['Kernel']];
  const [, , , byJdk] = inProgram([]);
  const [, , , byProfiler] = inProgram([kernel]);
  assert.match(byJdk, / < java\.read:0\[native\] < /);
  assert.match(byProfiler, / < read:0java < /);
});

/**
 * Returns the times of the samples of each profile: `offset:values`, samples of a row joined by
 * commas.
 */
function listTimes(bytes: Uint8Array, given: Partial<ImportContext> = {}): string[] {
  return timesOf(decodeJfr(bytes, { ...context, ...given }));
}

function timesOf({ profiles }: DecodedJfr): string[] {
  return profiles.flatMap(({ name, pprof }) =>
    readSampleTimes(pprof).map((times) => {
      const all = times.map(({ offset, values }) => `${offset}:${values.join('+')}`);
      return `${name} ${all.join()}`;
    }),
  );
}

/** Returns the names of the profiles whose times are lost. */
function lostOf({ profiles }: DecodedJfr): string[] {
  return profiles.flatMap(({ name, pprof }) => {
    const columns = new PprofColumns();
    decodePprof(pprof, columns);
    return columns.offsets.areTooMany ? [name] : [];
  });
}

test('samples have the times of their events, with the values of each', () => {
  assert.deepEqual(listTimes(smallRecording({ startTicks: 1n, ticksPerSecond: 1_000n })), [
    'process_cpu 0:10000000,1000000:10000000',
    'process_cpu 3000000:10000000',
    'wall 0:10000000,1000000:10000000',
    'wall 2000000:10000000,3000000:30000000',
    'wall 3000000:10000000',
    'process_cpu 9000000:20000000',
    'memory 4000000:1+4096',
    'memory 5000000:1+8000000000',
    'memory 6000000:1+500',
    // This profile has the live objects at the end of a recording.
    'memory ',
    'mutex 7000000:1+3000000000',
    'block 8000000:1+5000000000',
  ]);
});

test('times of several chunks count from the first one, or from the time that is given', () => {
  const startNanos = 1_790_000_000_000_000_000n;
  const event = (ticks: number): readonly ['profiler.WallClockSample', readonly number[]] => [
    'profiler.WallClockSample',
    [ticks, 8, 2, 3],
  ];
  const recording = writeRecording([
    smallChunk({ startNanos, startTicks: 500n, events: [event(400), event(600)] }),
    smallChunk({ startNanos: startNanos + 10_000n, startTicks: 9_000n, events: [event(9_005)] }),
  ]);
  assert.deepEqual(listTimes(recording), ['wall -100:3,100:3,10005:3']);
  const timeNanos = startNanos - 50n;
  assert.deepEqual(listTimes(recording, { timeNanos }), ['wall -50:3,150:3,10055:3']);
});

test('wall time is CPU time, too, while a thread runs, if nothing else is recorded', () => {
  const { types } = smallChunk();
  const wall = 'profiler.WallClockSample';
  const state: FieldSpec = ['state', '#jdk.types.ThreadState'];
  const withState = { ...types, [wall]: [...types[wall], state] };
  const samples = [
    [wall, [1, 7, 1, 2, 1]],
    [wall, [2, 8, 2, 5, 2]],
  ] as const;
  const listTotals = (profilerEvent: string): string[] => {
    const settings = [
      ['jdk.ActiveSetting', [0, 0, 'event', profilerEvent]],
      ['jdk.ActiveSetting', [0, 0, 'wall', '20000000']],
    ] as const;
    const recording = smallRecording({ types: withState, events: [...settings, ...samples] });
    return decodeJfr(recording, context).profiles.map(({ name, pprof }) => {
      const { sample } = Profile.decode(pprof);
      return `${name} ${sample.map(({ value }) => Number(value[0]) / 1e6).join()}`;
    });
  };
  assert.deepEqual(listTotals('wall'), ['process_cpu 40', 'wall 40,100']);
  assert.deepEqual(listTotals('cpu'), ['wall 40,100']);
});

test('a profile has no times if there are too many, or if events of it lack them', () => {
  const { types } = smallChunk();
  const event = ['profiler.WallClockSample', [7, 8, 2, 1]] as const;
  const events = Array.from({ length: sampleTimesMax + 1 }, () => event);
  const tooMany = decodeJfr(smallRecording({ events }), context);
  assert.deepEqual(timesOf(tooMany), ['wall ']);
  assert.deepEqual(lostOf(tooMany), ['wall']);
  const timeless = {
    ...types,
    'profiler.WallClockSample': types['profiler.WallClockSample'].slice(1),
  };
  const values = ['profiler.WallClockSample', [8, 2, 1]] as const;
  const mixed = [
    smallChunk({ events: [event] }),
    smallChunk({ types: timeless, events: [values] }),
  ];
  const someTimeless = decodeJfr(writeRecording(mixed), context);
  assert.deepEqual(timesOf(someTimeless), ['wall ']);
  assert.deepEqual(lostOf(someTimeless), ['wall']);
  // Live objects have no times.
  assert.deepEqual(lostOf(decodeJfr(smallRecording(), context)), []);
});

test('fields are found by the types of a chunk, whatever their order', () => {
  const { types, constants } = smallChunk();
  const [thread, trace] = [types['jdk.ExecutionSample'][1], types['jdk.ExecutionSample'][2]];
  const reordered = smallChunk({
    types: {
      ...types,
      'jdk.ExecutionSample': [['note', 'java.lang.String'], trace, ['extra', 'short'], thread],
    },
    events: [['jdk.ExecutionSample', ['text', 1, 300, 7]]],
  });
  assert.deepEqual(decodeLines(writeRecording([reordered])), [
    `process_cpu:samples ${java} {thread_name=main} 1`,
  ]);
  // Constants of a second chunk are independent of constants of the first chunk.
  const swapped = constants.map((pool) =>
    pool[0] === 'jdk.types.Symbol' && pool[1][0][0] === 1
      ? ([
          pool[0],
          [
            [1, ['com/acme/Foo']],
            [2, ['baz']],
            [3, ['main']],
          ],
        ] as const)
      : pool,
  );
  const events = [['jdk.ExecutionSample', cpuSample(7, 1)]] as const;
  assert.deepEqual(
    decodeLines(
      writeRecording([smallChunk({ events }), smallChunk({ events, constants: swapped })]),
    ),
    [
      `process_cpu:samples ${java} {thread_name=main} 1`,
      `process_cpu:samples ${java.replace('bar', 'baz')} {thread_name=main} 1`,
    ],
  );
});

test('equal stacks of several chunks are one sample; times are those of all chunks', () => {
  const second = smallChunk({ startNanos: 1_790_000_010_000_000_000n });
  const bytes = writeRecording([smallChunk(), second]);
  assert.equal(decodeLines(bytes)[0], `process_cpu:cpu ${java} {thread_name=main} 40000000`);
  const decodeTimes = (given: Partial<ImportContext>): bigint[][] =>
    decodeJfr(bytes, { ...context, ...given }).profiles.map(({ pprof }) => {
      const { timeNanos, durationNanos } = Profile.decode(pprof);
      return [BigInt(timeNanos), BigInt(durationNanos)];
    });
  const [cpu, , , , , , live] = decodeTimes({});
  assert.deepEqual(cpu, [1_790_000_000_000_000_000n, 20_000_000_000n]);
  assert.deepEqual(live, [1_790_000_000_000_000_000n, 0n], 'a state has no duration');
  assert.deepEqual(decodeTimes({ timeNanos: 5n, durationNanos: 7n })[0], [5n, 7n]);
});

test('a rate of the sender counts more than the settings of the recording', () => {
  const counts = { ...plainCounts, period: 50_000_000n, parameter: 'rate' } as const;
  assert.equal(
    decodeLines(smallRecording(), { counts })[0],
    `process_cpu:cpu ${java} {thread_name=main} 100000000`,
  );
  const type = { ...plainCounts, parameter: 'type' } as const;
  assert.throws(
    () => decodeLines(smallRecording(), { counts: type }),
    /type: is for counts without/,
  );
});

test("without an interval, samples stand for async-profiler's own one, and others are counts", () => {
  const first = (event: string): string => {
    const settings = [
      ['jdk.ActiveSetting', [0, 0, 'event', event]],
      ['jdk.ActiveSetting', [0, 0, 'interval', '0']],
      ['jdk.ExecutionSample', cpuSample(7, 1)],
    ] as const;
    return decodeLines(smallRecording({ events: settings }))[0];
  };
  for (const event of ['cpu', 'itimer', 'ctimer']) {
    assert.equal(first(event), `process_cpu:cpu ${java} {thread_name=main} 10000000`, event);
  }
  assert.equal(first('wall'), `process_cpu:cpu ${java} {thread_name=main} 50000000`);
  assert.equal(first('cache-misses'), `process_cpu:samples ${java} {thread_name=main} 1`);
});

test('labels of contexts and names of spans come from the part next to the recording', () => {
  const jfrLabels = labelsMessage({ 5: [[1, 2]] }, { 1: 'endpoint', 2: '/cart', 20: 'GET /cart' });
  const labels = 'thread_name=main endpoint=/cart profile_id=fedcba9876543210 span_name=GET /cart';
  assert.equal(
    decodeLines(smallRecording(), { jfrLabels })[1],
    `process_cpu:cpu ${java} {${labels}} 10000000`,
  );
  const bad = Uint8Array.of(0x0a, 0x7f, 1);
  assert.throws(
    () => decodeLines(smallRecording(), { jfrLabels: bad }),
    /labels of a JFR recording/,
  );
});

test('an unfinished chunk is left out and said; the first one is refused with its place', () => {
  const unfinished = smallChunk({ isUnfinished: true });
  const [whole, open] = [smallRecording(), writeRecording([unfinished])];
  const both = decodeJfr(Buffer.concat([whole, open]), context);
  assert.equal(
    both.note,
    `chunk 2 is not finished at byte ${whole.length} and was left out; the chunk before it was read`,
  );
  assert.equal(both.profiles.length, 9);
  assert.throws(() => decodeJfr(open, context), {
    message: 'cannot read JFR: chunk 1 is not finished at byte 0',
  });
  const cut = Buffer.concat([whole, whole.subarray(0, 200)]);
  assert.match(String(decodeJfr(cut, context).note), /^chunk 2 is cut off: 200 of its \d+ bytes/);
  assert.match(String(decodeJfr(cut.subarray(0, whole.length + 9), context).note), /its header/);
  assert.throws(() => decodeJfr(Buffer.concat([whole, Buffer.from('what')]), context), {
    message: `cannot read JFR: chunk 2 does not begin with FLR at byte ${whole.length}`,
  });
});

test('bytes that lie about sizes and counts are refused with their place', () => {
  const bytes = smallRecording();
  const changed = (at: number, ...values: number[]): Uint8Array => {
    const copy = Uint8Array.from(bytes);
    copy.set(values, at);
    return copy;
  };
  const refused = (given: Uint8Array, why: RegExp): void => {
    assert.throws(
      () => decodeJfr(given, context),
      (error) => {
        assert.ok(error instanceof AppError);
        assert.match(error.message, why);
        return true;
      },
    );
  };
  refused(changed(4, 0, 1), /chunk 1 has version 1\.0, which is not read.* at byte 0/);
  refused(changed(8, 0, 0, 0, 0, 0, 0, 0, 9), /chunk 1 has a size of 9 bytes/);
  refused(changed(24, 0, 0, 0, 0, 0, 0, 0, 9), /chunk 1 has its types at 9, outside of it/);
  refused(changed(68, 0x80, 0x80, 0x80, 0), /an event of chunk 1 has a size of 0 bytes at byte 68/);
  refused(changed(68, 0xff, 0xff, 0xff, 0x7f), /an event of chunk 1 has a size of \d+ bytes/);
  refused(changed(31, 0x45), /its types are not where its header says|a count is/);
});

test('a value without an exact sum is refused, and a stack of too many calls', () => {
  const large = 2n ** 53n - 1n;
  const events = [1, 2].map(() => ['jdk.ObjectAllocationSample', [7, 7, 1, large]] as const);
  assert.throws(() => decodeJfr(smallRecording({ events }), context), /pass 2\^53/);
  const frames = Array.from({ length: 8_193 }, () => [1, 1, 1, 1]);
  const { constants } = smallChunk();
  const deep = [...constants, ['jdk.types.StackTrace', [[1, [0, frames]]]] as const];
  assert.throws(() => decodeJfr(smallRecording({ constants: deep }), context), {
    message: 'cannot read JFR: a stack has more than 8192 frames (--profile-max-stack-depth)',
  });
});

test('many samples with one deep stack do not become more than a multiple of their bytes', () => {
  const frames = Array.from({ length: 8_000 }, () => [1, 1, 1, 1]);
  const threads = Array.from({ length: 200 }, (_, i) => [i, ['', i, `t${i}`]] as const);
  const { constants } = smallChunk();
  const recording = smallRecording({
    constants: [
      ...constants,
      ['jdk.types.StackTrace', [[1, [0, frames]]]],
      ['java.lang.Thread', threads],
    ],
    events: threads.map(([i]) => ['jdk.ExecutionSample', cpuSample(i, 1)] as const),
  });
  assert.throws(() => decodeJfr(recording, context), /its samples have more than \d+ frames/);
});

test('names of classes that differ in each JVM become equal', () => {
  const check = (internal: string, want: string): void =>
    assert.equal(formatClassName(internal), want);
  check('com/acme/Foo$Inner', 'com.acme.Foo$Inner');
  check('com/acme/Busy$$Lambda$14+0x0000000800c03000/1034', 'com.acme.Busy$$Lambda');
  check('com/acme/Busy$$Lambda+0x00007f1234/12', 'com.acme.Busy$$Lambda');
  check('com/acme/Busy$$Lambda.0x00007f1234', 'com.acme.Busy$$Lambda');
  check('com/acme/Busy$$Lambda$7', 'com.acme.Busy$$Lambda');
  check(
    'jdk/internal/reflect/GeneratedMethodAccessor17',
    'jdk.internal.reflect.GeneratedMethodAccessor',
  );
  check('com/sun/proxy/$Proxy12', 'com.sun.proxy.$Proxy');
});
