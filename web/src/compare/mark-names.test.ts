// Tests of the names of marks that have space.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spacedNames } from './mark-names.ts';

test('names cover no other mark, and later marks come first', () => {
  const check = (
    marks: readonly (readonly [left: number, name: string])[],
    width: number,
    want: readonly boolean[],
  ) => {
    const named = marks.map(([left, name]) => ({ left, name }));
    assert.deepEqual(spacedNames(named, width), want);
  };
  check([], 1_000, []);
  check([[0.5, 'v1']], 1_000, [true]);
  check([[0.5, '']], 1_000, [false]);
  const two = [
    [0.4, 'v2.14.1'],
    [0.5, 'v2.15.0'],
  ] as const;
  check(two, 1_000, [true, true]);
  // On a phone, the name of the first covers the second.
  check(two, 216, [false, true]);
  // Names near the right end stand to the left of their glyphs.
  const atEnd = [
    [0.6, 'first'],
    [0.75, 'second'],
  ] as const;
  check(atEnd, 1_000, [true, true]);
  check(atEnd, 500, [false, true]);
  check(
    [
      [0.5, 'the same time'],
      [0.5, 'twice'],
    ],
    1_000,
    [false, true],
  );
});
