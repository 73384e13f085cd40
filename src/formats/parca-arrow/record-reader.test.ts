// Tests of the reader of agents' records, with intact and broken streams of our own encoders.
// test/interop has streams of pyarrow and of Go's Arrow.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { inputLimits } from '../../base/input-limits.ts';
import { encodeNestedStream } from '../arrow/ipc-stream.ts';
import { encodeSampleTimes } from '../../model/profiles/sample-times-codec.ts';
import { loadLz4Frames } from '../arrow/lz4-frame.ts';
import {
  dictionaryRows,
  integers,
  listViews,
  type NestedColumn,
  runs,
  strings,
  structs,
  textViews,
} from '../arrow/nested-column.ts';
import {
  encodeRecord,
  recordColumns,
  type RecordFrame,
  type RecordProfile,
} from './encode-record.ts';
import { readRecord, readRecordUpTo, readStackIds, versionKey } from './record-reader.ts';
import { rowTexts } from './testing/record-text.ts';
import { encodeLocations, encodeSamples } from './testing/version-1.ts';

const line = { fileName: 'a.c', startLine: 1, line: 7, column: 2 };
const native: RecordFrame = {
  mappingFile: '/bin/app',
  buildId: 'ab',
  address: 0xffff_ffff_0000_1234n,
  lines: [],
};
const inlined: RecordFrame = {
  ...native,
  address: 2n,
  lines: [
    { ...line, systemName: 'inner' },
    { ...line, systemName: 'a_name_that_is_too_long_for_a_view', line: 9 },
  ],
};
const kernel: RecordFrame = {
  mappingFile: '[kernel.kallsyms]',
  buildId: '',
  address: 0n,
  lines: [{ ...line, systemName: 'do_syscall_64', line: 0 }],
};
const head: Omit<RecordProfile, 'samples' | 'timeNanos'> = {
  name: 'parca_agent',
  sampleType: { type: 'samples', unit: 'count' },
  periodType: { type: 'cpu', unit: 'nanoseconds' },
  period: 52_631_578n,
  durationNanos: 1_000_000_000n,
};
const app = [
  { name: 'comm', value: 'app' },
  { name: 'cpu', value: '1' },
];
const profiles: readonly RecordProfile[] = [
  {
    ...head,
    timeNanos: 1_000n,
    samples: [
      { labels: app, frames: [kernel, native, inlined], value: 1n },
      { labels: [{ name: 'comm', value: 'app' }], frames: [native], value: 2n },
      { labels: [{ name: 'node', value: 'n1' }], frames: [], value: 3n },
    ],
  },
  { ...head, timeNanos: 2_000n, samples: [{ labels: app, frames: [native], value: 2n ** 62n }] },
];
const type = 'parca_agent:samples:count:cpu:nanoseconds';
const nativeText = '/bin/app[ab]0xffffffff00001234()';
const inlinedText = '/bin/app[ab]0x2(inner:7<a_name_that_is_too_long_for_a_view:9)';
const rows = [
  `${type}@1000+1000000000/52631578 {comm=app|cpu=1} [kernel.kallsyms][]0x0(do_syscall_64:0);` +
    `${nativeText};${inlinedText} 1`,
  `${type}@1000+1000000000/52631578 {comm=app|} ${nativeText} 2`,
  `${type}@1000+1000000000/52631578 {node=n1|}  3`,
  `${type}@2000+1000000000/52631578 {comm=app|cpu=1} ${nativeText} ${2n ** 62n}`,
];

test('schema v2: labels, types, times, stacks and values, compressed or not', async () => {
  for (const compress of [undefined, await loadLz4Frames()]) {
    const stream = encodeRecord(profiles, compress);
    assert.deepEqual(rowTexts(readRecord([stream])), rows);
    // The stream may be at any position in memory, and without an end mark.
    const shifted = new Uint8Array(stream.length + 3);
    shifted.set(stream, 3);
    assert.deepEqual(rowTexts(readRecord([shifted.subarray(3, -8)])), rows);
  }
});

