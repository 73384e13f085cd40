import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOwnedBuffer, transferList } from '../base/owned.ts';
import { placeUploads } from './place-uploads.ts';
import type { SeriesUpload } from './upload-reader.ts';
import { UploadSlots } from './upload-slots.ts';

function makeUpload(profile: Uint8Array): SeriesUpload {
  return {
    series: { name: 'a', labels: [] },
    profile,
    keepSampleTypes: [],
    receivedNanos: 0n,
    timeNanos: undefined,
    areFileAddresses: false,
    samplesMax: 0,
    contentBytesMax: 0,
  };
}

test('uploads without a slot share one buffer', () => {
  const slots = new UploadSlots();
  const uploads = Array.from({ length: 1_000 }, (_, i) =>
    makeUpload(new Uint8Array(1 + (i % 5)).fill(i)),
  );
  const placed = placeUploads(uploads, slots, new Set());
  const sent = placed.flatMap(({ profile }) => (profile instanceof Uint8Array ? [profile] : []));
  assert.ok(sent.length > 900 && sent.length < 1_000, `${sent.length} without a slot`);
  assert.equal(transferList(sent).length, 1);
  const memory = new Uint8Array(slots.memory);
  for (const [i, { profile }] of placed.entries()) {
    const bytes =
      profile instanceof Uint8Array
        ? profile
        : memory.subarray(profile.offset, profile.offset + profile.length);
    assert.deepEqual([...bytes], [...uploads[i].profile]);
  }
});

test('a profile in memory of its own is not copied', () => {
  const own = new Uint8Array(createOwnedBuffer(300_000));
  const other = new Uint8Array(createOwnedBuffer(300_000));
  const uploads = [makeUpload(own), makeUpload(other)];
  const [first, second] = placeUploads(uploads, new UploadSlots(), new Set([own]));
  assert.equal(first.profile, own);
  assert.notEqual(second.profile, other);
});
