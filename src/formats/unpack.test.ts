// Tests that decompression in the pool returns the same results and refuses the same files as on
// this thread.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { unpack, type UnpackOptions, unpackInPool } from './unpack.ts';

test('the pool decompresses what this thread does, and refuses it in the same words', async () => {
  const noise = Buffer.from(Array.from({ length: 40_000 }, (_, i) => (i * i * 7) % 251));
  const packed = gzipSync(noise);
  const inputs: readonly Uint8Array[] = [
    noise,
    packed,
    gzipSync(packed),
    gzipSync(gzipSync(gzipSync(packed))),
    Buffer.concat([packed, packed]),
    packed.subarray(0, packed.length - 9),
    Buffer.concat([packed.subarray(0, 20_000), Buffer.alloc(100), packed.subarray(20_100)]),
    gzipSync(Buffer.alloc(64 * 1024 * 1024)),
    gzipSync(Buffer.alloc(1_000)),
    gzipSync(zstdCompressSync(noise)),
    deflateSync(noise),
    zstdCompressSync(noise),
  ];
  const outcome = async (work: () => Uint8Array | Promise<Uint8Array>): Promise<unknown> => {
    try {
      return Buffer.from(await work()).toString('latin1');
    } catch (error) {
      assert.ok(error instanceof Error && 'code' in error);
      return [error.code, error.message];
    }
  };
  const options: readonly UnpackOptions[] = [
    { what: 'cannot read profile' },
    { what: 'cannot read profile', bytesMax: 20_000 },
    { what: 'cannot read profile', sentBytes: 100, layers: 1 },
  ];
  const seen = new Set<string>();
  for (const [i, input] of inputs.entries()) {
    for (const option of options) {
      const here = await outcome(() => unpack(input, option));
      assert.deepEqual(await outcome(() => unpackInPool(input, option)), here, `input ${i}`);
      seen.add(Array.isArray(here) ? String(here[0]) : 'content');
    }
  }
  assert.deepEqual([...seen].sort(), ['content', 'invalid-argument', 'resource-exhausted']);
});