test('times of samples come back by row, and those that do not fit are refused', async () => {
  const milli = (of: number): bigint => BigInt(of) * 1_000_000n;
  const [first, second] = profiles;
  const [a, b, c] = [...first.samples];
  const timed = [
    // Rows of one profile that are separate in the record are adjacent once read.
    { ...first, samples: [{ ...a, timesNanos: [milli(1_010)] }] },
    { ...second, samples: [...second.samples].map((row) => ({ ...row, timesNanos: [] })) },
    { ...first, samples: [{ ...b, timesNanos: [milli(1_030), milli(1_020) + 5n] }, c] },
  ];
  const stream = encodeRecord(timed, await loadLz4Frames());
  const record = readRecord([stream]);
  const { sampleTimes } = record;
  assert.ok(sampleTimes !== undefined);
  assert.deepEqual([...sampleTimes.start], [0, 1, 3, 3, 3]);
  assert.deepEqual([...sampleTimes.millis], [1_010, 1_020, 1_030]);
  assert.deepEqual(rowTexts(record).toSorted(), rows.toSorted());
  assert.equal(readRecord([encodeRecord(profiles, undefined)]).sampleTimes, undefined);
  const checkTimes = (times: string, message: RegExp): void => {
    const metadata = [[versionKey, 'v2'] as const, ['parca_sample_times', times] as const];
    const bad = encodeNestedStream(recordColumns(profiles), 4, metadata, undefined);
    assert.throws(
      () => readRecord([bad]),
      (error) =>
        error instanceof AppError &&
        error.code === 'invalid-argument' &&
        message.test(error.message),
    );
  };
  checkTimes('', /metadata parca_sample_times: .*end/);
  checkTimes('AAAA', /metadata parca_sample_times: .*version 0/);
  const ofOneRow = Buffer.from(
    encodeSampleTimes(
      {
        start: Uint32Array.of(0, 1),
        millis: Float64Array.of(7),
        values: [undefined],
      },
      [BigInt64Array.of(1n)],
    ),
  );
  checkTimes(ofOneRow.toString('base64'), /they have 1 rows of 4/);
});

test('equal writes have equal hashes, and others have others', async () => {
  const stream = encodeRecord(profiles, undefined);
  const other = encodeRecord(profiles.slice(1), undefined);
  const { contentHash } = readRecord([stream]);
  assert.equal(readRecord([stream.slice()]).contentHash, contentHash);
  assert.notEqual(readRecord([other]).contentHash, contentHash);
});

test('a stream without rows has no profiles', async () => {
  const { profileCount, rowCount } = readRecord([encodeRecord([], undefined)]);
  assert.deepEqual([profileCount, rowCount], [0, 0]);
});

const samples = [
  { id: '\xff\x00stack-a', labels: { comm: 'app', cpu: '1' }, value: 1n },
  { id: '\xfe\x00stack-a', labels: { comm: 'app' }, value: 2n },
  { id: '', labels: { node: 'n1' }, value: 3n },
];

test('schema v1: samples name stacks by their ids, and locations have them', async () => {
  const stream = encodeSamples(samples, 1_000n);
  const asked = (readStackIds(stream) ?? []).map((id) => Buffer.from(id).toString('latin1'));
  assert.deepEqual(asked, ['\xff\x00stack-a', '\xfe\x00stack-a']);
  const locations = encodeLocations([
    [asked[0], [kernel, native, inlined]],
    [asked[1], [native]],
  ]);
  assert.deepEqual(rowTexts(readRecord([stream, locations])), rows.slice(0, 3));
  const incomplete = encodeLocations([[asked[0], [native]]]);
  assert.throws(() => readRecord([stream, incomplete]), /missing stacktrace ID/);
  assert.throws(() => readRecord([stream]), /missing stacktrace ID/);
});

