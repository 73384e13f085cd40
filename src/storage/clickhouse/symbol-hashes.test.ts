// Tests that hashes depend on the content of symbols, and not on the order in which they were
// added.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dictionary } from '../../model/dictionary.ts';
import type { MappingIndex, StringIndex } from '../../model/rows.ts';
import { internSampleLabels, internStack } from '../fake/intern.ts';
import { hashDigits } from './row-bytes.ts';
import { streamHash, SymbolHashes } from './symbol-hashes.ts';

const digits = (hash: Uint8Array): string => hashDigits(hash, 0);

test('equal stacks have equal hashes in every dictionary', () => {
  const [one, other] = [new Dictionary([1, 2, 3]), new Dictionary([4, 5, 6])];
  const stack = internStack(one, ['leaf', 'main']);
  other.strings.internText('unrelated');
  internStack(other, ['leaf']);
  const same = internStack(other, ['leaf', 'main']);
  const swapped = internStack(other, ['main', 'leaf']);
  assert.notEqual(stack, same);
  const [ofOne, ofOther] = [new SymbolHashes(one), new SymbolHashes(other)];
  assert.equal(digits(ofOne.stack(stack)), digits(ofOther.stack(same)));
  assert.notEqual(digits(ofOther.stack(swapped)), digits(ofOther.stack(same)));
  assert.equal(digits(ofOne.stack(0)), '0'.repeat(32));
});

test('stacks with equal outermost frames, and locations of a function, lie together', () => {
  const dictionary = new Dictionary([1, 2, 3]);
  const trunk = Array.from({ length: 24 }, (_, i) => `f${i}`);
  const stacks = [
    internStack(dictionary, ['one', ...trunk]),
    internStack(dictionary, ['two', 'one', ...trunk]),
    internStack(dictionary, ['one', ...trunk.slice(1), 'other']),
    internStack(dictionary, ['one']),
  ];
  const hashes = new SymbolHashes(dictionary);
  const [one, two, other, short] = stacks.map((row) => digits(hashes.stack(row)));
  assert.equal(one.slice(0, 8), two.slice(0, 8));
  assert.notEqual(one, two);
  assert.equal(new Set([one, other, short].map((of) => of.slice(0, 8))).size, 3);

  const { locations, strings, functions } = dictionary;
  const called = functions.intern(strings.internText('f'), 0 as StringIndex, 0 as StringIndex, 0);
  const [here, there] = [7, 8].map((line) => {
    const row = locations.add(0 as MappingIndex, line, 0, line);
    locations.addLine(called, line, 0);
    return digits(hashes.location(row));
  });
  assert.equal(here.slice(0, 8), there.slice(0, 8));
  assert.notEqual(here, there);
});

test('sets of sample labels are equal in any order of their names', () => {
  const [one, other] = [new Dictionary([1, 2, 3]), new Dictionary([1, 2, 3])];
  const labels = internSampleLabels(one, [
    ['a', 'x'],
    ['b', 'y'],
  ]);
  internSampleLabels(other, [['b', 'y']]);
  const same = internSampleLabels(other, [
    ['b', 'y'],
    ['a', 'x'],
  ]);
  const hashes = [
    new SymbolHashes(one).sampleLabels(labels),
    new SymbolHashes(other).sampleLabels(same),
  ];
  assert.deepEqual([...hashes[0]], [...hashes[1]]);
  assert.deepEqual([...new SymbolHashes(one).sampleLabels(0)], [0, 0, 0, 0, 0, 0, 0, 0]);
});

test('streams differ by shape and by labels', () => {
  const labels = [{ name: 'job', value: 'a' }];
  const hashes = [
    streamHash(['cpu', 'delta'], labels),
    streamHash(['cpu', ''], labels),
    streamHash(['cpu', 'delta'], [{ name: 'job', value: 'b' }]),
    streamHash(['cpu'], [{ name: 'delta', value: 'job' }]),
  ];
  assert.equal(new Set(hashes).size, hashes.length);
});
