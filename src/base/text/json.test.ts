// Tests of the limits of JSON: objects are counted, and nesting is measured, ahead of parsing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJsonBytes } from './json.ts';

function parse(text: string, most?: number): unknown {
  return parseJsonBytes(Buffer.from(text), 'cannot read', most);
}

test('what is nested more than a thousand deep is refused, brackets in strings are no nesting', () => {
  const nested = (depth: number): string =>
    '[{"a":'.repeat(depth / 2) + '1' + '}]'.repeat(depth / 2);
  assert.ok(parse(nested(1_000)));
  assert.throws(() => parse(nested(1_002)), {
    code: 'invalid-argument',
    message: 'cannot read: it is nested more than 1000 deep',
  });
  assert.throws(() => parse('['.repeat(100_000)), { message: /nested more than 1000 deep/ });
  assert.deepEqual(parse(`["${'['.repeat(5_000)}\\"["]`), ['['.repeat(5_000) + '"[']);
  assert.equal((parse(`[${'[],'.repeat(5_000)}[]]`) as unknown[]).length, 5_001);
});

test('objects and lists are counted up to a limit', () => {
  assert.deepEqual(parse('[{}, {}]', 3), [{}, {}]);
  assert.throws(() => parse('[{}, {}]', 2), {
    code: 'resource-exhausted',
    message: 'cannot read: more than 2 objects and lists',
  });
});
