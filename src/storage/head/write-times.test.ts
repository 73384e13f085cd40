// Tests of the versions of time ranges: a version changes with the content of its range.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WriteTimes } from './write-times.ts';

const minute = 60_000_000_000n;

test('a range has a new version when something of it comes, late or not', () => {
  const times = new WriteTimes();
  const hour = { from: 100n * minute, to: 160n * minute };
  const version = (): number => times.version(hour);
  const start = version();
  times.add(200n * minute);
  times.add(90n * minute);
  assert.equal(version(), start);
  times.add(hour.from);
  const first = version();
  assert.ok(first > start);
  times.add(hour.to);
  assert.ok(version() > first);
});

test('times before the epoch, and all of time', () => {
  const times = new WriteTimes();
  const all = { from: -(2n ** 63n), to: 2n ** 63n - 1n };
  const before = { from: -10n * minute, to: -5n * minute };
  times.add(-7n * minute);
  assert.equal(times.version(before), 1);
  assert.equal(times.version(all), 1);
  assert.equal(times.version({ from: 0n, to: minute }), 0);
});

test('with too many times every write changes every range', () => {
  const times = new WriteTimes();
  for (let i = 0n; i < 10_000n; i += 1n) times.add(i * 10n * minute);
  const far = { from: -10n * minute, to: -5n * minute };
  const before = times.version(far);
  times.add(0n);
  assert.notEqual(times.version(far), before);
});
