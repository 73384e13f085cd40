// Tests of time ranges, including the hours that summer time adds and removes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as ranges from './time-range.ts';

process.env.TZ = 'Europe/Berlin';

const now = Date.parse('2026-11-21T10:00:00Z');

test('points are read and printed back', () => {
  for (const text of ['now', 'now-15m', 'now-1h', 'now-2d', 'now-1w', '1800000000000']) {
    const point = ranges.parseTimePoint(text);
    assert.ok(point, text);
    assert.equal(ranges.printTimePoint(point), text);
  }
  const absolute = ranges.parseTimePoint('2026-11-21T11:00:00+01:00');
  assert.deepEqual(absolute, { kind: 'absolute', millis: now });
  for (const text of [
    '',
    'later',
    'now+1h',
    'now-1y',
    '-5',
    '2026-13-40T00:00:00Z',
    '2026-11-21',
  ]) {
    assert.equal(ranges.parseTimePoint(text), undefined, text);
  }
});

test('ranges resolve against now, turned around ones are put right', () => {
  const hour = 3_600_000;
  assert.deepEqual(ranges.resolveRange(ranges.lastMillis(hour), now), {
    from: now - hour + 1,
    to: now,
  });
  assert.deepEqual(ranges.resolveRange(ranges.fixedRange(now, now - hour), now), {
    from: now - hour,
    to: now,
  });
});

test('moving back fixes the range, moving forth past now follows the clock again', () => {
  const hour = 3_600_000;
  const back = ranges.moveRange(ranges.lastMillis(hour), now, -1);
  assert.deepEqual(back, ranges.fixedRange(now - 1.5 * hour, now - 0.5 * hour));
  assert.deepEqual(ranges.moveRange(back, now, 1), ranges.lastMillis(hour));
  assert.deepEqual(ranges.scaleRange(ranges.lastMillis(hour), now, 2), ranges.lastMillis(2 * hour));
  const fixed = ranges.fixedRange(now - hour, now);
  assert.deepEqual(
    ranges.scaleRange(fixed, now, 0.5),
    ranges.fixedRange(now - 0.75 * hour, now - 0.25 * hour),
  );
});

test('inputs hold wall-clock time in either zone, over both changes of the clock', () => {
  const cases: readonly (readonly [iso: string, local: string])[] = [
    ['2026-03-29T00:59:59Z', '2026-03-29T01:59:59'],
    ['2026-03-29T01:00:00Z', '2026-03-29T03:00:00'],
    ['2026-10-25T01:30:00Z', '2026-10-25T02:30:00'],
    ['2026-11-21T10:00:00Z', '2026-11-21T11:00:00'],
  ];
  for (const [iso, local] of cases) {
    const millis = Date.parse(iso);
    assert.equal(ranges.toInputText(millis, false), local);
    assert.equal(ranges.toInputText(millis, true), iso.slice(0, 19));
    assert.equal(ranges.fromInputText(ranges.toInputText(millis, true), true), millis);
  }
  assert.equal(ranges.fromInputText('2026-03-29T03:00:00', false), Date.parse(cases[1][0]));
  assert.equal(ranges.fromInputText('2026-03', false), undefined);
});

test('steps are nice numbers that give at most the wanted points', () => {
  const span = (seconds: number) => ({ from: 0, to: seconds * 1_000 });
  assert.equal(ranges.chooseStep(span(900), 150), 10_000);
  assert.equal(ranges.chooseStep(span(10), 150), 1_000);
  assert.equal(ranges.chooseStep(span(7 * 86_400), 150), 7_200_000);
  assert.equal(ranges.chooseStep(span(3_650 * 86_400), 150) % 86_400_000, 0);
});

test('titles are short', () => {
  assert.equal(ranges.describeRange(ranges.defaultRange, true), 'Last 15 minutes');
  assert.equal(ranges.describeRange(ranges.lastMillis(90_000), true), 'Last 1\u202fmin 30\u202fs');
  const fixed = ranges.fixedRange(now, now + 60_000);
  assert.equal(ranges.describeRange(fixed, true), '2026-11-21 10:00:00 to 10:01:00');
});

test('a range that ends now is refreshed when it has moved by a pixel, at most every 30 seconds', () => {
  const hour = 3_600_000;
  const seconds = [0.25, 1, 12, 13, 24, 48, 168].map((hours) =>
    ranges.chooseRefreshSeconds({ from: 0, to: hours * hour }),
  );
  assert.deepEqual(seconds, [30, 30, 30, 60, 60, 300, 300]);
});
