// Tests of retention: it removes only the blocks that it must, a limited number in each pass, and
// is not misled by clocks that jump.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bytesForRetention,
  foreseeRetention,
  planRetention,
  TrustedClock,
  type RetainedBlock,
  type RetentionLimits,
  type RetentionState,
} from './retention.ts';

const day = 86_400_000_000_000n;
const none: RetentionLimits = { timeNanos: 0n, sizeBytes: 0 };

/** Ten blocks, each with the profiles of a day and a size of 100 bytes. */
const blocks: readonly RetainedBlock[] = Array.from({ length: 10 }, (_, i) => ({
  id: `b${i}`,
  range: { from: BigInt(i) * day, to: BigInt(i + 1) * day - 1n },
  fileBytes: 100,
}));

function check(
  limits: Partial<RetentionLimits>,
  state: Partial<RetentionState>,
  want: readonly string[],
): void {
  const removals = planRetention(
    { ...none, ...limits },
    { blocks, usedBytes: 1000, trustedNanos: 10n * day, busy: new Set(), ...state },
  );
  assert.deepEqual(
    removals.map(({ id, reason }) => `${id} ${reason}`),
    want,
  );
}

test('by time a block goes when its last profile is too old, and not a nanosecond before', () => {
  check({ timeNanos: 9n * day + 1n }, {}, []);
  check({ timeNanos: 9n * day }, {}, ['b0 time']);
  check({ timeNanos: 9n * day }, { trustedNanos: undefined }, []);
  check({}, {}, []);
});

test('by time a fifth goes in one pass, and always one', () => {
  check({ timeNanos: 1n }, {}, ['b0 time', 'b1 time']);
  check({ timeNanos: 1n }, { blocks: blocks.slice(0, 3) }, ['b0 time']);
});

test('by size as many go as must, and not one more', () => {
  check({ sizeBytes: 1000 }, {}, []);
  check({ sizeBytes: 999 }, {}, ['b0 size']);
  check({ sizeBytes: 600 }, {}, ['b0 size', 'b1 size', 'b2 size', 'b3 size']);
  check({ sizeBytes: 1 }, { blocks: blocks.slice(8), usedBytes: 5000 }, ['b8 size', 'b9 size']);
});

test('removals by time make room, and size goes on where time stops', () => {
  check({ timeNanos: 1n, sizeBytes: 700 }, {}, ['b0 time', 'b1 time', 'b2 size']);
});

test('a forecast has the removals of all passes', () => {
  const state = { blocks, usedBytes: 1000, trustedNanos: 10n * day, busy: new Set<string>() };
  const foreseen = foreseeRetention({ timeNanos: 7n * day, sizeBytes: 500 }, state);
  assert.deepEqual(
    foreseen.map(({ id, reason }) => `${id} ${reason}`),
    ['b0 time', 'b1 time', 'b2 time', 'b3 size', 'b4 size'],
  );
});

test('a block that is worked on waits, and so do younger ones', () => {
  check({ sizeBytes: 600 }, { busy: new Set(['b1']) }, ['b0 size']);
});

const minute = 60_000;

/**
 * Checks the clock once a minute. Returns the minutes until it is trusted, or -1 if it never is.
 */
function minutesUntilTrust(clock: TrustedClock, wall: number, monotonic: number): number {
  for (let i = 0; i <= 30; i += 1) {
    const trusted = clock.sight(wall + i * minute, monotonic + i * minute);
    if (trusted === undefined) continue;
    assert.equal(trusted, BigInt(wall + i * minute) * 1_000_000n);
    return i;
  }
  return -1;
}

test('a clock is believed ten minutes after the start, and after each jump', () => {
  const jump = 400 * 86_400_000;
  const clock = new TrustedClock();
  let wall = 1e12;
  let monotonic = 5;
  assert.equal(minutesUntilTrust(clock, wall, monotonic), 10);
  for (const by of [jump, -jump, -jump, 2 * minute, -2 * minute]) {
    monotonic += 11 * minute;
    wall += 11 * minute + by;
    assert.equal(minutesUntilTrust(clock, wall, monotonic), 10);
  }
});

test('a jump that is taken back within ten minutes deletes nothing', () => {
  const clock = new TrustedClock();
  minutesUntilTrust(clock, 1e12, 0);
  for (let at = 11; at < 20; at += 1) {
    assert.equal(clock.sight(1e12 + 4e10 + at * minute, at * minute), undefined);
  }
  assert.equal(minutesUntilTrust(clock, 1e12 + 20 * minute, 20 * minute), 10);
});

test('a clock that is slewed stays believed', () => {
  const clock = new TrustedClock();
  minutesUntilTrust(clock, 1e12, 0);
  for (let at = 11; at < 500; at += 1) {
    assert.notEqual(clock.sight(1e12 + at * (minute + 500), at * minute), undefined);
  }
});

test('others than profiles count up to half of the limit', () => {
  const use = {
    profileBytes: 700,
    otherFolders: new Map([
      ['debuginfo', 300],
      ['', 10],
    ]),
  };
  assert.equal(bytesForRetention({ sizeBytes: 1_000 }, use), 1_010);
  assert.equal(bytesForRetention({ sizeBytes: 500 }, use), 950);
});
