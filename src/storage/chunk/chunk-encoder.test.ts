import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChunkInput } from './chunk-data.ts';
import { createEncoderThread } from './chunk-encoder.ts';
import { encodeChunk } from './encode-chunk.ts';

test('a thread encodes what is encoded here, from shared and from own memory', async () => {
  const encoder = createEncoderThread();
  try {
    for (const create of [ownMemory, sharedMemory]) {
      const input = makeInput(3_000, create);
      assert.deepEqual(await encoder.encode(input), encodeChunk(input));
      assert.equal(input.stacks.length, 3_000, 'the input is still here');
    }
  } finally {
    await encoder.close();
  }
});

test('a failure is told, and does not end the encoder', async () => {
  const encoder = createEncoderThread();
  try {
    const broken = { ...makeInput(4, ownMemory), values: [] };
    await assert.rejects(encoder.encode(broken), /cannot encode profiles: .*value column/);
    const input = makeInput(4, ownMemory);
    assert.deepEqual(await encoder.encode(input), encodeChunk(input));
  } finally {
    await encoder.close();
  }
});

test('a chunk that is being encoded fails when the encoder is closed, and later ones too', async () => {
  const encoder = createEncoderThread();
  const first = assert.rejects(encoder.encode(makeInput(4, ownMemory)), { code: 'unavailable' });
  await encoder.close();
  await first;
  await assert.rejects(encoder.encode(makeInput(4, ownMemory)), { code: 'unavailable' });
});

function ownMemory(bytes: number): ArrayBuffer {
  return new ArrayBuffer(bytes);
}

function sharedMemory(bytes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(bytes);
}

/** Returns two profiles, in arrays that are longer than their rows. */
function makeInput(rows: number, create: (bytes: number) => ArrayBufferLike): ChunkInput {
  const numbers = (value: (i: number) => number): Uint32Array =>
    new Uint32Array(create(8 * rows)).map((_, i) => value(i)).subarray(0, rows);
  const values = new BigInt64Array(create(16 * rows)).map((_, i) => BigInt((i * 7_919) % 1_000));
  return {
    profileCount: 2,
    timeNanos: BigInt64Array.of(5n, 9n, 0n),
    durationNanos: BigInt64Array.of(1n, 1n, 0n),
    period: BigInt64Array.of(1n, 1n, 0n),
    contentHash: Uint32Array.of(7, 8, 0),
    rowStart: Uint32Array.of(0, rows / 2, rows),
    stacks: numbers((i) => 1 + ((i * 31) % rows)),
    sampleLabels: numbers((i) => i % 3),
    values: [values.subarray(0, rows)],
  };
}
