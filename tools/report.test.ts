// Tests the counts that `npm test` prints: all ways in which a test can pass, fail or be skipped.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const folder = mkdtempSync(join(tmpdir(), 'parca-report-'));
const reporter = new URL('report.mjs', import.meta.url).pathname;

after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a generated test file; returns its output, and "passed/failed/skipped". */
function report(name: string, body: string): { counts: string; output: string; code: number } {
  const file = join(folder, `${name}.test.ts`);
  writeFileSync(file, `import test, { describe } from 'node:test';\n${body}\n`);
  const countsFile = join(folder, `${name}.json`);
  // Node refuses to run tests inside tests unless the outer run is hidden.
  const { NODE_TEST_CONTEXT: _, ...outside } = process.env;
  const { stdout, status } = spawnSync(
    process.execPath,
    ['--test', '--test-timeout=5000', `--test-reporter=${reporter}`, file],
    { encoding: 'utf8', env: { ...outside, TEST_COUNTS: countsFile } },
  );
  const { passed, failed, skipped } = JSON.parse(readFileSync(countsFile, 'utf8'));
  return { counts: `${passed}/${failed}/${skipped}`, output: stdout, code: status ?? -1 };
}

test('each outcome is counted once', () => {
  const body = `
    test('good', () => {});
    test('bad', () => { throw new Error('this is why'); });
    test('left out', { skip: true }, () => {});
    test.todo('not written');
    describe('suite', () => { test('inside', () => {}); });
    test('parent', async (t) => { await t.test('bad child', () => { throw new Error(); }); });`;
  const { counts, output, code } = report('outcomes', body);
  assert.equal(counts, '2/2/2');
  assert.notEqual(code, 0);
  assert.match(output, /bad: FAILED\n.*this is why/);
  assert.match(output, /left out: SKIPPED/);
  assert.match(output, /not written: SKIPPED/);
});

test('a file that fails to load, ends early or has no tests is a failure', () => {
  assert.equal(report('load', `throw new Error('load');`).counts, '0/1/0');
  assert.equal(report('early', `test('a', () => process.exit(0));`).counts, '0/1/0');
  assert.equal(report('empty', '').counts, '0/1/0');
});
