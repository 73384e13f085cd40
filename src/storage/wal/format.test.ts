// Tests that a record can be completed in one step and in several steps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteWriter } from '../../base/bytes.ts';
import { crc32c } from '../../base/crc32c.ts';
import {
  beginRecord,
  endRecord,
  endRecordInSteps,
  recordHeaderBytes,
  recordType,
} from './format.ts';

const salt = 77;

for (const length of [0, 1, 512 * 1024, 512 * 1024 + 1, 3_000_001]) {
  test(`a record of ${length} bytes has one checksum, at once and in steps`, () => {
    const payload = Uint8Array.from({ length }, (_, i) => (i * 31) ^ (i >>> 8));
    const write = (): [ByteWriter, number] => {
      const writer = new ByteWriter(64);
      writer.raw(Uint8Array.of(1, 2, 3));
      const start = beginRecord(writer);
      writer.raw(payload);
      return [writer, start];
    };
    const [once, start] = write();
    endRecord(once, start, recordType.profiles, true, salt);
    const [sliced] = write();
    let steps = 0;
    const ending = endRecordInSteps(sliced, start, recordType.profiles, true, salt);
    for (const _ of ending ?? []) steps += 1;
    const end = start + recordHeaderBytes + length;
    assert.deepEqual(sliced.bytes.subarray(0, end), once.bytes.subarray(0, end));
    const view = new DataView(once.bytes.buffer, once.bytes.byteOffset);
    assert.equal(view.getUint32(start + 12, true), crc32c(payload, 0, length, salt));
    // A step checksums at most half a megabyte: 16 MB in one step blocked the event loop for 70 ms
    // on a busy core.
    assert.equal(steps, Math.max(0, Math.ceil(length / (512 * 1024)) - 1));
  });
}
