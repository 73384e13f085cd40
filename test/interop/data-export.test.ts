// Tests `parcatool data export` of a directory, read by DuckDB.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fillDataDirectory } from '../support/data-directory.ts';
import { duckdb } from '../support/duckdb.ts';
import { runParcatool, type Run } from '../support/parcatool.ts';
import { scratchDirectory } from '../support/server.ts';

const scratch = await scratchDirectory();
after(() => scratch.remove());

const tool = (...args: string[]): Promise<Run> => runParcatool('data', ...args);

test('exports add up to what is stored, read by DuckDB', async () => {
  const select =
    `select labels->>'job' || ' ' || split_part(profile_type, ':', 2) || ' ' || ` +
    `split_part(stack, ';', 2), sum(value)::text from SOURCE group by 1 order by 1`;
  const sums = await fillDataDirectory(scratch.path);
  const data = join(scratch.path, 'data');
  const want = [...sums]
    .map(([key, sum]) => [key, String(sum)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const parquet = join(scratch.path, 'parquet');
  const done = await tool('export', data, '--target', parquet);
  assert.equal(done.code, 0, done.err);
  assert.deepEqual(duckdb(select.replace('SOURCE', `'${parquet}/*.parquet'`)), want);
  const arrow = join(scratch.path, 'arrow');
  assert.equal((await tool('export', data, '--target', arrow, '-o', 'arrow')).code, 0);
  const files = (await readdir(arrow)).map((name) => join(arrow, name));
  assert.deepEqual(duckdb(select.replace('SOURCE', 'samples'), files), want);
  assert.equal((await tool('export', data, '--target', arrow, '-o', 'arrow')).code, 1);
});
