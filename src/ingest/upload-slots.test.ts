// Tests of the slots of shared memory that hold uploads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeSlotBytes, decodeSlotsMax } from './limits.ts';
import { UploadSlots } from './upload-slots.ts';

test('uploads do not overlap until they are released; without a free slot an upload is refused', () => {
  const slots = new UploadSlots();
  const uploads = Array.from({ length: decodeSlotsMax }, (_, i) => new Uint8Array(i + 1).fill(i));
  const places = uploads.map((upload) => slots.put(upload));
  for (const [i, place] of places.entries()) {
    assert.ok(place);
    assert.deepEqual(new Uint8Array(slots.memory, place.offset, place.length), uploads[i]);
  }
  const more = Uint8Array.of(7, 8);
  assert.equal(slots.put(more), undefined);
  const [, second] = places;
  assert.ok(second);
  slots.release(second);
  assert.deepEqual(slots.put(more), { offset: second.offset, length: 2 });
  assert.equal(slots.put(more), undefined);
});

test('an upload larger than a slot is refused', () => {
  const slots = new UploadSlots();
  assert.equal(slots.put(new Uint8Array(decodeSlotBytes + 1)), undefined);
  assert.equal(slots.put(new Uint8Array(decodeSlotBytes))?.length, decodeSlotBytes);
});
