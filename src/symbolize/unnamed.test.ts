import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dictionary } from '../model/dictionary.ts';
import { noNameGaps } from '../model/name-gaps.ts';
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
  findBias: () => 0,
  findFrames: () => undefined,
  hasNotes: true,
  whyUnnamed: (buildId: string) => (buildId === 'aa11' ? undefined : 'no file has them'),
  readNotes: (buildId: string) => new Set(buildId === 'aa11' ? ['its lines are elsewhere'] : []),
};
const ofApp = { binary: '/usr/bin/app', buildId: 'aa11' };
const ofLibrary = {
  binary: '/lib/libfoo.so',
  buildId: '0123456789abcdef0123456789abcdef01234567',
};

test('addresses of the stacks of an answer are counted once each, by why they have no names', () => {
  const counter = new UnnamedCounter(dictionary, reasons);
  counter.addStacks(rows);
  counter.addStacks(rows);
  assert.deepEqual(counter.gaps(), {
    addresses: [
      { ...ofLibrary, why: 'no file has them', count: 2 },
      { ...ofApp, why: '', count: 2 },
    ],
    lines: [{ ...ofApp, why: 'its lines are elsewhere' }],
    pendingLines: 0,
  });
  assert.equal(counter.isPending, true);
  assert.deepEqual(counter.pending(), new Map([['aa11', [2, 3]]]));
  counter.addStacks(other);
  assert.equal(counter.gaps().addresses[0].count, 3);
});

test('an answer with all names lacks nothing', () => {
  const counter = new UnnamedCounter(dictionary, { ...reasons, readNotes: () => new Set() });
  counter.addStacks(Uint32Array.from([0, stack(named)]));
  assert.deepEqual(counter.gaps(), noNameGaps);
});

test('an address that the symbolizer knows has its name', () => {
  const lines = [
    {
      functionName: 'f',
      systemName: 'f',
      fileName: 'a.c',
      line: 1,
      startLine: 1,
      column: 0,
    },
  ];
  const findFrames = (_buildId: string, address: number) => (address === 4 ? lines : []);
  const whyUnnamed = (_buildId: string, address: number) => (address === 4 ? undefined : 'nothing');
  const counter = new UnnamedCounter(dictionary, {
    ...reasons,
    findFrames: findFrames,
    whyUnnamed,
  });
  counter.addStacks(rows);
  assert.deepEqual(counter.gaps().addresses, [
    { ...ofApp, why: 'nothing', count: 2 },
    { ...ofLibrary, why: 'nothing', count: 1 },
  ]);
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
    return counter.gaps();
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
