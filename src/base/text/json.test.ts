// Tests of the limits of JSON: objects and nesting are checked before parsing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJsonBytes, splitJsonList } from './json.ts';

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

test('a list is split between its elements, wherever brackets and commas are', () => {
  const check = (list: readonly unknown[], pieceBytes: number): void => {
    const bytes = Buffer.from(JSON.stringify(list));
    const pieces = [...splitJsonList(bytes, pieceBytes)].map(
      (piece) => JSON.parse(`[${Buffer.from(piece).toString()}]`) as unknown[],
    );
    assert.deepEqual(pieces.flat(), list);
    assert.equal(pieces.length, pieceBytes === 1 ? list.length : list.length > 0 ? 1 : 0);
  };
  for (const pieceBytes of [1, 1_000]) {
    check([], pieceBytes);
    check([['a,]\\"[', 1, 2], ['b\\\\', 3], [], [[1, 2], [3]]], pieceBytes);
    check([1, 'x,', { a: [1, 2] }], pieceBytes);
  }
  for (const wrong of ['x', '[1', '1]']) {
    const [piece] = splitJsonList(Buffer.from(wrong), 1);
    assert.throws(() => JSON.parse(`[${Buffer.from(piece).toString()}]`), SyntaxError, wrong);
  }
});