test('a write that is large after decompression is known before that', async () => {
  const labels = [{ name: 'comm', value: 'a'.repeat(2_000_000) }];
  const large = [{ ...profiles[1], samples: [{ labels, frames: [native], value: 1n }] }];
  const stream = encodeRecord(large, await loadLz4Frames());
  assert.ok(stream.length < 100_000, String(stream.length));
  assert.equal(readRecordUpTo([stream], 1_000_000), undefined);
  assert.equal(readRecordUpTo([stream], 3_000_000)?.rowCount, 1);
  const ids = encodeSamples(samples, 1_000n);
  assert.equal(readStackIds(ids, 10), undefined);
  assert.equal(readStackIds(ids, 1_000_000)?.length, 2);
});

type Columns = readonly NestedColumn[];

/**
 * Returns the columns of the record above with one column replaced with those that `change`
 * returns, if any.
 */
function changed(name: string, change: (column: NestedColumn) => NestedColumn[]): Columns {
  return recordColumns(profiles).flatMap((column) => {
    return column.name === name ? change(column) : [column];
  });
}

async function checkRefused(
  columns: Columns,
  message: RegExp,
  metadata: readonly (readonly [string, string])[] = [[versionKey, 'v2']],
  count = 4,
): Promise<void> {
  const stream = encodeNestedStream(columns, count, metadata, undefined);
  assert.throws(
    () => readRecord([stream]),
    (error) => {
      assert.ok(error instanceof AppError, String(error));
      assert.match(error.message, message);
      return true;
    },
  );
}

const int64s = (...values: readonly bigint[]): BigInt64Array => BigInt64Array.from(values);

test('columns that are missing, unknown or of another type are refused by name', async () => {
  const columns = recordColumns(profiles);
  for (const { name } of columns) {
    if (name === 'temporality' || name === 'value') continue;
    await checkRefused(
      changed(name, () => []),
      new RegExp(`^missing column "${name}"$`),
    );
  }
  await checkRefused(
    changed('temporality', (column) => [{ ...column, name: 'extra' }]),
    /unknown column "extra"/,
  );
  await checkRefused([...columns, columns[3]], /two columns have one name/);
  const numbers = (name: string) => [integers(name, int64s(1n, 2n, 3n, 4n))];
  const texts = (name: string) => [
    strings(
      name,
      Array.from({ length: 4 }, () => Buffer.of(65)),
      true,
    ),
  ];
  for (const name of ['value', 'timestamp', 'period', 'duration']) {
    await checkRefused(
      changed(name, () => texts(name)),
      new RegExp(`${name} does not have integers`),
    );
  }
  for (const name of ['producer', 'sample_type', 'period_unit']) {
    await checkRefused(
      changed(name, () => numbers(name)),
      new RegExp(`${name} does not have texts`),
    );
  }
  await checkRefused(
    changed('labels', () => numbers('labels')),
    /labels does not have structs/,
  );
  await checkRefused(
    changed('stacktrace', () => numbers('stacktrace')),
    /stacktrace does not have lists/,
  );
  const plainItems = integers('item', int64s(1n));
  const starts = new Int32Array(4);
  await checkRefused(
    changed('stacktrace', () => [listViews('stacktrace', starts, starts, plainItems)]),
    /stacktrace does not have a dictionary of locations/,
  );
});

test('versions and schemas that no agent has are refused', async () => {
  const columns = recordColumns(profiles);
  await checkRefused(columns, /missing schema version in metadata/, []);
  await checkRefused(columns, /unsupported schema version "v3"/, [[versionKey, 'v3']]);
  await checkRefused(columns, /unknown column "labels"/, [[versionKey, 'v1']]);
  await checkRefused([columns[4]], /unrecognized arrow record schema/);
  const locations = encodeLocations([['a', [native]]]);
  const stream = encodeSamples(samples, 1n);
  assert.throws(() => readRecord([locations]), /missing column "value"/);
  assert.throws(() => readRecord([stream, stream]), /two streams of samples/);
  assert.throws(() => readRecord([stream, locations, locations]), /locations are expected once/);
  assert.throws(() => readRecord([]), /missing column "value"/);
});

