// Tests of the dictionary's tables: identity, growth, and the derived trie of function names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dictionary } from './dictionary.ts';
import type { FunctionIndex, LocationIndex, MappingIndex, StringIndex } from './rows.ts';

const seed: readonly [number, number, number] = [1, 2, 3];
const noMapping = 0 as MappingIndex;

function location(
  dictionary: Dictionary,
  address: number,
  names: readonly string[],
): LocationIndex {
  const { locations, functions, strings } = dictionary;
  const known = locations.find(noMapping, address, 0, names.length);
  if (known !== 0) return known;
  const row = locations.add(noMapping, address, 0, names.length);
  for (const name of names) {
    const text = strings.internText(name);
    locations.addLine(functions.intern(text, text, 0 as StringIndex, 1), 7, 0);
  }
  return row;
}

test('strings: a missing string is not found, and not added', () => {
  const { strings } = new Dictionary(seed);
  const row = strings.internText('abc');
  const bytes = new TextEncoder().encode('xabcd');
  assert.equal(strings.find(bytes, 1, 4), row);
  assert.deepEqual([strings.find(bytes, 1, 5), strings.find(bytes, 0, 0)], [0, 0]);
  assert.equal(strings.length, 2);
});

test('a dictionary knows its approximate size', () => {
  const dictionary = new Dictionary(seed);
  const before = dictionary.usedBytes;
  for (let i = 1; i <= 10_000; i += 1) dictionary.strings.internText(`function number ${i}`);
  for (let i = 1; i <= 10_000; i += 1) dictionary.stacks.add(i, i, [i]);
  const perRow = (dictionary.usedBytes - before) / 10_000;
  // Each row takes a string of 21 bytes and its start, a node, a stack, and an entry in each of
  // three indexes, which are 1/4 to 1/2 full.
  assert.ok(perRow > 21 + 4 + 8 + 12 + 3 * 12 && perRow < 21 + 4 + 8 + 12 + 3 * 32, `${perRow}`);
});

test('strings: equal bytes get one row, also when the bytes lie elsewhere and after growth', () => {
  const { strings } = new Dictionary(seed);
  const rows = new Map<string, number>();
  for (let i = 0; i < 20_000; i += 1) rows.set(`name-${i}`, strings.internText(`name-${i}`));
  assert.equal(new Set(rows.values()).size, 20_000);
  for (const [text, row] of rows) {
    const shifted = new TextEncoder().encode(`xyz${text}`);
    assert.equal(strings.intern(shifted, 3, shifted.length), row);
    assert.equal(strings.text(row as StringIndex), text);
  }
  assert.equal(strings.internText(''), 0);
});

test('locations: mapping, both address halves and the lines hash tell locations apart', () => {
  const { locations } = new Dictionary(seed);
  const keys = [
    [0, 1, 0, 0],
    [0, 1, 1, 0],
    [0, 1, 0, 5],
    [1, 1, 0, 0],
    [0, 0xffff_ffff, 0xffff_ffff, -1],
  ];
  const rows = keys.map(([mapping, low, high, hash]) => {
    assert.equal(locations.find(mapping as MappingIndex, low, high, hash), 0);
    return locations.add(mapping as MappingIndex, low, high, hash);
  });
  assert.equal(new Set(rows).size, keys.length);
  keys.forEach(([mapping, low, high, hash], i) => {
    assert.equal(locations.find(mapping as MappingIndex, low, high, hash), rows[i]);
  });
});

test('stacks: shared callers share nodes, parents precede children', () => {
  const dictionary = new Dictionary(seed);
  const main = location(dictionary, 1, ['main']);
  const serve = location(dictionary, 2, ['serve']);
  const decode = location(dictionary, 3, ['decode']);
  const { stacks } = dictionary;
  const a = stacks.add(11, 12, [decode, serve, main]);
  const b = stacks.add(21, 22, [serve, main]);
  assert.equal(stacks.nodeCount, 4);
  assert.equal(stacks.nodeParent[stacks.leaf[a]], stacks.leaf[b]);
  assert.equal(stacks.find(11, 12), a);
  assert.equal(stacks.find(21, 22), b);
  assert.equal(stacks.find(11, 22), 0);
  for (let node = 1; node < stacks.nodeCount; node += 1) {
    assert.ok(stacks.nodeParent[node] < node);
  }
});

