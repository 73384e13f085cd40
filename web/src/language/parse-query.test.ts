// Tests that a remembered query is the one that was asked for, however many others came between.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from './parse-query.ts';

test('a query that is read again has the same tree, and others have their own', () => {
  const text = 'process_cpu{job="api"} | keep function = "main.main"';
  const tree = parseQuery(text);
  assert.equal(parseQuery(text), tree);
  const printed = String(tree);
  for (let i = 0; i < 200; i++) {
    const other = `process_cpu{job="${'a'.repeat(i)}"}`;
    assert.equal(parseQuery(other).length, other.length);
  }
  assert.equal(String(parseQuery(text)), printed);
  assert.equal(parseQuery('process_cpu{').length, 12);
});
