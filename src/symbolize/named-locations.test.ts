// Tests of names for the locations of a dictionary, and of which names are looked up again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dictionary } from '../model/dictionary.ts';
import type { MappingIndex, StringIndex } from '../model/rows.ts';
import type { SourceFrame } from './interface.ts';
import { NamedLocations } from './named-locations.ts';

const line = { systemName: '', fileName: '', line: 1, startLine: 0, column: 0 };

/** Adds a build that is loaded at 0x1000. */
function addMapping({ mappings, strings }: Dictionary, buildId: string): MappingIndex {
  const file = strings.internText('/bin/app');
  return mappings.intern(0x1000, 0, 0x9000, 0, 0, 0, file, strings.internText(buildId));
}

test('only builds that changed are looked up again, and only other answers are told', () => {
  const from = new Dictionary([1, 2, 3]);
  const [first, second] = [addMapping(from, 'aa'), addMapping(from, 'bb')];
  const inFirst = from.locations.add(first, 0x2000, 0, 0);
  const inSecond = from.locations.add(second, 0x2000, 0, 0);
  const looked: string[] = [];
  const known = new Map<string, readonly SourceFrame[]>();
  const changes = new Map([
    ['aa', 1],
    ['bb', 1],
  ]);
  const locations = new NamedLocations(from, {
    findFrames: (buildId, address) => {
      looked.push(`${buildId} ${address}`);
      return known.get(buildId);
    },
    changedAt: (buildId) => changes.get(buildId) ?? 0,
  });
  assert.equal(locations.find(inFirst), undefined);
  assert.equal(locations.find(inSecond), undefined);
  assert.deepEqual(looked.splice(0), ['aa 8192', 'bb 8192']);

  const lines = [{ ...line, functionName: 'main' }];
  known.set('bb', lines);
  assert.equal(locations.renew(1).size, 0);
  assert.deepEqual(looked, []);
  changes.set('aa', 2);
  changes.set('bb', 2);
  assert.deepEqual([...locations.renew(1)], [[inSecond, lines]]);
  assert.deepEqual(looked.splice(0), ['aa 8192', 'bb 8192']);
  assert.equal(locations.renew(1).size, 0);
});

test('a location whose file turns out to be loaded elsewhere is told, without names too', () => {
  const from = new Dictionary([1, 2, 3]);
  const location = from.locations.add(addMapping(from, 'aa'), 0x2000, 0, 0);
  let bias = 0;
  const addresses: number[] = [];
  const locations = new NamedLocations(from, {
    findFrames: (_buildId, address) => {
      addresses.push(address);
      return [];
    },
    findBias: () => bias,
  });
  assert.equal(locations.find(location), undefined);
  assert.equal(locations.findBias(location), 0);
  bias = 0x1000;
  assert.deepEqual([...locations.renew(0)], [[location, undefined]]);
  assert.equal(locations.findBias(location), 0x1000);
  assert.deepEqual(addresses, [0x2000, 0x1000]);
});

test('stored lines get better names, all of a location or none', () => {
  const from = new Dictionary([1, 2, 3]);
  const { locations: table, functions, strings } = from;
  const mapping = addMapping(from, 'aa');
  const none = 0 as StringIndex;
  const add = (...names: string[]): number => {
    const row = table.add(mapping, 0x2000, 0, names.length);
    for (const name of names) {
      const text = strings.internText(name);
      table.addLine(functions.intern(text, text, none, 3), 7, 2);
    }
    return row;
  };
  const [plain, mangled] = [add('main'), add('_Z4workv', 'inner', 'main')];
  const locations = new NamedLocations(from, {
    findFrames: () => assert.fail('has lines'),
    findLine: (buildId, stored) =>
      stored.functionName === '_Z4workv'
        ? { ...stored, functionName: `${buildId} work()` }
        : undefined,
  });
  assert.equal(locations.find(plain), undefined);
  assert.deepEqual(locations.find(mangled), [
    {
      functionName: 'aa work()',
      systemName: '_Z4workv',
      fileName: '',
      line: 7,
      startLine: 3,
      column: 2,
    },
    { functionName: 'inner', systemName: 'inner', fileName: '', line: 7, startLine: 3, column: 2 },
    { functionName: 'main', systemName: 'main', fileName: '', line: 7, startLine: 3, column: 2 },
  ]);
});
