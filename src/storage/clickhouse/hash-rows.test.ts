// Tests HashRows with equal prefixes, zeros, and lists with repeated hashes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HashRows, unknownHashes } from './hash-rows.ts';

/**
 * Returns hashes, each of which differs from the previous hash in one word. The first hash is all
 * zeros.
 */
function makeHashes(count: number): Uint8Array {
  const words = new Uint32Array(4 * count);
  for (let i = 1; i < count; i += 1) words[4 * i + (i % 4)] = i;
  return new Uint8Array(words.buffer);
}

test('each hash has its row, however alike hashes are', () => {
  const count = 3_000;
  const bytes = makeHashes(count);
  const table = new HashRows();
  for (let i = 1; i < count; i += 1) {
    assert.ok(!table.has(bytes, 16 * i));
    table.add(bytes, 16 * i, i + 5);
  }
  for (let i = 1; i < count; i += 1) assert.equal(table.find(bytes, 16 * i), i + 5);
  assert.equal(table.find(bytes, 0), 0);
  assert.ok(table.has(bytes, 0), 'zeros stand for none');
});

test('a list tells what is unknown, each once and never zeros', () => {
  const bytes = makeHashes(5);
  const known = new HashRows();
  known.add(bytes, 32, 1);
  const places = [0, 16, 32, 48, 16, 48];
  assert.deepEqual(unknownHashes({ bytes, places }, known), { bytes, places: [16, 48] });
});
