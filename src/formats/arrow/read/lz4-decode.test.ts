// Tests of the LZ4 decoder with frames of liblz4 and of our own, and with broken frames.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compressFrameSync } from 'lz4-napi';
import { AppError } from '../../../base/errors.ts';
import { randomBelow, seededRandom } from '../../../base/random.ts';
import { storeFrame } from '../lz4-frame.ts';
import { decodeLz4Frame } from './lz4-decode.ts';
import { xxh32 } from './xxh32.ts';

const random = seededRandom(1);

/** Returns bytes that repeat earlier bytes at many different distances. */
function someBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length;) {
    const count = Math.min(length - at, 1 + randomBelow(random, 300));
    if (at > 0 && randomBelow(random, 2) === 0) {
      const from = randomBelow(random, at);
      for (let i = 0; i < count; i += 1) bytes[at + i] = bytes[from + i];
    } else {
      for (let i = 0; i < count; i += 1) bytes[at + i] = randomBelow(random, 256);
    }
    at += count;
  }
  return bytes;
}

function decoded(frame: Uint8Array, length: number): Buffer {
  const output = Buffer.alloc(length);
  decodeLz4Frame(frame, output);
  return output;
}

test('frames of two encoders are read', () => {
  for (const length of [0, 1, 12, 13, 64, 1_000, 65_536, 65_537, 300_000]) {
    const bytes = someBytes(length);
    for (const encode of [compressFrameSync, storeFrame]) {
      assert.deepEqual(decoded(encode(bytes), length), bytes, `${encode.name} ${length}`);
    }
  }
  const zeros = Buffer.alloc(1_000_000);
  assert.deepEqual(decoded(compressFrameSync(zeros), zeros.length), zeros);
});

test('blocks that reach back into earlier ones, and all checksums, are read', () => {
  // Blocks as `lz4 -BD -BX --content-size` writes them: "abcd" uncompressed, then 8 bytes copied
  // from 4 bytes earlier.
  const content = Buffer.from('abcdabcdabcdwxyz!');
  const block = Buffer.of(0x04, 4, 0, 0x50, ...Buffer.from('wxyz!'));
  const header = Buffer.of(0x5c, 0x40, content.length, 0, 0, 0, 0, 0, 0, 0);
  const frame = Buffer.concat([
    Buffer.of(0x04, 0x22, 0x4d, 0x18),
    header,
    Buffer.of((xxh32(header) >>> 8) & 0xff),
    word(0x8000_0004),
    Buffer.from('abcd'),
    word(xxh32(Buffer.from('abcd'))),
    word(block.length),
    block,
    word(xxh32(block)),
    word(0),
    word(xxh32(content)),
  ]);
  assert.deepEqual(decoded(frame, content.length), content);
  for (let i = 0; i < frame.length; i += 1) {
    const broken = Buffer.from(frame);
    broken[i] ^= 1;
    assert.throws(
      () => decoded(broken, content.length),
      /^AppError: cannot read Arrow stream: an LZ4/,
    );
  }
});

test('checksums are those of xxHash', () => {
  // The values are from xxHash's own tables, or computed with python-xxhash.
  assert.equal(xxh32(Buffer.alloc(0)), 0x02cc_5d05);
  assert.equal(xxh32(Buffer.from('a')), 0x550d_7456);
  assert.equal(xxh32(Buffer.from('abc')), 0x32d1_53ff);
  assert.equal(xxh32(Buffer.from('Nobody inspects the spammish repetition')), 0xe229_3b2f);
});

test('a frame that is cut, or of another length, is refused', () => {
  const bytes = someBytes(500);
  const frame = compressFrameSync(bytes);
  for (let length = 0; length < frame.length; length += 1) {
    assert.throws(() => decoded(frame.subarray(0, length), 500), AppError, `${length} bytes`);
  }
  assert.throws(() => decoded(frame, 499), /more than the 499 bytes that it should/);
  assert.throws(() => decoded(frame, 501), /has 500 bytes, not the 501 that it should/);
  assert.throws(() => decoded(Buffer.concat([frame, frame]), 500), /bytes after its end/);
});

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
