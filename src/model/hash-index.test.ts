// Compares the index with a Map, during growth and afterwards, also with hashes that collide.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seededRandom } from '../base/random.ts';
import { HashIndex } from './hash-index.ts';

/** A set of 32-bit keys; the caller passes the hash of a key. */
class KeySet {
  readonly index: HashIndex;
  readonly #keys = [0];
  readonly #hashOf: (key: number) => number;

  constructor(capacity: number, hashOf: (key: number) => number, keepsHashes = true) {
    const hashOfRow = (row: number): number => hashOf(this.#keys[row]);
    this.index = keepsHashes ? new HashIndex(capacity) : new HashIndex(capacity, hashOfRow);
    this.#hashOf = hashOf;
  }

  /** Returns the row of a key; `add` inserts a new one. */
  row(key: number, add: boolean): number {
    const hash = this.#hashOf(key);
    const { slots, mask } = this.index.at(hash);
    let slot = hash & mask;
    for (let row = slots[slot]; row !== 0; row = slots[slot]) {
      if (this.#keys[row] === key) return row;
      slot = (slot + 1) & mask;
    }
    if (!add) return 0;
    const row = this.#keys.push(key) - 1;
    this.index.insert(slot, hash, row);
    return row;
  }
}

const hashes: Readonly<Record<string, (key: number) => number>> = {
  spread: (key) => Math.imul(key, 0x9e3779b1),
  // The hashes make long clusters of used slots that wrap around the end.
  clustered: (key) => -(key & 1023) - ((key & 7) << 15),
  ascending: (key) => key,
};

for (const [name, hashOf] of Object.entries(hashes)) {
  test(`every row is found at every moment: ${name}`, () => {
    const random = seededRandom(3);
    const set = new KeySet(32_768, hashOf, name !== 'spread');
    const want = new Map<number, number>();
    const count = name === 'clustered' ? 18_000 : 40_000;
    for (let i = 0; i < count; i += 1) {
      const key = randomBelow(random, 1 << 20);
      const known = want.get(key);
      const row = set.row(key, true);
      if (known === undefined) want.set(key, row);
      else assert.equal(row, known);
      const other = randomBelow(random, 1 << 20);
      assert.equal(set.row(other, false), want.get(other) ?? 0);
      // All rows are checked, while the index grows and at other times.
      if (i % 4_099 !== 0) continue;
      for (const [wanted, wantedRow] of want) assert.equal(set.row(wanted, false), wantedRow);
    }
    for (const [key, row] of want) assert.equal(set.row(key, false), row);
  });
}

test('a full turn of growing leaves one set of slots', () => {
  const set = new KeySet(32_768, (key) => Math.imul(key, 0x9e3779b1));
  for (let key = 1; key <= 16_384; key += 1) set.row(key, true);
  assert.equal(set.index.usedBytes, 8 * 32_768);
  set.row(16_385, true);
  assert.equal(set.index.usedBytes, 8 * (32_768 + 65_536));
  for (let key = 16_386; key <= 16_385 + 32_768 / 32; key += 1) set.row(key, true);
  assert.equal(set.index.usedBytes, 8 * 65_536);
});

test('an index that hashes rows again hashes few of them in one insert', () => {
  let hashed = 0;
  const hashOf = (row: number): number => Math.imul(row, 0x9e3779b1);
  const index = new HashIndex(64, (row) => {
    hashed += 1;
    return hashOf(row);
  });
  let most = 0;
  for (let row = 1; row < 20_000; row += 1) {
    const before = hashed;
    const { slots, mask } = index.at(hashOf(row));
    let slot = hashOf(row) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    index.insert(slot, hashOf(row), row);
    most = Math.max(most, hashed - before);
  }
  assert.ok(hashed > 0);
  // A row may be a string of 4 KB: hashing 8,192 such rows took 40 ms.
  assert.ok(most <= 256, `${most} rows`);
});
