// Tests of how the zoom trail fits into a line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrangeTrail } from './trail-steps.ts';

/** Returns the largest number of characters that an arrangement takes. */
function widthOf(length: number, room: number): number {
  const { last, hasFirst, hasReset, nameRoom } = arrangeTrail(length, room);
  const named = last + (hasFirst ? 1 : 0);
  return 5 + (hasReset ? 10 : 0) + (named < length ? 4 : 0) + named * (4 + nameRoom);
}

test('names have as much room as there is, and frames are left out before names are cut', () => {
  assert.deepEqual(arrangeTrail(2, 200), {
    last: 1,
    hasFirst: true,
    hasReset: true,
    nameRoom: 40,
  });
  assert.deepEqual(arrangeTrail(9, 100), {
    last: 3,
    hasFirst: true,
    hasReset: true,
    nameRoom: 16,
  });
  assert.deepEqual(arrangeTrail(9, 60), {
    last: 1,
    hasFirst: true,
    hasReset: true,
    nameRoom: 16,
  });
  assert.deepEqual(arrangeTrail(9, 30), {
    last: 1,
    hasFirst: false,
    hasReset: false,
    nameRoom: 17,
  });
});

test('everything fits at each width, from that of the smallest phone on', () => {
  for (let length = 1; length < 12; length += 1) {
    for (let room = 19; room < 400; room += 1) {
      assert.ok(widthOf(length, room) <= room, `${length} frames in ${room}`);
    }
  }
});

test('without a zoom nothing is named', () => {
  assert.deepEqual(arrangeTrail(0, 19).last, 0);
});
