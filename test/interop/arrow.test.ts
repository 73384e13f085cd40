// Tests our records with pyarrow as an independent reader.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { parca } from '../../proto/gen/query.js';
import { encodeReport } from '../../src/api/query/encode-report.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { encodeIpcStream } from '../../src/formats/arrow/ipc-stream.ts';
import { storeFrame } from '../../src/formats/arrow/lz4-frame.ts';
import { parseProfileType } from '../../src/model/profile-type.ts';
import { createQueryEngine } from '../../src/query/engine/engine.ts';
import { TestStore } from '../../src/query/testing/test-store.ts';
import { testTool } from '../support/tools.ts';

const script = `
import json, sys, pyarrow as pa
table = pa.ipc.open_stream(sys.stdin.buffer.read()).read_all()
table.validate(full=True)
columns = {name: table.column(name).to_pylist() for name in table.column_names}
schema = [[field.name, str(field.type)] for field in table.schema]
required = [field.name for field in table.schema if not field.nullable]
answer = {'schema': schema, 'required': required, 'columns': columns}
json.dump(answer, sys.stdout, default=lambda b: b.decode())
`;

interface ReadTable {
  readonly schema: readonly (readonly [string, string])[];
  /** Columns that are not nullable. */
  readonly required: readonly string[];
  readonly columns: Readonly<Record<string, readonly unknown[]>>;
}

function readWithPyarrow(stream: Uint8Array): ReadTable {
  const python = testTool('TEST_PYTHON');
  const { status, stdout, stderr } = spawnSync(python, ['-c', script], {
    input: stream,
    maxBuffer: 256 * 1024 * 1024,
  });
  assert.equal(status, 0, `${python}: ${stderr}`);
  return JSON.parse(stdout.toString()) as ReadTable;
}

const query = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';

async function makeRecord(
  store: TestStore,
  kind: 'flame-graph' | 'table' | 'source' = 'flame-graph',
): Promise<Uint8Array> {
  const parts = { querier: store, metrics: noMetrics, clock: createClock() };
  const report = await createQueryEngine(parts).report(
    {
      select: { mode: 'merge', query, range: { from: 0n, to: 9n } },
      report: kind,
      source: { buildId: '', fileName: 'fib.go' },
      nodeTrimFraction: 0,
      rootTrimFraction: 0,
      groupBy: ['labels.job'],
    },
    { signal: new AbortController().signal },
  );
  const response = parca.query.v1alpha1.QueryResponse.decode(await encodeReport(report));
  const body = response.flamegraphArrow ?? response.tableArrow ?? response.source;
  assert.ok(body);
  return body.record;
}

const words = (bits: 8 | 16): string => `dictionary<values=binary, indices=uint${bits}, ordered=0>`;

test('pyarrow reads a small record: types and cells', async () => {
  const store = new TestStore();
  const type = parseProfileType(query);
  store.add({ type, timeNanos: 1n, labels: { job: 'a' }, rows: 'main;x 300\nmain;0x40 5' });
  const { schema, required, columns } = readWithPyarrow(await makeRecord(store));
  assert.deepEqual(schema, [
    ['labels_only', 'bool'],
    ['location_address', 'uint64'],
    ['mapping_file', words(8)],
    ['mapping_build_id', words(8)],
    ['location_line', 'uint8'],
    ['inlined', 'bool'],
    ['function_startline', 'uint8'],
    ['function_name', words(8)],
    ['function_system_name', words(8)],
    ['function_file_name', words(8)],
    ['children', 'list<item: uint32>'],
    ['parent', 'int32'],
    ['cumulative', 'uint16'],
    ['flat', 'uint16'],
    ['diff', 'int8'],
    ['timestamp', 'int64'],
    ['depth', 'uint8'],
    ['value_offset', 'uint16'],
    ['labels.job', words(8)],
  ]);
  assert.deepEqual(required, ['parent', 'timestamp', 'value_offset']);
  assert.deepEqual(columns.function_name, [null, null, 'main', 'x', null]);
  assert.deepEqual(columns.labels_only, [null, true, false, false, false]);
  assert.deepEqual(columns['labels.job'], [null, 'a', 'a', 'a', 'a']);
  assert.deepEqual(columns.children, [[1], [2], [3, 4], null, null]);
  assert.deepEqual(columns.parent, [-1, 0, 1, 2, 2]);
  assert.deepEqual(columns.cumulative, [305, 305, 305, 300, 5]);
  assert.deepEqual(columns.flat, [0, 0, 0, 300, 5]);
  assert.deepEqual(columns.value_offset, [0, 0, 0, 0, 300]);
  assert.deepEqual(columns.location_address, [null, null, 0, 0, 0x40]);
});

test('numbers are as wide as the largest needs, as in Parca', async () => {
  const check = async (value: bigint, want: string): Promise<void> => {
    const store = new TestStore();
    store.add({ type: parseProfileType(query), timeNanos: 1n, rows: `main;x ${value}` });
    const { schema, columns } = readWithPyarrow(await makeRecord(store));
    const types = new Map(schema);
    assert.deepEqual([types.get('cumulative'), types.get('flat')], [want, want], `${value}`);
    assert.equal(BigInt(String(columns.flat.at(-1))), value);
  };
  await check(254n, 'uint8');
  await check(255n, 'uint16');
  await check(65_534n, 'uint16');
  await check(65_535n, 'uint32');
  await check(2n ** 32n - 2n, 'uint32');
  await check(2n ** 32n - 1n, 'uint64');
});

