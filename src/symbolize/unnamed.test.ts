import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dictionary } from '../model/dictionary.ts';
import type { LocationIndex, MappingIndex, NodeIndex, StringIndex } from '../model/rows.ts';
import { NameStates, UnnamedCounter } from './unnamed.ts';

const dictionary = new Dictionary([1, 2, 3]);
const { strings, mappings, locations, functions, stacks } = dictionary;

function text(content: string): StringIndex {
  const bytes = new TextEncoder().encode(content);
  return strings.intern(bytes, 0, bytes.length);
}

function mapping(fileName: string, buildId: string): MappingIndex {
  return mappings.intern(0, 0, 0, 0, 0, 0, text(fileName), text(buildId));
}

function location(of: MappingIndex, address: number): LocationIndex {
  return locations.add(of, address, 0, address);
}

const app = mapping('/usr/bin/app', 'aa11');
const library = mapping('/lib/libfoo.so', '0123456789abcdef0123456789abcdef01234567');
const unknown = mapping('/lib/without-id.so', '');
const named = location(app, 1);
locations.addLine(functions.intern(text('main'), text('main'), text('a.c'), 1), 3, 0);

function stack(...path: readonly LocationIndex[]): number {
  let node = 0 as NodeIndex;
  for (const row of path) node = stacks.child(node, row);
  return stacks.addLeaf(node, ~node, node);
}

const waiting = [2, 3].map((address) => location(app, address));
const missing = [4, 5, 6].map((address) => location(library, address));
const withoutId = location(unknown, 7);
const rows = Uint32Array.from([
  stack(named, waiting[0], missing[0]),
  stack(named, waiting[0], missing[1], withoutId),
  stack(named, waiting[1]),
]);
const other = Uint32Array.from([stack(named, missing[2])]);

const reasons = {
  biasOf: () => 0,
  whyUnnamed: (buildId: string) => (buildId === 'aa11' ? undefined : 'no file has them'),
  notesOf: (buildId: string) => new Set(buildId === 'aa11' ? ['its lines are elsewhere'] : []),
};

test('addresses of the stacks of an answer are counted once each, by why they have no names', () => {
  const counter = new UnnamedCounter(dictionary, reasons);
  counter.addStacks(rows);
  counter.addStacks(rows);
  const note = 'lines of app (build id aa11) are missing: its lines are elsewhere';
  const of = 'libfoo.so (build id 0123456789abcdef...)';
  assert.deepEqual(counter.sentences(), {
    pending: 'names of 2 addresses are being looked up: ask again in a moment',
    lasting: [`names of 2 addresses are missing in ${of}: no file has them`, note],
  });
  counter.addStacks(other);
  const { lasting } = counter.sentences();
  assert.match(lasting[0], /^names of 3 addresses are missing in libfoo/);
  const all = new UnnamedCounter(dictionary, reasons);
  all.addLocations(Int32Array.from({ length: locations.length }, (_, row) => row));
  all.addLocations(Int32Array.of(0, named, waiting[0]));
  assert.deepEqual(all.sentences(), counter.sentences());
});

test('an answer with all names says nothing', () => {
  const counter = new UnnamedCounter(dictionary, { ...reasons, notesOf: () => new Set() });
  counter.addStacks(Uint32Array.from([0, stack(named)]));
  assert.deepEqual(counter.sentences(), { pending: undefined, lasting: [] });
});

test('binaries past the first ones are counted together', () => {
  const many = Array.from({ length: 8 }, (_, i) => stack(location(app, 100 + i)));
  const counter = new UnnamedCounter(dictionary, {
    ...reasons,
    whyUnnamed: (_buildId, address) => `reason ${address}`,
  });
  counter.addStacks(Uint32Array.from(many));
  const { lasting } = counter.sentences();
  assert.equal(lasting.length, 7);
  assert.equal(lasting[0], 'names of 1 address are missing in app (build id aa11): reason 100');
  assert.equal(lasting[5], 'names of 3 addresses are missing in other binaries');
});

test('sentences have the same order, whichever stack came first', () => {
  const [one, two] = [stack(location(app, 200)), stack(location(library, 201))];
  const sentencesOf = (...order: readonly number[]): readonly string[] => {
    const counter = new UnnamedCounter(dictionary, { ...reasons, whyUnnamed: () => 'no file' });
    counter.addStacks(Uint32Array.from(order));
    return counter.sentences().lasting;
  };
  assert.deepEqual(sentencesOf(two, one), sentencesOf(one, two));
});

test('an address is asked about once as long as its states are the same', () => {
  let asked = 0;
  const counting = {
    ...reasons,
    whyUnnamed: (buildId: string) => {
      asked += 1;
      return reasons.whyUnnamed(buildId);
    },
  };
  const states = new NameStates();
  const count = (known?: NameStates): object => {
    const counter = new UnnamedCounter(dictionary, counting, known);
    counter.addStacks(rows);
    return counter.sentences();
  };
  const first = count(states);
  assert.equal(asked, 4);
  assert.deepEqual(count(states), first);
  assert.equal(asked, 4);
  assert.deepEqual(count(), first);
  assert.equal(asked, 8);
  // The three addresses of another binary keep their states.
  const changedAt = (buildId: string): number => (buildId === 'aa11' ? 2 : 1);
  states.renew(dictionary, { generation: 1, changedAt });
  count(states);
  asked = 0;
  states.renew(dictionary, { generation: 2, changedAt });
  assert.deepEqual(count(states), first);
  assert.equal(asked, 2);
  states.renew(dictionary, { generation: 2, changedAt });
  assert.deepEqual(count(states), first);
  assert.equal(asked, 2);
});
