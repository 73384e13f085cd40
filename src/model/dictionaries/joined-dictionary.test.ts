import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestStore } from '../../query/testing/test-store.ts';
import { JoinedDictionaries } from './joined-dictionary.ts';

function makeStore(...stacks: readonly string[]): TestStore {
  const store = new TestStore();
  for (const stack of stacks) {
    const locations = stack.split(';').map((name) => {
      return store.addLocation({ address: 0, lines: [{ name }] });
    });
    store.addStack(locations);
  }
  return store;
}

const rows = (...stacks: number[]) => ({
  stacks: Uint32Array.from(stacks),
  values: BigInt64Array.from(stacks, BigInt),
});

test('equal stacks of different parts become one in the joined dictionary, on every call', () => {
  const a = makeStore('main', 'main;work', 'idle').dictionary;
  const b = makeStore('other', 'main;work', 'main').dictionary;
  const view = new JoinedDictionaries().current(a);
  const ofA = view.translate(a, rows(1, 2, 3));
  const ofB = view.translate(b, rows(1, 2, 3));
  assert.deepEqual([ofB.stacks[2], ofB.stacks[1]], [ofA.stacks[0], ofA.stacks[1]]);
  assert.equal(new Set([...ofA.stacks, ...ofB.stacks]).size, 4);
  assert.deepEqual(
    view.translate(a, rows(3, 1)).stacks,
    ofA.stacks.filter((_, i) => i !== 1).reverse(),
  );
  assert.deepEqual(view.translate(a, rows(0, 2)).values, new BigInt64Array([0n, 2n]));
});

const budget = { hold: (): void => undefined };

test('the question that brings new stacks holds their memory, and ends without it', async () => {
  const names = Array.from({ length: 1_000 }, (_, i) => `main;f${i % 30};g${i}`);
  const { dictionary } = makeStore(...names);
  const all = Array.from({ length: 1_000 }, (_, i) => i + 1);
  const joined = new JoinedDictionaries();
  const held = { bytes: 0 };
  const hold = (bytes: number): void => {
    if (held.bytes + bytes > 50_000) throw new Error('no memory is left');
    held.bytes += bytes;
  };
  const context = { pause: () => undefined, budget: { hold } };
  const view = joined.current(dictionary);
  await assert.rejects(view.translatePausing(dictionary, rows(...all), context), /no memory/);
  const { stacks } = view.dictionary;
  assert.ok(stacks.length > 100 && stacks.length < 600, String(stacks.length));
  // Other queries are charged only for the rows that they add.
  held.bytes = 0;
  const few = rows(...all.slice(0, 100));
  await view.translatePausing(dictionary, few, context);
  assert.equal(held.bytes, 0);
});

test('many stacks are translated in slices, while others use the dictionary', async () => {
  const count = 1_000;
  const names = Array.from({ length: count }, (_, i) => `main;f${i % 30};g${i}`);
  const [a, b] = [makeStore(...names).dictionary, makeStore(...names.toReversed()).dictionary];
  const joined = new JoinedDictionaries();
  const view = joined.current(a);
  const all = Array.from({ length: count }, (_, i) => i + 1);
  let pauses = 0;
  const pause = async (): Promise<void> => {
    pauses += 1;
    // Another query translates stacks that the first query has already translated, in a different
    // order.
    view.translate(b, rows(...all.slice(0, pauses * 100)));
  };
  const ofA = await view.translatePausing(a, rows(...all), { pause, budget });
  assert.ok(pauses >= 5);
  assert.deepEqual(ofA.values, BigInt64Array.from(all, BigInt));
  const ofB = view.translate(b, rows(...all));
  assert.deepEqual(ofA.stacks, ofB.stacks.toReversed());
  assert.equal(new Set(ofA.stacks).size, count);
  assert.deepEqual(view.translate(a, rows(...all)), ofA);
  await assert.rejects(
    view.translatePausing(makeStore('x').dictionary, rows(1), {
      pause: () => Promise.reject(new Error('end')),
      budget,
    }),
    /end/,
  );
  const never = (): undefined => assert.fail('known stacks take no time');
  assert.deepEqual(await view.translatePausing(a, rows(...all), { pause: never, budget }), ofA);
});

test('a joined dictionary past its limit is kept by its current users only', () => {
  const { dictionary } = makeStore('main', 'main;work');
  const joined = new JoinedDictionaries(500);
  const first = joined.current(dictionary);
  assert.equal(joined.current(dictionary), first);
  first.translate(dictionary, rows(1, 2));
  const second = joined.current(dictionary);
  assert.notEqual(second, first);
  assert.deepEqual(first.translate(dictionary, rows(1, 2)).stacks, new Uint32Array([1, 2]));
  assert.deepEqual(second.translate(dictionary, rows(2)).stacks, new Uint32Array([1]));
});
