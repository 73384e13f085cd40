// Compares the profiles of many streams with plain arrays, while readers are active. Some profiles
// arrive late.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seededRandom } from '../../base/random.ts';
import { StreamProfiles, type ProfileSpan } from './stream-profiles.ts';

interface Short {
  readonly time: bigint;
  readonly hash: number;
}

/** Adds a profile whose columns are all derived from its hash. */
function push(
  profiles: StreamProfiles,
  ref: number,
  valueColumns: number,
  { time, hash }: Short,
): void {
  profiles.push(ref, valueColumns, {
    timeNanos: time,
    durationNanos: BigInt(-hash),
    period: BigInt(hash) << 32n,
    contentHash: BigInt(hash) + (7n << 32n),
    runSegment: hash + 1,
    runOffset: hash + 2,
    runRows: hash + 3,
    isLabelled: hash % 2 === 1,
    totals: Array.from({ length: valueColumns }, (_, valueColumn) =>
      BigInt(hash * (valueColumn + 1)),
    ),
    counts: Array.from({ length: valueColumns }, (_, valueColumn) => hash + valueColumn),
  });
}

function shorten({ columns, first, end }: ProfileSpan): Short[] {
  const found: Short[] = [];
  for (let row = first; row < end; row += 1) {
    const hash = columns.contentHash[row];
    const { total, count } = columns;
    const rest = [columns.runSegment[row], columns.runOffset[row], columns.runRows[row]];
    assert.deepEqual(rest, [hash + 1, hash + 2, hash + 3]);
    assert.deepEqual(
      [columns.durationNanos[row], columns.period[row]],
      [BigInt(-hash), BigInt(hash) << 32n],
    );
    assert.equal(columns.runLabelled[row], hash % 2);
    for (let valueColumn = 0; valueColumn < total.length; valueColumn += 1) {
      assert.deepEqual(
        [total[valueColumn][row], count[valueColumn][row]],
        [BigInt(hash * (valueColumn + 1)), hash + valueColumn],
      );
    }
    found.push({ time: columns.timeNanos[row], hash });
  }
  return found;
}

const byTime = (a: Short, b: Short): number => Number(a.time - b.time);
const whole = { from: -(2n ** 63n), to: 2n ** 63n - 1n };

test('every stream has its profiles in order of time, whatever came when', () => {
  const random = seededRandom(9);
  const profiles = new StreamProfiles();
  const countColumns = (ref: number): number => 1 + (ref % 3);
  const want: Short[][] = Array.from({ length: 40 }, (_, ref) => {
    profiles.addStream(ref);
    return [];
  });
  /** Readers, each with the profiles that it saw when it began. */
  const readers: { unpin: () => void; span: ProfileSpan; seen: Short[] }[] = [];
  for (let step = 1; step < 30_000; step += 1) {
    const ref = Math.min(randomBelow(random, 40), randomBelow(random, 40));
    const isLate = random.uint32() % 10 === 0;
    const time = BigInt(isLate ? randomBelow(random, step) : step >> 2);
    push(profiles, ref, countColumns(ref), { time, hash: step });
    want[ref].push({ time, hash: step });
    assert.equal(profiles.has(ref, countColumns(ref), time, BigInt(step)), true);
    assert.equal(profiles.has(ref, countColumns(ref), time, BigInt(step + 1)), false);
    if (step % 97 !== 0) continue;
    const unpin = profiles.pin();
    const span = profiles.spanIn(ref, countColumns(ref), whole);
    assert.ok(span);
    const seen = shorten(span);
    assert.deepEqual(seen, want[ref].toSorted(byTime));
    readers.push({ unpin, span, seen });
    while (readers.length > randomBelow(random, 12)) {
      const [reader] = readers.splice(randomBelow(random, readers.length), 1);
      assert.deepEqual(shorten(reader.span), reader.seen);
      reader.unpin();
    }
  }
  for (const { span, seen } of readers) assert.deepEqual(shorten(span), seen);
  for (const [ref, all] of want.entries()) {
    const range = { from: 1_000n, to: 5_000n };
    const span = profiles.spanIn(ref, countColumns(ref), range);
    const inRange = all.filter(({ time }) => time >= range.from && time <= range.to);
    assert.deepEqual(span === undefined ? [] : shorten(span), inRange.toSorted(byTime));
  }
});

test('memory of streams that moved is used again', () => {
  const profiles = new StreamProfiles();
  const streams = 2_000;
  for (let ref = 0; ref < streams; ref += 1) profiles.addStream(ref);
  for (let round = 0; round < 32; round += 1) {
    for (let ref = 0; ref < streams; ref += 1) {
      push(profiles, ref, 1, { time: BigInt(round), hash: ref });
    }
  }
  // A profile takes 54 bytes. All extents of the streams are full, and the memory of extents that
  // they have left is reused.
  const perProfile = profiles.usedBytes / (32 * streams);
  assert.ok(perProfile < 54 * 1.6, `${perProfile} bytes`);
});