test('values that contradict one another are refused', async () => {
  const nulls = Uint8Array.of(1, 0, 1, 1);
  for (const name of ['value', 'timestamp']) {
    await checkRefused(
      changed(name, (column) => [{ ...column, valid: nulls }]),
      new RegExp(`column ${name} is null in row 1`),
    );
  }
  const short = (column: NestedColumn): NestedColumn[] => [{ ...column, length: 3 }];
  await checkRefused(changed('value', short), /"value" has 3 rows, its batch 4/);
  const noBuffer = (column: NestedColumn): NestedColumn[] => [{ ...column, buffers: [int64s(1n)] }];
  await checkRefused(changed('value', noBuffer), /a buffer has 8 bytes, not the 32/);
  await checkRefused(recordColumns(profiles), /has 4 rows, its batch 5/, undefined, 5);
  const inRuns = (ends: readonly number[]) =>
    changed('period', () => {
      const values = integers('period', int64s(...ends.map(BigInt)));
      return [{ ...runs(Int32Array.from(ends), values), length: 4 }];
    });
  await checkRefused(inRuns([2, 2, 4]), /run 1 of field "period" ends at 2, not after 2/);
  await checkRefused(inRuns([-1, 4]), /run 0 of field "period" ends at -1/);
  await checkRefused(inRuns([1, 3]), /runs of field "period" end at 3, not at 4/);
  await checkRefused(
    changed('period', () => [
      {
        ...runs(Int32Array.of(4), integers('period', int64s())),
        length: 4,
      },
    ]),
    /1 runs have 0 values/,
  );
  const producer = (offsets: readonly number[]) =>
    changed('producer', () => [
      {
        name: 'producer',
        type: { kind: 'utf8' },
        length: 4,
        buffers: [Int32Array.from(offsets), Buffer.from('abcd')],
      },
    ]);
  await checkRefused(producer([0, 1, 0, 2, 3]), /an offset of 0 comes after 1/);
  await checkRefused(producer([-1, 1, 1, 2, 3]), /an offset of -1 comes after 0/);
  await checkRefused(producer([0, 1, 2, 3, 5]), /an offset of 5 is past the end, 4/);
  const entries = strings('producer', [Buffer.from('a')], true);
  for (const [row, index] of [
    [1, 1],
    [2, 4_294_967_295],
  ]) {
    const indices = new Uint32Array(4);
    indices[row] = index;
    await checkRefused(
      changed('producer', () => [dictionaryRows('producer', indices, entries)]),
      new RegExp(`column producer refers to entry ${index} of 1`),
    );
  }
});

test('views and lists that lead outside of their buffers are refused', async () => {
  const texts = Array.from({ length: 4 }, () => Buffer.from('longer than a view'));
  const views = (at: number, value: number) =>
    changed('producer', () => {
      const column = textViews('producer', texts);
      const [words] = column.buffers;
      new DataView(words.buffer).setInt32(at, value, true);
      return [column];
    });
  await checkRefused(views(0, -1), /a view has a length of -1/);
  await checkRefused(views(0, 1_000), /a view of 1000 bytes at 0 is outside of its buffer/);
  await checkRefused(views(8, 1), /is outside of its buffer/);
  await checkRefused(views(8, -1), /is outside of its buffer/);
  await checkRefused(views(12, 60), /a view of 18 bytes at 60 is outside/);
  await checkRefused(views(12, -1), /at -1 is outside of its buffer/);
  const lists = (starts: readonly number[], sizes: readonly number[]) =>
    changed('stacktrace', (column) => [
      { ...column, buffers: [Int32Array.from(starts), Int32Array.from(sizes)] },
    ]);
  await checkRefused(
    lists([0, 0, 0, -1], [1, 1, 1, 1]),
    /list 3 of field "stacktrace" has 1 items/,
  );
  await checkRefused(
    lists([0, 0, 0, 0], [1, 1, -1, 1]),
    /list 2 of field "stacktrace" has -1 items/,
  );
  await checkRefused(
    lists([0, 4, 0, 0], [1, 1, 1, 1]),
    /list 1 of field "stacktrace" has 1 items from 4/,
  );
  await checkRefused(
    lists([0, 0, 0, 2], [1, 1, 1, 2 ** 31 - 1]),
    /has 2147483647 items from 2, of 4/,
  );
});

