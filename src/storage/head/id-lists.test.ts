// Compares lists of ids with plain sets: from one id to many thousands, added in order and out of
// order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seededRandom } from '../../base/random.ts';
import { IdLists } from './id-lists.ts';

const ascending = (ids: Iterable<number>): number[] => [...ids].sort((a, b) => a - b);

test('lists hold what was added, once and ascending', () => {
  const random = seededRandom(2);
  const lists = new IdLists();
  const want: Set<number>[] = [];
  for (let list = 0; list < 300; list += 1) {
    assert.equal(lists.create(), list);
    want.push(new Set());
  }
  for (let step = 0; step < 60_000; step += 1) {
    const list = Math.min(randomBelow(random, 300), randomBelow(random, 300));
    const id = random.uint32() % 2 === 0 ? step : randomBelow(random, 60_000);
    assert.equal(lists.has(list, id), want[list].has(id));
    assert.equal(lists.add(list, id), !want[list].has(id));
    want[list].add(id);
  }
  for (const [list, ids] of want.entries()) {
    assert.deepEqual([...lists.view(list)], ascending(ids));
    assert.equal(lists.count(list), ids.size);
    const target = new Uint32Array(ids.size + 1);
    assert.equal(lists.copyTo(list, target, 1), ids.size);
    assert.deepEqual([...target.subarray(1)], ascending(ids));
  }
});

test('long lists move little by little, also when ids come out of order meanwhile', () => {
  const random = seededRandom(3);
  const lists = new IdLists();
  const list = lists.create();
  const want = new Set<number>();
  for (let i = 0; want.size < 60_000; i += 1) {
    const id = i % 50 === 0 ? randomBelow(random, i * 2 + 1) : i * 2;
    assert.equal(lists.add(list, id), !want.has(id));
    want.add(id);
    if (i % 5_000 === 0) assert.deepEqual([...lists.view(list)], ascending(want));
  }
  assert.deepEqual([...lists.view(list)], ascending(want));
  assert.ok(lists.usedBytes < 60_000 * 4 * 2.5, `${lists.usedBytes} bytes`);
});

test('a list of one id takes 4 bytes', () => {
  const lists = new IdLists();
  const count = 1 << 18;
  for (let id = 0; id < count; id += 1) lists.add(lists.create(), id);
  assert.ok(lists.usedBytes < 4 * count + 1_000, `${lists.usedBytes} bytes`);
  assert.deepEqual([...lists.view(77_777)], [77_777]);
});
