// Tests of the stack hash: it depends on order, depth and seed, and stored hashes never change.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashStacks, premixLocations } from './stack-hash.ts';

function hashStack(stack: readonly number[], seedLow = 1, seedHigh = 2): string {
  const locations = Int32Array.from(stack);
  const low = new Int32Array(stack.length);
  const high = new Int32Array(stack.length);
  premixLocations(locations, stack.length, seedLow, seedHigh, low, high);
  const frames = locations.map((_, i) => i);
  const hashLow = new Int32Array(1);
  const hashHigh = new Int32Array(1);
  hashStacks(frames, Uint32Array.of(0, stack.length), 1, low, high, hashLow, hashHigh);
  return `${hashLow[0]} ${hashHigh[0]}`;
}

test('hashes are part of the stored format', () => {
  assert.equal(hashStack([1, 2, 3]), '503137035 50138197');
});

test('every small stack has a hash of its own', () => {
  const seen = new Map<string, string>();
  let lowHalves = 0;
  const lows = new Set<string>();
  for (let depth = 1; depth <= 6; depth += 1) {
    for (let code = 0; code < 7 ** depth && code < 20_000; code += 1) {
      const stack = Array.from({ length: depth }, (_, i) => 1 + (Math.floor(code / 7 ** i) % 7));
      const hash = hashStack(stack);
      assert.equal(seen.get(hash), undefined, `${stack.join()} and ${seen.get(hash)}`);
      seen.set(hash, stack.join());
      lows.add(hash.split(' ')[0]);
      lowHalves += 1;
    }
  }
  // Each half alone also has few collisions: 0.2 are expected for 40,000 values in 2^32.
  assert.ok(lowHalves - lows.size < 5, `${lowHalves - lows.size} collisions in the low half`);
});

test('the seed decides the hash', () => {
  assert.notEqual(hashStack([1, 2, 3], 5, 2), hashStack([1, 2, 3], 1, 2));
  assert.notEqual(hashStack([1, 2, 3], 1, 5), hashStack([1, 2, 3], 1, 2));
});
