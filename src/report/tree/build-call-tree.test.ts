// Tests that the tree of many groups equals the trees of the separate groups.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seededRandom } from '../../base/random.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import { randomStacks } from '../testing/random-stacks.ts';
import { buildCallTree } from './build-call-tree.ts';
import { TreeScratch } from './call-tree-builder.ts';
import type { CallTree, StackGroup } from './call-tree.ts';
import { ShownFrames } from './shown-frames.ts';

const random = seededRandom(11);

/** Picks about one in `every` stacks at random, in order; the empty stack may be one of them. */
function someStacks(dictionary: Dictionary, every: number): MergedStacks {
  const all = Array.from({ length: dictionary.stacks.length }, (_, stack) => stack);
  const stacks = Uint32Array.from(all.filter(() => randomBelow(random, every) === 0));
  return { stacks, values: BigInt64Array.from(stacks, () => BigInt(randomBelow(random, 9) - 2)) };
}

/** Returns a line per row: path, values, and merged locations. */
function print(dictionary: Dictionary, tree: CallTree): string[] {
  const paths: string[] = [''];
  const { length, parent, key, flat, cumulative, base, labelRows, sources } = tree;
  for (let row = 1; row < length; row += 1) {
    const group = labelRows.get(row);
    const name = group === undefined ? tree.frames.text(key[row]) : `group ${group}`;
    paths[row] = `${paths[parent[row]]}/${name}`;
  }
  const locations = paths.map((): number[] => []);
  const { length: count, row: rows, location: of, touched } = sources;
  for (let source = 0; source < count; source += 1) {
    if (touched?.[source] !== 0) locations[rows[source]].push(of[source]);
  }
  const { lineStart } = dictionary.locations;
  return paths.map((path, row) => {
    const from = locations[row].sort((a, b) => a - b).map((one) => `${one}@${lineStart[one]}`);
    const other = base === undefined ? '' : ` ${base.flat[row]} ${base.cumulative[row]}`;
    return `${path} ${flat[row]} ${cumulative[row]}${other} ${from.join(' ')}`;
  });
}

/** Builds the tree as if each group were the only one. */
function oneByOne(
  dictionary: Dictionary,
  groups: readonly StackGroup[],
  frames: ShownFrames,
): string[] {
  const scratch = new TreeScratch();
  return groups.flatMap(({ labelValues, ...sides }, i) => {
    const tree = buildCallTree(dictionary, [{ labelValues: [], ...sides }], frames, scratch);
    const isLabelled = labelValues.some((value) => value !== '');
    const lines = print(dictionary, tree).filter((line) => !/ 0 0 $| 0 0 0 0 $/.test(line));
    return lines.map((line) => (isLabelled ? `/group ${i}${line}` : line));
  });
}

test('many groups that share stacks, with and without a base or a filter of frames', () => {
  const dictionary = randomStacks();
  const cases = [
    { isDiff: false, every: 3 },
    { isDiff: true, every: 3 },
    // Together, the first groups contain most of the calls; the last six groups do not.
    { isDiff: false, every: 40 },
    { isDiff: false, every: 3, contains: '1' },
    { isDiff: true, every: 40, contains: '1' },
  ];
  for (const { isDiff, every, contains } of cases) {
    const groups = Array.from({ length: 70 }, (_, i) => ({
      labelValues: [i === 3 ? '' : `value ${i}`],
      merged: someStacks(dictionary, every),
      ...(isDiff && { base: someStacks(dictionary, every) }),
    }));
    const createFrames = (): ShownFrames =>
      contains === undefined
        ? new ShownFrames(dictionary, new Set(), [])
        : new ShownFrames(dictionary, new Set(['location_address']), [
            { functionName: { operator: 'contains', isNegated: false, texts: [contains] } },
          ]);
    const frames = createFrames();
    const tree = buildCallTree(dictionary, groups, frames, new TreeScratch());
    assert.equal(tree.labelRows.size, 69);
    const [root, ...rows] = print(dictionary, tree);
    const shown = rows.filter((line) => !/ 0 0 $| 0 0 0 0 $/.test(line));
    const want = oneByOne(dictionary, groups, createFrames()).filter(
      (line) => !line.startsWith(' '),
    );
    assert.deepEqual(shown.sort(), want.sort());
    const total = groups.flatMap(({ merged }) => [...merged.values]).reduce((a, b) => a + b, 0n);
    assert.equal(root.split(' ')[2], `${total}`);
  }
});
