// Runs SQL in DuckDB, with which tests read our exports.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { testTool } from './tools.ts';

const script = `
import json, sys, duckdb, pyarrow as pa
question = json.load(sys.stdin)
connection = duckdb.connect()
# The bar of a slow query would be in the answer.
connection.execute('SET enable_progress_bar = false')
if question['files']:
    tables = [pa.ipc.open_file(path).read_all() for path in question['files']]
    tables = [table.unify_dictionaries() for table in tables]
    connection.register('samples', pa.concat_tables(tables))
json.dump(connection.execute(question['sql']).fetchall(), sys.stdout)
`;

/** Returns the result rows; `files` are Arrow files that together form the table `samples`. */
export function duckdb(sql: string, files: readonly string[] = []): unknown[][] {
  const { status, stdout, stderr } = spawnSync(testTool('TEST_PYTHON'), ['-c', script], {
    input: JSON.stringify({ sql, files }),
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  assert.equal(status, 0, stderr);
  const rows: unknown = JSON.parse(stdout);
  assert.ok(Array.isArray(rows));
  return rows;
}
