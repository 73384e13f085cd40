// Tests of the edits that begin and end a comparison.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toggleComparison } from './comparison.ts';

test('a query is compared with the time before, and back', () => {
  const cases: readonly (readonly [query: string, millis: number, compared: string])[] = [
    ['cpu', 3_600_000, 'diff(cpu offset 1h, cpu)'],
    ['cpu{a="b"} | top 3', 900_000, 'diff(cpu{a="b"} offset 15m, cpu{a="b"}) | top 3'],
    ['{a="diff(|"} | focus "x"', 90_000, 'diff({a="diff(|"} offset 90s, {a="diff(|"}) | focus "x"'],
    ['cpu', 172_800_400, 'diff(cpu offset 2d, cpu)'],
  ];
  for (const [query, millis, compared] of cases) {
    assert.equal(toggleComparison(query, millis), compared);
    assert.equal(toggleComparison(compared, millis), query);
  }
});

test('what cannot be compared stays as it is', () => {
  for (const query of ['', 'cpu offset 1d', 'diff(cpu', '| top 3']) {
    assert.equal(toggleComparison(query, 60_000), query);
  }
});