test('streams are frames of LZ4, and readers take them without their end', async () => {
  const store = new TestStore();
  const rows = Array.from({ length: 500 }, (_, i) => `main;f${i} ${i + 1}`);
  store.add({ type: parseProfileType(query), timeNanos: 1n, rows: rows.join('\n') });
  const record = Buffer.from(await makeRecord(store));
  const frameStart = Buffer.of(0x04, 0x22, 0x4d, 0x18);
  assert.ok(record.includes(frameStart));
  const end = Buffer.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);
  assert.deepEqual(record.subarray(-end.length), end);
  const open = record.subarray(0, -end.length);
  assert.deepEqual(readWithPyarrow(open), readWithPyarrow(record));
});

test('pyarrow reads a table: types and cells', async () => {
  const store = new TestStore();
  const type = parseProfileType(query);
  store.add({ type, timeNanos: 1n, labels: { job: 'a' }, rows: 'main;x;x 300\nmain;0x40 5' });
  const { schema, required, columns } = readWithPyarrow(await makeRecord(store, 'table'));
  const text = (bits: 16 | 32): string =>
    `dictionary<values=string, indices=uint${bits}, ordered=0>`;
  assert.deepEqual(schema, [
    ['mapping_file', text(16)],
    ['mapping_build_id', text(16)],
    ['location_address', 'uint64'],
    ['location_line', 'int64'],
    ['function_startline', 'int64'],
    ['function_name', text(32)],
    ['function_system_name', text(16)],
    ['function_file_name', text(32)],
    ['cumulative', 'int64'],
    ['cumulative_diff', 'int64'],
    ['flat', 'int64'],
    ['flat_diff', 'int64'],
    ['callers', 'list<item: int64>'],
    ['callees', 'list<item: int64>'],
  ]);
  assert.deepEqual(required, ['cumulative', 'flat', 'flat_diff', 'callers', 'callees']);
  assert.deepEqual(columns.function_name, ['main', 'x', null]);
  assert.deepEqual(columns.location_address, [0, 0, 0x40]);
  assert.deepEqual(columns.cumulative, [305, 300, 5]);
  assert.deepEqual(columns.flat, [0, 300, 5]);
  assert.deepEqual(columns.callers, [[], [0, 1], [0]]);
  assert.deepEqual(columns.callees, [[1, 2], [1], []]);
});

test('pyarrow reads lines of a source: types and cells', async () => {
  const store = new TestStore();
  const at = (line: number) =>
    store.addLocation({ address: line, lines: [{ name: 'fib', fileName: '/a/fib.go', line }] });
  const stack = store.addStack([at(9), at(7), at(7)]);
  store.add({ type: parseProfileType(query), timeNanos: 1n, rows: `#${stack} 5` });
  const { schema, required, columns } = readWithPyarrow(await makeRecord(store, 'source'));
  assert.deepEqual(schema, [
    ['filename', 'dictionary<values=string, indices=int32, ordered=0>'],
    ['line_number', 'int64'],
    ['cumulative', 'int64'],
    ['flat', 'int64'],
    ['function_name', 'dictionary<values=string, indices=int32, ordered=0>'],
  ]);
  const wanted = ['filename', 'line_number', 'cumulative', 'flat', 'function_name'];
  assert.deepEqual(required, wanted);
  assert.deepEqual(columns.function_name, ['fib', 'fib']);
  assert.deepEqual(columns.filename, ['/a/fib.go', '/a/fib.go']);
  assert.deepEqual(columns.line_number, [7, 9]);
  assert.deepEqual(columns.cumulative, [5, 5]);
  assert.deepEqual(columns.flat, [0, 5]);
});

test('pyarrow reads an empty record', async () => {
  const { columns } = readWithPyarrow(await makeRecord(new TestStore()));
  assert.deepEqual(columns.cumulative, [null]);
  assert.deepEqual(columns.parent, [-1]);
});

test('pyarrow reads a large record, compressed', async () => {
  const store = new TestStore();
  const rows = Array.from({ length: 20_000 }, (_, i) => `main;a${i % 300};f${i} ${i + 1}`);
  store.add({ type: parseProfileType(query), timeNanos: 1n, rows: rows.join('\n') });
  const { schema, columns } = readWithPyarrow(await makeRecord(store));
  assert.equal(new Map(schema).get('function_name'), words(16));
  assert.equal(columns.function_name.length, 1 + 1 + 300 + 20_000);
  const flat = new Map(columns.function_name.map((name, row) => [name, columns.flat[row]]));
  for (let i = 0; i < 20_000; i += 999) assert.equal(flat.get(`f${i}`), i + 1);
});

test('pyarrow reads frames of stored blocks', async () => {
  const values = Uint32Array.from({ length: 100_000 }, (_, i) => i);
  const stream = encodeIpcStream(
    [{ kind: 'integer', name: 'n', values }],
    values.length,
    storeFrame,
  );
  assert.deepEqual(readWithPyarrow(stream).columns.n, [...values]);
});
