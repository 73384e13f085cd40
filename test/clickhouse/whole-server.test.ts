// Tests random histories of the whole server with the newest ClickHouse engine as its store.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testSeed } from '../../src/base/testing/rounds.ts';
import { runProgram } from '../crash/run-program.ts';
import { startChdb } from '../support/clickhouse.ts';

const seconds = 120;

let chdb: Awaited<ReturnType<typeof startChdb>>;
before(async () => {
  chdb = await startChdb();
});
after(() => chdb.remove());

test('every answer is that of a plain evaluation, whatever the server lived through', async (t) => {
  const seed = testSeed();
  t.diagnostic(`TEST_SEED=${seed}`);
  process.env['LIVE_CLICKHOUSE'] = chdb.url;
  const end = await runProgram('../whole-server/live.ts', [seed, seconds]);
  assert.equal(end.code, 0, end.stderr);
  t.diagnostic(end.stdout.trim());
  const { questions } = JSON.parse(end.stdout) as { questions: number };
  assert.ok(questions > 0);
});
