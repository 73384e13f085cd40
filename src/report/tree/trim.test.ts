// Compares trimming with a recursive implementation, for small and large trees.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seededRandom } from '../../base/random.ts';
import { type CallTree, linkChildren } from './call-tree.ts';
import { KeyOrder } from './key-order.ts';
import { keepRows, keepRowsBelow, type TrimRules } from './trim.ts';
import { rowsOfPath } from './zoom-path.ts';

/** Creates a tree with frames n0, n1, ... in the order of their keys. */
function randomTree(seed: number, length: number, isDiff: boolean): CallTree {
  const random = seededRandom(seed);
  const below = (end: number): number => randomBelow(random, end);
  const parent = new Int32Array(length);
  const key = new Uint32Array(length);
  const flat = new BigInt64Array(length);
  const baseFlat = new BigInt64Array(length);
  const taken = new Set<string>();
  for (let row = 1; row < length; row += 1) {
    parent[row] = Math.max(0, row - 1 - below(Math.min(row, 40)));
    do key[row] = 1 + below(1000);
    while (taken.has(`${parent[row]} ${key[row]}`));
    taken.add(`${parent[row]} ${key[row]}`);
    flat[row] = below(3) === 0 ? BigInt(below(2 ** 24)) ** 2n : 0n;
    baseFlat[row] = below(3) === 0 ? BigInt(below(2 ** 31)) : 0n;
  }
  const addUp = (values: BigInt64Array): BigInt64Array => {
    const sums = values.slice();
    for (let row = length - 1; row > 0; row -= 1) sums[parent[row]] += sums[row];
    return sums;
  };
  const order = new KeyOrder((a, b) => a - b);
  return {
    length,
    parent,
    key,
    flat,
    cumulative: addUp(flat),
    base: isDiff ? { flat: baseFlat, cumulative: addUp(baseFlat) } : undefined,
    frames: { text: (one) => `n${one}`, frameKey: () => 0, rank: (keys) => order.rank(keys) },
    startNanos: undefined,
    lengthNanos: undefined,
    labelRows: new Map(),
    depthMax: 0,
    sources: {
      length: 0,
      row: new Int32Array(0),
      location: new Int32Array(0),
      touched: undefined,
      shownLines: undefined,
    },
    outermostRows: () => new Uint8Array(length),
  };
}

/** Returns the paths of the kept rows by depth, and the sum of the trimmed rows. */
function naive(
  { length, parent, key, cumulative, base }: CallTree,
  { nodeTrimFraction, rootTrimFraction }: TrimRules,
  path: readonly number[],
): { readonly rows: number[]; readonly trimmed: bigint } {
  const childrenByRow = new Map<number, number[]>();
  for (let row = 1; row < length; row += 1) {
    const siblings = childrenByRow.get(parent[row]);
    if (siblings === undefined) childrenByRow.set(parent[row], [row]);
    else siblings.push(row);
  }
  const end = path[path.length - 1];
  const isAbove = (values: BigInt64Array, row: number): boolean => {
    const share = (of: number, fraction: number): number =>
      Math.trunc(Number(values[of]) * fraction);
    const value = Number(values[row]);
    const isOfParent = value > share(parent[row], nodeTrimFraction);
    return isOfParent && value > share(end, rootTrimFraction);
  };
  const isKept = (row: number): boolean =>
    isAbove(cumulative, row) || (base !== undefined && isAbove(base.cumulative, row));
  let trimmed = 0n;
  const rows = [...path];
  let level = [end];
  while (level.length > 0) {
    const below = level.flatMap((row) => {
      const children = (childrenByRow.get(row) ?? []).toSorted((a, b) => key[a] - key[b]);
      for (const child of children) if (!isKept(child)) trimmed += cumulative[child];
      return children.filter(isKept);
    });
    rows.push(...below);
    level = below;
  }
  return { rows, trimmed };
}

test('rows, their order and what is cut equal those of a recursion, whatever the size', () => {
  for (const [length, seeds] of [
    [1, 1],
    [30, 60],
    [20_000, 2],
  ] as const) {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const tree = randomTree(seed, length, seed % 2 === 0);
      const marks = new Int32Array(length);
      for (const [nodeTrimFraction, rootTrimFraction] of [
        [0, 0],
        [0, 1e-4],
        [0.3, 0.001],
      ]) {
        const row = length > 5 ? seed % 5 : 0;
        const names: string[] = [];
        for (let at = row; at !== 0; at = tree.parent[at]) names.unshift(`n${tree.key[at]}`);
        const links = linkChildren(tree);
        const path = rowsOfPath(tree, [], [], names, links);
        const rules = { nodeTrimFraction, rootTrimFraction };
        const kept =
          names.length === 0
            ? keepRows(tree, rules, marks)
            : keepRowsBelow(tree, rules, path, links, marks);
        const want = naive(tree, rules, path);
        assert.deepEqual([...kept.row], want.rows);
        assert.equal(kept.trimmed, want.trimmed);
        for (let i = 0; i < kept.length; i += 1) {
          assert.equal(marks[kept.row[i]], kept.place[i] + 1);
          assert.equal(kept.depth[i], i === 0 ? 0 : kept.depth[kept.parent[i]] + 1);
          marks[kept.row[i]] = 0;
          for (let at = kept.childStart[i]; at < kept.childStart[i + 1]; at += 1) {
            assert.equal(kept.parent[at], i);
            assert.equal(tree.parent[kept.row[at]], kept.row[i]);
          }
        }
        assert.equal(kept.childStart[kept.length], kept.length);
        assert.ok(marks.every((mark) => mark === 0));
      }
    }
  }
});

test('the largest rows are kept, whatever a sample of the rows tells', () => {
  const isSampled = (row: number): boolean => row % 16 === 0;
  const valueMakers: readonly ((row: number, random: number) => number)[] = [
    (_, random) => random,
    // Most rows are equal, as in a short profile.
    (_, random) => 1 + (random % 3),
    (row) => (isSampled(row) ? 1 : 1_000 + row),
    (row) => (isSampled(row) ? 1_000 + row : 1),
    () => 0,
  ];
  const random = seededRandom(7);
  for (const makeValue of valueMakers) {
    for (const isDiff of [false, true]) {
      const length = 20_000;
      const tree = randomTree(1, 2, isDiff);
      const column = (): BigInt64Array =>
        BigInt64Array.from({ length }, (_, row) => {
          const value = BigInt(makeValue(row, randomBelow(random, 2 ** 31)));
          return isDiff && row % 2 === 0 ? -value : value;
        });
      const cumulative = column();
      const flat = new BigInt64Array(length);
      const base = isDiff ? { flat, cumulative: column() } : undefined;
      const parent = new Int32Array(length);
      const key = Uint32Array.from({ length }, (_, row) => row);
      const wide = { ...tree, length, parent, key, flat, cumulative, base };
      const rules = { nodeTrimFraction: 0, rootTrimFraction: 0 };
      for (const rowsMax of [1, 500, 15_000]) {
        const { row } = keepRows(wide, { ...rules, rowsMax }, new Int32Array(length));
        const all = keepRows(wide, rules, new Int32Array(length)).row;
        const magnitude = (one: number): number =>
          Math.abs(Number(cumulative[one])) + Math.abs(Number(base?.cumulative[one] ?? 0n));
        const least = Array.from(cumulative, (_, one) => magnitude(one)).sort((a, b) => b - a)[
          rowsMax - 1
        ];
        const want = all.filter((one) => one === 0 || magnitude(one) >= least);
        assert.deepEqual(row.toSorted(), want.toSorted());
      }
    }
  }
});
