// Tests of the statements that create the tables; test/clickhouse runs them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStatements, migrationStatements } from './schema.ts';

test('servers that are not modern get plain types and no codecs', () => {
  const [old, modern] = [false, true].map((isModern) =>
    createStatements({ cluster: '', isModern }).join('\n'),
  );
  assert.doesNotMatch(old, /LowCardinality|CODEC|SETTINGS/);
  assert.match(old, /stack FixedString\(16\), locations Array\(FixedString\(16\)\)\) ENGINE/);
  assert.match(old, /mapping_file String, build_id String, line_numbers/);
  assert.match(modern, /hour Int64 CODEC\(Delta, ZSTD\(1\)\)/);
  assert.match(modern, /locations Array\(LowCardinality\(FixedString\(16\)\)\) CODEC\(ZSTD\(1\)\)/);
});

test('tables of version 1 are changed where the types are another', () => {
  const change = (stored: number, isModern: boolean): string[] =>
    migrationStatements(stored, { cluster: '', isModern });
  assert.deepEqual(
    change(1, true).map((text) => text.split(' ', 3)[2]),
    ['profiles', 'stacks', 'locations'],
  );
  assert.deepEqual([...change(0, true), ...change(2, true), ...change(1, false)], []);
});