test('limits are kept: rows, frames of a stack, growth', async () => {
  const deep = Array.from({ length: inputLimits.stackDepth + 1 }, () => native);
  const stream = encodeRecord(
    [{ ...head, timeNanos: 1n, samples: [{ labels: app, frames: deep, value: 1n }] }],
    undefined,
  );
  assert.throws(() => readRecord([stream]), {
    code: 'resource-exhausted',
    message:
      'cannot read Arrow record: a stack has 8193 frames, the limit is 8192 (--profile-max-stack-depth)',
  });
  await checkRefused(
    recordColumns(profiles),
    /has 1000001 rows, the limit is 1000000/,
    undefined,
    inputLimits.arrowRows + 1,
  );
  const zeros = integers('value', new BigInt64Array(4_000_000));
  const bomb = encodeNestedStream(
    changed('value', () => [zeros]),
    4,
    [[versionKey, 'v2']],
    await loadLz4Frames(),
  );
  assert.ok(bomb.length < 200_000, `${bomb.length} bytes`);
  assert.throws(() => readRecord([bomb]), {
    code: 'resource-exhausted',
    message: /200 times as many/,
  });
  const wide = structs(
    'labels',
    4,
    Array.from({ length: 1_025 }, (_, i) => integers(`l${i}`, int64s(1n, 1n, 1n, 1n))),
  );
  await checkRefused(
    changed('labels', () => [wide]),
    /has 1025 fields, the limit is 1024/,
  );
  let nested = integers('x', int64s(1n, 1n, 1n, 1n));
  for (let i = 0; i < 32; i += 1) nested = structs('x', 4, [nested]);
  await checkRefused(
    changed('labels', () => [{ ...nested, name: 'labels' }]),
    /has 33 levels of fields/,
  );
});

test('a stream that ends anywhere is refused, and nothing else is thrown for any changed byte', async () => {
  const stream = encodeRecord(profiles, await loadLz4Frames());
  // The last 8 bytes of the stream are the end mark, which may be missing.
  for (let length = 1; length < stream.length - 8; length += 17) {
    try {
      // The stream may end between two messages.
      assert.equal(readRecord([stream.subarray(0, length)]).profileCount, 0, `${length} bytes`);
    } catch (error) {
      assert.ok(error instanceof AppError, `${length} bytes: ${error}`);
    }
  }
  for (let i = 0; i < stream.length; i += 13) {
    const broken = stream.slice();
    broken[i] ^= 0x81;
    try {
      readRecord([broken]);
    } catch (error) {
      assert.ok(
        error instanceof AppError,
        `byte ${i}: ${error instanceof Error ? error.stack : ''}`,
      );
    }
  }
});

test('buffers in zstd, as pyarrow writes them; a frame of another size is refused', () => {
  const stream = readFileSync(new URL('testdata/zstd.arrow', import.meta.url));
  const texts = rowTexts(readRecord([stream]));
  assert.equal(texts.length, 5);
  assert.match(texts[0], /comm=py-zstd.*\ba_name_that_is_too_long_for_a_view\b.* \d+$/);
  let refused = 0;
  for (let at = 0; at < stream.length - 12; at += 8) {
    // The uncompressed length of a buffer is before the magic number of its frame.
    if (stream.readUInt32LE(at + 8) !== 0xfd2f_b528) continue;
    for (const change of [-1, 1, 1_000_000]) {
      const changed = Buffer.from(stream);
      changed.writeUInt32LE(stream.readUInt32LE(at) + change, at);
      assert.throws(
        () => readRecord([changed]),
        /a frame of zstd has|grow to more than|bytes, not the/,
      );
      refused += 1;
    }
  }
  assert.ok(refused >= 30, String(refused));
});
