// Tests of the pprof encoder, whose output the decoder reads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dictionary } from '../../model/dictionary.ts';
import type { StringIndex } from '../../model/rows.ts';
import { PprofColumns } from './columns.ts';
import { decodePprof } from './decode.ts';
import { encodePprof, type PprofMeta } from './encode.ts';
import { profileText, validateProfile } from './validate.ts';

const meta: PprofMeta = {
  sampleType: { type: 'cpu', unit: 'nanoseconds' },
  periodType: { type: 'cpu', unit: 'nanoseconds' },
  period: 10_000_000n,
  timeNanos: 1_760_000_000_123_456_789n,
  durationNanos: 10n ** 10n,
};

/** A dictionary with three locations: main in a binary, two inlined calls, a bare address. */
function createDictionary(): { dictionary: Dictionary; locations: readonly number[] } {
  const dictionary = new Dictionary([1, 2, 3]);
  const { strings, functions, mappings, locations } = dictionary;
  const none = 0 as StringIndex;
  strings.internText('not reached');
  const named = (name: string, line: number): number =>
    functions.intern(strings.internText(name), none, strings.internText('main.go'), line);
  functions.intern(strings.internText('unused'), none, none, 1);
  const binary = mappings.intern(
    0x40_0000,
    0,
    0x80_0000,
    0,
    0x1000,
    0,
    ...([strings.internText('/bin/x'), strings.internText('abcd')] as const),
  );
  const main = locations.add(binary, 0x1234, 0, 0);
  locations.addLine(named('main', 3), 7, 2);
  locations.find(binary, 0x5678, 0xffff_ffff, 0);
  const inlined = locations.add(binary, 0x5678, 0xffff_ffff, 0);
  locations.addLine(named('leaf', 20), 21, 0);
  locations.addLine(named('outer', 10), 11, 0);
  locations.find(binary, 0x9abc, 0, 0);
  const bare = locations.add(binary, 0x9abc, 0, 0);
  return { dictionary, locations: [main, inlined, bare] };
}

function decoded(bytes: Uint8Array): PprofColumns {
  const columns = new PprofColumns();
  decodePprof(bytes, columns);
  validateProfile(columns);
  return columns;
}

test('stacks, symbols and meta come back, and nothing that was not reached', () => {
  const { dictionary, locations } = createDictionary();
  const [main, inlined, bare] = locations;
  const first = dictionary.stacks.add(1, 1, [inlined, main]);
  const second = dictionary.stacks.add(2, 2, [bare, main]);
  const unused = dictionary.stacks.add(3, 3, [bare]);
  const stacks = Uint32Array.of(0, first, second, unused);
  const values = BigInt64Array.of(5n, 2n ** 61n, -3n, 0n);
  const columns = decoded(
    encodePprof(dictionary, [{ labels: [], merged: { stacks, values } }], meta),
  );
  assert.equal(columns.sampleCount, 3);
  assert.deepEqual(Array.from(columns.values.slice(0, 3)), [5n, 2n ** 61n, -3n]);
  assert.deepEqual(Array.from(columns.frameStart.slice(0, 4)), [0, 0, 2, 4]);
  const addresses = Array.from(columns.frameLocation.slice(0, 4)).map(
    (row) => columns.addressLow[row],
  );
  assert.deepEqual(addresses, [0x5678, 0x1234, 0x9abc, 0x1234]);
  assert.equal(columns.addressHigh[columns.frameLocation[0]], 0xffff_ffff);
  assert.equal(columns.locationCount, 3);
  assert.equal(columns.functionCount, 3);
  assert.equal(columns.mappingCount, 1);
  const names = Array.from(columns.lineFunction.slice(0, columns.lineCount)).map((row) =>
    profileText(columns, columns.functionName[row]),
  );
  assert.deepEqual(names, ['leaf', 'outer', 'main']);
  assert.deepEqual(Array.from(columns.lineNumber.slice(0, 3)), [21, 11, 7]);
  assert.deepEqual(Array.from(columns.lineColumn.slice(0, 3)), [0, 0, 2]);
  const strings = Array.from({ length: columns.stringCount }, (_, i) => profileText(columns, i));
  assert.deepEqual(strings.slice(1).sort(), [
    '/bin/x',
    'abcd',
    'cpu',
    'leaf',
    'main',
    'main.go',
    'nanoseconds',
    'outer',
  ]);
  assert.equal(columns.mappingOffsetLow[1], 0x1000);
  assert.equal(columns.period, meta.period);
  assert.equal(columns.timeNanos, meta.timeNanos);
  assert.equal(columns.durationNanos, meta.durationNanos);
  assert.equal(profileText(columns, columns.sampleTypeType[0]), 'cpu');
  assert.equal(profileText(columns, columns.periodTypeUnit), 'nanoseconds');
});

test('a function that has only a system name is called by it', () => {
  const dictionary = new Dictionary([1, 2, 3]);
  const { strings, functions, locations, stacks } = dictionary;
  const none = 0 as StringIndex;
  locations.find(0 as never, 1, 0, 0);
  const location = locations.add(0 as never, 1, 0, 0);
  locations.addLine(functions.intern(none, strings.internText('_ZN1f'), none, 0), 1, 0);
  const stack = stacks.add(1, 1, [location]);
  const merged = { stacks: Uint32Array.of(stack), values: BigInt64Array.of(1n) };
  const columns = decoded(encodePprof(dictionary, [{ labels: [], merged }], meta));
  assert.equal(profileText(columns, columns.functionName[1]), '_ZN1f');
  assert.equal(columns.mappingCount, 0);
});

test('no stacks at all make a valid, empty profile', () => {
  const empty = { stacks: new Uint32Array(0), values: new BigInt64Array(0) };
  const columns = decoded(
    encodePprof(new Dictionary([1, 2, 3]), [{ labels: [], merged: empty }], meta),
  );
  assert.equal(columns.sampleCount, 0);
  assert.equal(columns.sampleTypeCount, 1);
});
