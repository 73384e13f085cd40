// Tests of edits that start and end a comparison.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compareValues,
  compareWithEarlier,
  compareWithRest,
  distanceToNext,
  editSide,
  moveSpan,
  readSides,
  listSpans,
  swapSides,
  toggleComparison,
  withOffset,
  withoutTimes,
  withTimeSelected,
} from './comparison.ts';

test('a query is compared with the time before, and back', () => {
  const cases: readonly (readonly [query: string, millis: number, compared: string])[] = [
    ['cpu', 3_600_000, 'diff(cpu offset 1h, cpu)'],
    ['cpu{a="b"} | top 3', 900_000, 'diff(cpu{a="b"} offset 15m, cpu{a="b"}) | top 3'],
    [
      '{a="diff(|"} | focus "x"',
      90_000,
      'diff({a="diff(|"} offset 1m30s, {a="diff(|"}) | focus "x"',
    ],
    ['cpu', 172_800_400, 'diff(cpu offset 2d, cpu)'],
  ];
  for (const [query, millis, compared] of cases) {
    assert.equal(toggleComparison(query, millis), compared);
    assert.equal(toggleComparison(compared, millis), query);
  }
});

test('the time next to a range has none of its profiles, to the millisecond', () => {
  const cases: readonly (readonly [from: number, to: number, distance: number])[] = [
    // The last hour with a selected minute: the preceding time ends right before the minute.
    [1, 3_600_000, 3_600_000],
    [60_000, 119_999, 60_000],
    // A fixed range includes both ends.
    [0, 3_600_000, 3_601_000],
    [0, 1_500, 2_000],
    [5, 5, 1_000],
  ];
  for (const [from, to, distance] of cases) {
    assert.equal(distanceToNext({ from, to }), distance);
    assert.ok(to - distance < from, `${from}..${to}`);
  }
});

test('what cannot be compared stays as it is', () => {
  for (const query of ['', 'cpu offset 1d', 'diff(cpu', '| top 3']) {
    assert.equal(toggleComparison(query, 60_000), query);
  }
});

test('a comparison can be with another time, or of two values of a label', () => {
  const day = 86_400_000;
  const once = compareWithEarlier('cpu{a="b"} | top 3', day);
  assert.equal(once, 'diff(cpu{a="b"} offset 1d, cpu{a="b"}) | top 3');
  assert.equal(compareWithEarlier(once, 7 * day), once.replace('1d', '1w'));
  const values = compareValues(once, 'version', 'v1', 'v2');
  assert.equal(values, 'diff(cpu{a="b", version="v1"}, cpu{a="b", version="v2"}) | top 3');
  assert.equal(compareValues('cpu', 'a', 'x', 'y'), 'diff(cpu{a="x"}, cpu{a="y"})');
  assert.equal(compareValues('cpu offset 1d', 'a', 'x', 'y'), 'cpu offset 1d');
});

test('the sides of a comparison change places', () => {
  const swapped = swapSides('diff(cpu offset 1d, cpu{a="b"} | keep "x") | top 3');
  assert.equal(swapped, 'diff(cpu{a="b"} | keep "x", cpu offset 1d) | top 3');
  for (const query of ['cpu', 'diff(cpu', '']) assert.equal(swapSides(query), query);
});

test('a side has a text and a time of its own', () => {
  const query = 'diff(cpu{a="b"} offset 1d | keep "x", cpu) | top 3';
  const sides = readSides(query);
  assert.equal(sides?.before.text, 'cpu{a="b"} offset 1d | keep "x"');
  assert.equal(sides?.before.offsetMillis, 86_400_000);
  assert.equal(sides?.now.offsetMillis, 0);
  assert.equal(readSides('cpu'), undefined);
  assert.equal(readSides('diff(cpu'), undefined);
  const later = editSide(query, 'before', (side) => withOffset(side, 90_000_000));
  assert.equal(later, 'diff(cpu{a="b"} offset 1d1h | keep "x", cpu) | top 3');
  assert.equal(
    editSide(query, 'now', (side) => withOffset(side, -5_000)),
    'diff(cpu{a="b"} offset 1d | keep "x", cpu offset -5s) | top 3',
  );
  assert.equal(withOffset('cpu{a="b"} offset 1d | top 3', 0), 'cpu{a="b"} | top 3');
});

test('a time is compared with the rest of the range', () => {
  const span = { from: 60_000, to: 90_250 };
  const rest = 'diff(cpu{a="b"} except @ 60 to 90.25, cpu{a="b"} @ 60 to 90.25) | top 3';
  assert.equal(compareWithRest('cpu{a="b"} | top 3', span), rest);
  assert.equal(compareWithRest(rest, span), rest);
  assert.equal(compareWithRest('diff(cpu offset 1d, cpu{a="b"}) | top 3', span), rest);
  for (const query of ['', 'cpu offset 1d', '| top 3']) {
    assert.equal(compareWithRest(query, span), query);
  }
  assert.deepEqual(withTimeSelected(rest), { query: 'cpu{a="b"} | top 3', selection: span });
  assert.deepEqual(withTimeSelected(swapSides(rest)), withTimeSelected(rest), 'A has the time');
  const apart = 'diff(cpu @ 60 to 70, cpu except @ 60 to 80)';
  assert.deepEqual(withTimeSelected(apart), { query: apart });
  assert.deepEqual(withTimeSelected('diff(a, b)'), { query: 'diff(a, b)' });
});

test('the times of a side, and a query without them', () => {
  const check = (text: string, ...want: readonly (readonly [from: number, to: number])[]) => {
    const side = readSides(`diff(${text}, cpu)`)?.before;
    assert.ok(side);
    const spans = listSpans(side, { from: 10_000, to: 99_000 });
    assert.deepEqual(
      spans.map(({ from, to }) => [from, to]),
      want,
    );
    assert.equal(withoutTimes(text), 'cpu{a="b"} | top 3');
  };
  const all = (times: string): string => `cpu{a="b"}${times} | top 3`;
  check(all(''), [10_000, 99_000]);
  check(all(' @ 60 to 90.25'), [60_000, 90_250]);
  check(all(' @ 0 to 20'), [10_000, 20_000]);
  check(all(' @ 0 to 5'));
  check(all(' except @ 60 to 90.25'), [10_000, 59_999], [90_251, 99_000]);
  check(all(' except @ 0 to 20 offset 1s'), [19_001, 98_000]);
  check(all('@60 to 70 except @ 60 to 65.5   offset 10s'), [55_501, 60_000]);
});

test('a time is moved on both sides', () => {
  const query =
    'diff(cpu except @ 60 to 70, cpu @ 60 to 70 except @ 65 to 70) | focus "@ 60 to 70"';
  assert.equal(
    moveSpan(query, { from: 60_000, to: 70_000 }, -1_500),
    'diff(cpu except @ 58.5 to 68.5, cpu @ 58.5 to 68.5 except @ 65 to 70) | focus "@ 60 to 70"',
  );
});
