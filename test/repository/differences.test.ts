// Tests that every difference from Parca in docs/parca-differences.md names a test that exists.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../', import.meta.url);
const document = readFileSync(new URL('docs/parca-differences.md', root), 'utf8');
/** Rows of the table; the last cell of each names a file and words in it. */
const rows = document
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (subject|---)/.test(line));

test('each difference from Parca names a test that exists', () => {
  assert.ok(rows.length > 0);
  for (const row of rows) {
    const found = /\| `([^`]+\.test(?:\.ts)?)`: (.+) \|$/.exec(row);
    assert.ok(found, `names no test: ${row}`);
    const [, path, words] = found;
    const file = new URL(path, root);
    assert.ok(existsSync(file), `there is no ${path}: ${row}`);
    assert.ok(readFileSync(file, 'utf8').includes(words), `${path} does not say: ${words}`);
  }
});