test('call nodes: inlined calls are nodes of their own, equal names merge across addresses', () => {
  const dictionary = new Dictionary(seed);
  const main = location(dictionary, 1, ['main']);
  const inlined = location(dictionary, 2, ['leaf', 'middle', 'outer']);
  const elsewhere = location(dictionary, 9, ['outer']);
  const bare = location(dictionary, 0x40, []);
  const { stacks, callNodes, strings } = dictionary;
  const a = stacks.add(1, 1, [inlined, main]);
  const b = stacks.add(2, 2, [elsewhere, main]);
  const c = stacks.add(3, 3, [bare, main]);
  dictionary.deriveCallNodes();
  const path = (stack: number): string[] => {
    const names: string[] = [];
    for (let node: number = dictionary.callNodeOfStack(stack); node !== 0;) {
      const key = callNodes.key[node];
      names.unshift(
        key % 2 === 0
          ? strings.text((key / 2) as StringIndex)
          : `0x${dictionary.locations.addressLow[(key - 1) / 2].toString(16)}`,
      );
      node = callNodes.parent[node];
    }
    return names;
  };
  assert.deepEqual(path(a), ['main', 'outer', 'middle', 'leaf']);
  assert.deepEqual(path(b), ['main', 'outer']);
  assert.deepEqual(path(c), ['main', '0x40']);
  assert.equal(callNodes.length, 1 + 5);
});

test('call nodes: the outermost call of a recursion is marked, and only that', () => {
  const dictionary = new Dictionary(seed);
  const main = location(dictionary, 1, ['main']);
  const fib = location(dictionary, 2, ['fib']);
  const stack = dictionary.stacks.add(1, 1, [fib, fib, fib, main]);
  dictionary.deriveCallNodes();
  const marks: number[] = [];
  for (let node: number = dictionary.callNodeOfStack(stack); node !== 0;) {
    marks.unshift(dictionary.callNodes.outermostRows()[node]);
    node = dictionary.callNodes.parent[node];
  }
  assert.deepEqual(marks, [1, 1, 0, 0]);
});

test('functions: an empty name shows the system name', () => {
  const { functions, strings } = new Dictionary(seed);
  const system = strings.internText('_ZN4core');
  const row = functions.intern(0 as StringIndex, system, 0 as StringIndex, 0);
  assert.equal(functions.displayName(row), system);
  const named = functions.intern(strings.internText('core'), system, 0 as StringIndex, 0);
  assert.equal(strings.text(functions.displayName(named as FunctionIndex)), 'core');
});

test('sample labels: equal sets get one row, numbers and units count', () => {
  const { sampleLabels, strings } = new Dictionary(seed);
  const key = strings.internText('bytes');
  const unit = strings.internText('b');
  const none = 0 as StringIndex;
  const a = sampleLabels.intern([{ key, text: none, number: 16n, unit }]);
  assert.equal(sampleLabels.intern([{ key, text: none, number: 16n, unit }]), a);
  assert.notEqual(sampleLabels.intern([{ key, text: none, number: 32n, unit }]), a);
  assert.notEqual(sampleLabels.intern([{ key, text: none, number: 16n, unit: none }]), a);
  assert.equal(sampleLabels.intern([]), 0);
});

test('functions that differ only by name are found without walking over each other', () => {
  const { functions } = new Dictionary(seed);
  const none = 0 as StringIndex;
  // If all hashes were equal, this would take 5e9 comparisons.
  for (let i = 1; i <= 100_000; i += 1) {
    assert.equal(functions.intern(i as StringIndex, i as StringIndex, none, 0), i);
  }
});
