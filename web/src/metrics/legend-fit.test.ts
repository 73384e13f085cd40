// Tests of the width of the legend.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitLegend, type LegendRoom } from './legend-fit.ts';

/** In this test, a character is one pixel wide, and an entry is as wide as its title. */
const room: LegendRoom = {
  width: 40,
  lines: 1,
  start: 0,
  band: 0,
  more: 5,
  measureEntry: (text) => text.length,
};
const titles = ['pod=aaaaaa', 'pod=bbbbbb', 'pod=cccccc', 'pod=dddddd'];

test('all entries are shown if they fit, else as many as leave room for the rest', () => {
  const countShown = (change: Partial<LegendRoom>) =>
    fitLegend(titles, { ...room, ...change }).count;
  assert.equal(countShown({}), 4);
  assert.equal(countShown({ width: 39 }), 3);
  assert.equal(countShown({ width: 34 }), 2, 'the button has room');
  assert.equal(countShown({ start: 1 }), 3);
  assert.equal(countShown({ band: 1 }), 3);
  assert.equal(countShown({ width: 1 }), 1, 'one is always shown');
  assert.equal(countShown({ width: 20, lines: 2 }), 4);
  assert.equal(countShown({ width: 19, lines: 2 }), 2);
  assert.equal(countShown({ width: 19, lines: 3 }), 3);
});

test('titles are shortened if that shows more of them', () => {
  const long = ['a', 'b', 'c'].map((one) => one.repeat(40));
  const measureTitles = (width: number) => {
    const { count, texts } = fitLegend(long, { ...room, width });
    return [count, ...long.slice(0, count).map((title) => texts.get(title)?.length)];
  };
  assert.deepEqual(measureTitles(120), [3, 40, 40, 40]);
  assert.deepEqual(measureTitles(96), [3, 32, 32, 32]);
  assert.deepEqual(measureTitles(60), [3, 20, 20, 20]);
  assert.deepEqual(measureTitles(46), [2, 20, 20]);
  assert.deepEqual(measureTitles(44), [1, 32], 'the longest that fit');
});

test('the whole width is that of all titles', () => {
  assert.equal(fitLegend(titles, { ...room, width: 10, start: 3, band: 4 }).wholeWidth, 47);
});
