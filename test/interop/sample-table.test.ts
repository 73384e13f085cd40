// Tests tables of samples with DuckDB as an independent reader.
import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { randomBelow, seededRandom } from '../../src/base/random.ts';
import { encodeArrowFile } from '../../src/formats/sample-table/arrow-file.ts';
import { ParquetFile } from '../../src/formats/sample-table/parquet-file.ts';
import type { SampleTable, Words } from '../../src/formats/sample-table/sample-table.ts';
import { duckdb } from '../support/duckdb.ts';

const random = seededRandom(11);

function words(rowCount: number, texts: readonly string[]): Words {
  const indices = Uint32Array.from({ length: rowCount }, () => randomBelow(random, texts.length));
  return { indices, texts };
}

function integers(rowCount: number, bits: bigint): BigInt64Array {
  const one = (): bigint => (BigInt(random.uint32()) << 32n) | BigInt(random.uint32());
  return BigInt64Array.from({ length: rowCount }, () => BigInt.asIntN(64, one()) >> (64n - bits));
}

function makeTable(rowCount: number): SampleTable {
  return {
    rowCount,
    timeNanos: integers(rowCount, 62n),
    durationNanos: integers(rowCount, 40n),
    period: integers(rowCount, 20n),
    value: integers(rowCount, 64n),
    profileType: words(rowCount, ['process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta', 'b']),
    labels: words(rowCount, ['{"job":"api"}', '{"job":"ü\\"🦆"}', '{}']),
    sampleLabels: words(rowCount, ['{}']),
    stack: words(rowCount, ['main;work', 'main;ü🦆', '']),
  };
}

const text = ({ indices, texts }: Words, row: number): string => texts[indices[row]];

test('DuckDB reads what is written as Parquet and as Arrow, row by row', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parca-test-'));
  const tables = [makeTable(5_000), makeTable(1), makeTable(2_345)];
  const want = tables.flatMap((table) =>
    Array.from({ length: table.rowCount }, (_, row) => [
      String(table.timeNanos[row]),
      String(table.durationNanos[row]),
      String(table.period[row]),
      text(table.profileType, row),
      text(table.labels, row),
      text(table.sampleLabels, row),
      text(table.stack, row),
      String(table.value[row]),
    ]),
  );
  const columns =
    'time_nanos::text, duration_nanos::text, period::text, profile_type, labels, ' +
    'sample_labels, stack, value::text';

  const parquet = join(folder, 'a.parquet');
  const file = new ParquetFile((bytes) => appendFile(parquet, bytes), 'test');
  for (const table of tables) await file.write(table);
  await file.finish();
  assert.deepEqual(duckdb(`select ${columns} from '${parquet}'`), want);
  assert.deepEqual(duckdb(`select distinct compression from parquet_metadata('${parquet}')`), [
    ['ZSTD'],
  ]);

  const sizes = new Map<string, number>();
  for (const compression of ['none', 'lz4', 'zstd'] as const) {
    const read: unknown[] = [];
    for (const [i, table] of tables.entries()) {
      const path = join(folder, `${i}-${compression}.arrow`);
      const bytes = await encodeArrowFile(table, compression);
      if (i === 0) sizes.set(compression, bytes.length);
      await writeFile(path, bytes);
      read.push(...duckdb(`select ${columns} from samples`, [path]));
    }
    assert.deepEqual(read, want, compression);
  }
  const [none, lz4, zstd] = ['none', 'lz4', 'zstd'].map((name) => sizes.get(name) ?? 0);
  assert.ok(zstd < lz4 && lz4 < none, `${zstd} < ${lz4} < ${none}`);

  const empty = join(folder, 'empty.parquet');
  await new ParquetFile((bytes) => appendFile(empty, bytes), 'test').finish();
  assert.deepEqual(duckdb(`select count(*)::text from '${empty}'`), [['0']]);
  await rm(folder, { recursive: true });
});
