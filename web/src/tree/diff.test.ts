// Tests of the widths, steps and texts of a diff.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { treeOfRows } from './build-tree.ts';
import { changeText, diffSteps, type DiffTree, goneStep, isDiffTree, newStep } from './diff.ts';
import { unpackStrings } from './strings.ts';
import { noString } from './tree.ts';

/** Rows: name, row of the parent, value before and now; the first is the root. */
const rowsOfT: readonly (readonly [name: string, parent: number, base: bigint, now: bigint])[] = [
  ['root', -1, 1_000n, 1_100n],
  ['cache.Fill', 0, 0n, 499n],
  ['main.main', 0, 600n, 600n],
  ['runtime.gcBgMark', 0, 399n, 0n],
  ['tiny.one', 0, 1n, 1n],
  ['svc.Serve', 2, 600n, 600n],
  ['db.Query', 5, 200n, 50n],
  ['json.Marshal', 5, 300n, 450n],
];

function treeOf(rows: typeof rowsOfT): DiffTree {
  const { length: count } = rows;
  const texts = new Uint32Array(count).fill(noString);
  const tree = treeOfRows(
    {
      rows: {
        count,
        parent: Int32Array.from(rows, ([, parent]) => parent),
        cumulative: BigInt64Array.from(rows, ([, , , now]) => now),
        flat: new BigInt64Array(count),
        base: BigInt64Array.from(rows, ([, , base]) => base),
        name: Uint32Array.from(rows.keys()),
        flags: new Uint8Array(count),
        file: texts,
        binary: texts,
        buildId: texts,
        line: new Uint32Array(count),
      },
      names: rows.map(([name]) => name),
      strings: { bytes: new Uint8Array(0), offsets: Uint32Array.of(0) },
    },
    { total: rows[0][3], trimmed: 0n, isDiff: true },
    'name',
  );
  assert.ok(isDiffTree(tree));
  return tree;
}

/** Returns a value of each row by name. */
function each<T>(tree: DiffTree, valueOf: (row: number) => T): Record<string, T> {
  const names = unpackStrings(tree.names);
  return Object.fromEntries(
    Array.from({ length: tree.count }, (_, row) => [names[tree.name[row]], valueOf(row)]),
  );
}

test('a frame is as wide as the larger side and all below; what is gone keeps its room', () => {
  const tree = treeOf(rowsOfT);
  // Serve has 100 of its own, 200 of db.Query before, and 450 of json.Marshal now.
  const widths = each(tree, (row) => Math.round(tree.width[row] * (499 + 750 + 399 + 1)));
  assert.deepEqual(widths, {
    root: 1_649,
    'cache.Fill': 499,
    'main.main': 750,
    'runtime.gcBgMark': 399,
    'tiny.one': 1,
    'svc.Serve': 750,
    'db.Query': 200,
    'json.Marshal': 450,
  });
  const marshal = each(tree, (row) => tree.share[row])['json.Marshal'];
  assert.equal(marshal, 450 / 1_100, 'shares are of what is compared');
});

test('steps go by the ratio of shares, and what chance explains has none', () => {
  const tree = treeOf(rowsOfT);
  const steps = diffSteps(tree, { base: 1_000, compared: 1_100 });
  // Serve went from 60.0 to 54.5 %, which may be chance with few samples (6.6 %).
  assert.deepEqual(
    each(tree, (row) => steps[row]),
    {
      root: 0,
      'cache.Fill': newStep,
      'main.main': 0,
      'runtime.gcBgMark': goneStep,
      'tiny.one': 0,
      'svc.Serve': 0,
      'db.Query': -4,
      'json.Marshal': 1,
    },
  );
  const few = diffSteps(tree, { base: 2, compared: 2 });
  assert.ok(
    few.every((step) => step === 0),
    'two samples say nothing',
  );
});

test('the change of a frame in words', () => {
  const tree = treeOf(rowsOfT);
  const texts = each(tree, (row) => changeText(tree, row).replace('\u202f', ' '));
  assert.equal(texts['root'], '±0 %');
  assert.equal(texts['cache.Fill'], 'new');
  assert.equal(texts['runtime.gcBgMark'], 'gone');
  assert.equal(texts['json.Marshal'], '+36.4 %');
  assert.equal(texts['db.Query'], '−77.3 %');
});

test('against nothing everything is new, and nothing against all is gone', () => {
  const swap = (rows: typeof rowsOfT, side: 'base' | 'now'): typeof rowsOfT =>
    rows.map(([name, parent, base, now]) =>
      side === 'base' ? [name, parent, 0n, now] : [name, parent, base, 0n],
    );
  const fresh = treeOf(swap(rowsOfT, 'base'));
  assert.equal(diffSteps(fresh, undefined)[0], newStep);
  const gone = treeOf(swap(rowsOfT, 'now'));
  assert.equal(diffSteps(gone, undefined)[0], goneStep);
  assert.equal(gone.width[0], 1);
});
