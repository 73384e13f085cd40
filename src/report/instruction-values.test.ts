// Tests of values by address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dictionary } from '../model/dictionary.ts';
import type { LocationIndex, StringIndex } from '../model/rows.ts';
import { sumInstructions, type InstructionValues } from './instruction-values.ts';

/** Dictionary with locations in two builds, and one without a build. */
class Stacks {
  readonly dictionary = new Dictionary([1, 2, 3]);
  #count = 0;

  /** Adds a location with calls, the innermost first. */
  location(build: string, address: number, ...names: string[]): LocationIndex {
    const { strings, mappings, locations, functions } = this.dictionary;
    const text = (value: string): StringIndex => strings.internText(value);
    const range = [0x1000, 0, 0x9000, 0, 0x1000, 0] as const;
    const mapping = mappings.intern(...range, text(`/bin/${build || 'none'}`), text(build));
    this.#count += 1;
    locations.find(mapping, address, 0, this.#count);
    const row = locations.add(mapping, address, 0, this.#count);
    for (const name of names) {
      locations.addLine(functions.intern(text(name), text(name), 0 as StringIndex, 1), 1, 0);
    }
    return row;
  }

  /** Adds a stack, the innermost location first. */
  stack(...path: LocationIndex[]): number {
    this.#count += 1;
    return this.dictionary.stacks.add(this.#count, ~this.#count, path);
  }

  sum(
    values: readonly (readonly [stack: number, value: bigint])[],
    functionName: string,
    buildId = '',
  ) {
    const merged = {
      stacks: Uint32Array.from(values, ([stack]) => stack),
      values: BigInt64Array.from(values, ([, value]) => value),
    };
    const groups = [{ labelValues: [], merged }] as unknown as Parameters<
      typeof sumInstructions
    >[1];
    return sumInstructions(this.dictionary, groups, { functionName, buildId });
  }
}

/** Formats `1010: 5 of 7` for each address. */
function show({ addresses }: InstructionValues): string[] {
  return addresses.map(
    ({ address, flat, cumulative }) => `${address.toString(16)}: ${flat} of ${cumulative}`,
  );
}

test('values that end at an address, and values through it', () => {
  const stacks = new Stacks();
  const main = stacks.location('b1', 0x1100, 'main');
  const first = stacks.location('b1', 0x2010, 'work');
  const second = stacks.location('b1', 0x2004, 'work');
  const leaf = stacks.location('b1', 0x3000, 'leaf');
  const sums = stacks.sum(
    [
      [stacks.stack(first, main), 5n],
      [stacks.stack(leaf, first, main), 7n],
      [stacks.stack(second, main), 2n],
      [stacks.stack(leaf, main), 100n],
    ],
    'work',
  );
  assert.deepEqual(show(sums), ['2004: 2 of 2', '2010: 5 of 12']);
  assert.deepEqual(sums.builds, [{ buildId: 'b1', binary: '/bin/b1', cumulative: 14n }]);
  const [{ start, limit, offset }] = sums.addresses;
  assert.deepEqual([start, limit, offset], [0x1000, 0x9000, 0x1000]);
});

test('recursion counts a stack once for each address, and once for the build', () => {
  const stacks = new Stacks();
  const one = stacks.location('b1', 0x2010, 'work');
  const two = stacks.location('b1', 0x2020, 'work');
  const sums = stacks.sum([[stacks.stack(one, two, one, two, one), 3n]], 'work');
  assert.deepEqual(show(sums), ['2010: 3 of 3', '2020: 0 of 3']);
  assert.equal(sums.builds[0].cumulative, 3n);
});

test('a function that was inlined is at the addresses of its callers', () => {
  const stacks = new Stacks();
  const both = stacks.location('b1', 0x2010, 'small', 'work');
  const own = stacks.location('b1', 0x2020, 'work');
  const values = [
    [stacks.stack(both), 4n],
    [stacks.stack(own), 6n],
  ] as const;
  assert.deepEqual(show(stacks.sum(values, 'small')), ['2010: 4 of 4']);
  assert.deepEqual(show(stacks.sum(values, 'work')), ['2010: 4 of 4', '2020: 6 of 6']);
});

test('the build with the largest value, or the wanted one; none without a build id', () => {
  const stacks = new Stacks();
  const older = stacks.location('b1', 0x2010, 'work');
  const newer = stacks.location('b2', 0x2018, 'work');
  const unknown = stacks.location('', 0x2030, 'work');
  const values = [
    [stacks.stack(older), 3n],
    [stacks.stack(newer), 8n],
    [stacks.stack(unknown), 50n],
  ] as const;
  const found = stacks.sum(values, 'work');
  assert.deepEqual(
    found.builds.map(({ buildId, cumulative }) => [buildId, cumulative]),
    [
      ['', 50n],
      ['b2', 8n],
      ['b1', 3n],
    ],
  );
  assert.deepEqual([found.buildId, show(found)], ['b2', ['2018: 8 of 8']]);
  assert.deepEqual(show(stacks.sum(values, 'work', 'b1')), ['2010: 3 of 3']);
  assert.deepEqual(show(stacks.sum(values, 'work', 'b3')), []);
  const none = stacks.sum([[stacks.stack(unknown), 1n]], 'work');
  assert.deepEqual([none.buildId, none.addresses], [undefined, []]);
  assert.deepEqual(stacks.sum(values, 'other').builds, []);
});

test('negative values and values beyond 2^53 are exact', () => {
  const stacks = new Stacks();
  const work = stacks.location('b1', 0x2010, 'work');
  const leaf = stacks.location('b1', 0x3000, 'leaf');
  const sums = stacks.sum(
    [
      [stacks.stack(work), 2n ** 60n + 1n],
      [stacks.stack(leaf, work), -3n],
    ],
    'work',
  );
  assert.deepEqual(show(sums), [`2010: ${2n ** 60n + 1n} of ${2n ** 60n - 2n}`]);
});
