import assert from 'node:assert/strict';
import { test } from 'node:test';
import { google } from '../../../proto/gen/pyroscope.js';
import { PprofWriter, type WrittenLabel } from './writer.ts';
import { subtractEarlier } from './subtract.ts';

const framesMax = 10;

const sampleTypes = [
  { type: 'alloc_space', unit: 'bytes' },
  { type: 'inuse_space', unit: 'bytes' },
];
const counters = ['alloc_space'];
type Row = readonly [stack: string, allocated: bigint, inUse: bigint, size?: bigint];

/**
 * Writes a heap profile. The strings in `before` come first and shift the rows of its tables, so
 * that the rows differ from those of another profile.
 */
function write(rows: readonly Row[], types = sampleTypes, before: string[] = []): Uint8Array {
  const writer = new PprofWriter();
  for (const name of before) writer.frame({ name });
  for (const [stack, allocated, inUse, size] of rows) {
    const frames = stack.split(';').map((name) => writer.frame({ name, line: 3 }));
    const labels: WrittenLabel[] = size === undefined ? [] : [['bytes', size]];
    const values = types.map(({ type }) => (type === 'alloc_space' ? allocated : inUse));
    writer.sample(frames.toReversed(), values, labels);
  }
  return writer.finish({ sampleTypes: types, timeNanos: 5n, durationNanos: 7n });
}

function read(message: Uint8Array): string[] {
  return google.v1.Profile.decode(message).sample.map(({ value }) => value.join(' '));
}

test('counters are what was added to each stack, and states are what they were', () => {
  const earlier = write([
    ['main;serve', 100n, 10n, 16n],
    ['main;serve', 7n, 7n, 32n],
    ['main;gone', 5n, 0n],
  ]);
  const now = write(
    [
      ['main;work', 30n, 30n],
      ['main;serve', 140n, 20n, 16n],
      ['main;serve', 7n, 7n, 32n],
    ],
    sampleTypes,
    ['other', 'gone'],
  );
  const changed = subtractEarlier(now, { content: earlier, counters }, framesMax);
  assert.deepEqual(read(changed), ['30 30', '40 20', '0 7']);
  const { timeNanos, durationNanos } = google.v1.Profile.decode(changed);
  assert.deepEqual([Number(timeNanos), Number(durationNanos)], [5, 7]);
  assert.deepEqual(read(subtractEarlier(now, { content: now, counters }, framesMax)), [
    '0 30',
    '0 20',
    '0 7',
  ]);
});

test('rows of one stack share what it had, types are found by name, none becomes negative', () => {
  const twice = write([
    ['a', 6n, 1n],
    ['a', 6n, 1n],
  ]);
  const once = write([['a', 8n, 1n]], sampleTypes.toReversed());
  const changed = subtractEarlier(twice, { content: once, counters }, framesMax);
  assert.deepEqual(read(changed), ['0 1', '4 1']);
  const less = write([['a', 2n, 1n]]);
  assert.deepEqual(read(subtractEarlier(less, { content: once, counters }, framesMax)), ['0 1']);
  const without = write([['a', 8n, 1n]], [{ type: 'inuse_space', unit: 'bytes' }]);
  assert.deepEqual(read(subtractEarlier(twice, { content: without, counters }, framesMax)), [
    '6 1',
    '6 1',
  ]);
});

test('an earlier profile that is wrong, and one with too many frames, are refused', () => {
  const content = Uint8Array.of(0xff);
  assert.throws(
    () => subtractEarlier(write([]), { content, counters }, framesMax),
    /failed to parse profile/,
  );
  const deep = write([[Array(11).fill('a').join(';'), 1n, 1n]]);
  assert.throws(() => subtractEarlier(deep, { content: deep, counters }, framesMax), {
    code: 'resource-exhausted',
    message: 'prev_profile: a profile has more than 10 frames',
  });
});
