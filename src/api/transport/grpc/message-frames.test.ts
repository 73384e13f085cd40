import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../base/errors.ts';
import { frameMessage, FrameReader } from './message-frames.ts';

test('frames come out whole, however the bytes are cut', () => {
  const messages = [[], [1], [2, 3, 4], Array.from({ length: 300 }, (_, i) => i % 256)];
  const stream = Buffer.concat(messages.map((message) => frameMessage(Uint8Array.from(message))));
  for (const size of [1, 2, 3, 5, 7, 64, stream.length]) {
    const reader = new FrameReader(1_000);
    const read: number[][] = [];
    for (let at = 0; at < stream.length; at += size) {
      reader.push(stream.subarray(at, at + size));
      for (let frame = reader.next(); frame; frame = reader.next()) read.push([...frame.bytes]);
    }
    assert.deepEqual(read, messages, `chunks of ${size}`);
    assert.equal(reader.isPartial, false);
  }
});

test('large frames are put together while they come, with small ones around them', async () => {
  const sizes = [5, 3_000_000, 0, 1_500_000, 2_100_000, 9];
  const messages = sizes.map((size, i) => Buffer.alloc(size, i + 1));
  const stream = Buffer.concat(messages.map((message) => frameMessage(message)));
  for (const size of [1_000, 16_384, 1_048_576, 2_900_003]) {
    const reader = new FrameReader(4_000_000);
    const read: Uint8Array[] = [];
    const copies: (Promise<void> | undefined)[] = [];
    for (let at = 0; at < stream.length; at += size) {
      reader.push(stream.subarray(at, at + size));
      for (let frame = reader.next(); frame; frame = reader.next()) {
        read.push(frame.bytes);
        copies.push(frame.copied);
        const isAll = frame.bytes.length + 5 === frame.bytes.buffer.byteLength;
        assert.equal(frame.isJoined && frame.bytes.length > 9, isAll && frame.bytes.length > 9);
      }
    }
    // Some frames are so long that the last turn could not copy all of their bytes.
    assert.ok(copies.some((copied) => copied !== undefined));
    for (const copied of copies) await copied;
    assert.deepEqual(read, messages, `chunks of ${size}`);
    assert.equal(reader.isPartial, false);
  }
});

test('a frame in one chunk is a view of it', () => {
  const chunk = frameMessage(new Uint8Array([7, 8]));
  const reader = new FrameReader(10);
  reader.push(chunk);
  assert.equal(reader.next()?.bytes.buffer, chunk.buffer);
});

test('a frame of several chunks says that its buffer has nothing else', () => {
  const large = frameMessage(new Uint8Array(100_000));
  const two = Buffer.concat([large, frameMessage(new Uint8Array(1))]);
  const check = (chunks: readonly Uint8Array[], want: readonly boolean[]) => {
    const reader = new FrameReader(200_000);
    const joined: boolean[] = [];
    for (const chunk of chunks) {
      reader.push(chunk);
      for (let frame = reader.next(); frame; frame = reader.next()) joined.push(frame.isJoined);
    }
    assert.deepEqual(joined, want);
  };
  check([large], [false]);
  check([large.subarray(0, 3), large.subarray(3)], [true]);
  check([large.subarray(0, 3), large.subarray(3, 99), large.subarray(99), large], [true, false]);
  check([two.subarray(0, 99), two.subarray(99)], [false, false]);
});

test('too long and strange frames are refused by their prefix', () => {
  const check = (prefix: number[], code: string) => {
    const reader = new FrameReader(10);
    reader.push(Uint8Array.from(prefix));
    assert.throws(
      () => reader.next(),
      (error) => error instanceof AppError && error.code === code,
    );
  };
  check([0, 0, 0, 0, 11], 'resource-exhausted');
  check([0, 0xff, 0xff, 0xff, 0xff], 'resource-exhausted');
  check([2, 0, 0, 0, 1], 'unimplemented');
});
