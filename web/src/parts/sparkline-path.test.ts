// Tests of sparkline paths: connected points and gaps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SparkPaths, sparkPaths } from './sparkline-path.ts';

type Values = readonly (number | null)[];

/** Returns the points that a path connects: "0-1-2 5" has two lines. */
function drawLines(
  values: Values,
  kind: keyof SparkPaths = 'whole',
  covered: Values = values,
): string {
  const step = 120 / (values.length - 1);
  const path = sparkPaths({ values, covered }, 1)[kind];
  const places = [...path.matchAll(/([ML])([\d.]+) /g)].map(([, kind, x]) => ({
    kind,
    i: Math.round(Number(x) / step),
  }));
  return places
    .map(({ kind, i }, at) => {
      if (kind === 'M') return ` ${i}`;
      return places[at - 1].i === i ? '' : `-${i}`;
    })
    .join('')
    .trim();
}

/** Parses points such as "x..x"; a dot is a point without profiles. */
function points(text: string): (number | null)[] {
  return Array.from(text, (letter) => (letter === 'x' ? 1 : null));
}

test('points are joined across the usual distance, and a longer one is a gap', () => {
  const cases: readonly (readonly [points: string, lines: string])[] = [
    ['xxxx', '0-1-2-3'],
    // One profile a minute in buckets of 30 s.
    ['x.x.x.x.', '0-2-4-6'],
    ['x.x..x.x', '0-2-5-7'],
    // A single missing profile is not a gap; an hour without profiles is a gap.
    ['xx.xxx....xxx', '0-1-3-4-5 10-11-12'],
    ['x.x.x.......x.x', '0-2-4 12-14'],
    ['.x.....', '1'],
    ['.......', ''],
  ];
  for (const [text, lines] of cases) assert.equal(drawLines(points(text)), lines, text);
});

test('a value stands at its share of the height', () => {
  const { whole, unfinished } = sparkPaths({ values: [0, 2, 1], covered: [] }, 2);
  assert.deepEqual([whole, unfinished], ['M0.0 23.0L0.0 23.0L60.0 1.0L120.0 12.0', '']);
});

test('values of unfinished buckets, and the lines to them, are in a path of their own', () => {
  const cases: readonly (readonly [covered: readonly number[], whole: string, part: string])[] = [
    [[9, 9, 9, 9, 4], '0-1-2-3', '3-4'],
    [[9, 9, 9, 9, 5], '0-1-2-3-4', ''],
    [[4, 9, 9, 4, 9], '1-2', '0-1 2-3-4'],
    // Partly covered buckets, like the buckets of a program that is profiled for ten seconds a
    // minute.
    [[2, 1, 2, 2, 0.9], '0-1-2-3', '3-4'],
  ];
  for (const [covered, whole, part] of cases) {
    const lines = (kind: keyof SparkPaths) => drawLines(points('xxxxx'), kind, covered);
    assert.deepEqual([lines('whole'), lines('unfinished')], [whole, part]);
  }
});
