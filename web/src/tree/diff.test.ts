// Tests of widths, colour steps and texts of a diff.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SamplingNoise } from '../../../src/report/sampling-noise.ts';
import { treeOfRows } from './build-tree.ts';
import {
  baseShare,
  chanceStep,
  changeText,
  type DiffNoise,
  diffSteps,
  type DiffTree,
  goneStep,
  computeHalfWidth,
  isDiffTree,
  newStep,
  smallLessStep,
} from './diff.ts';
import { unpackStrings } from './strings.ts';
import { noString } from './tree.ts';

/** Rows: name, parent row, value before and now; the first row is the root. */
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

function makeTree(rows: typeof rowsOfT): DiffTree {
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

/** Returns a value for each row, by name. */
function each<T>(tree: DiffTree, valueOf: (row: number) => T): Record<string, T> {
  const names = unpackStrings(tree.names);
  return Object.fromEntries(
    Array.from({ length: tree.count }, (_, row) => [names[tree.name[row]], valueOf(row)]),
  );
}

test('a frame is as wide as the larger side and all below; what is gone keeps its room', () => {
  const tree = makeTree(rowsOfT);
  // serve has a self value of 100; db.Query had 200 before; json.Marshal has 450 now.
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

/** Noise of shares, given the numbers of samples. */
function noiseOnShares(base: number, compared: number): DiffNoise {
  return { base, compared, areShares: true, factorError: 0 };
}

test('steps go by the ratio; no change, what may be chance and a small change differ', () => {
  const tree = makeTree(rowsOfT);
  // serve changed from 60.0 to 54.5 %, which is less than the first step.
  const want = {
    root: 0,
    'cache.Fill': newStep,
    'main.main': smallLessStep,
    'runtime.gcBgMark': goneStep,
    'tiny.one': chanceStep,
    'svc.Serve': smallLessStep,
    'db.Query': -4,
    'json.Marshal': 1,
  };
  const listSteps = (base: number, compared: number) => {
    const steps = diffSteps(tree, noiseOnShares(base, compared));
    return each(tree, (row) => steps[row]);
  };
  assert.deepEqual(listSteps(1_000, 1_100), want);
  const fewer = { ...want, 'main.main': chanceStep, 'svc.Serve': chanceStep };
  assert.deepEqual(listSteps(300, 330), fewer);
  const { root: _, ...others } = listSteps(2, 2);
  assert.ok(
    Object.values(others).every((step) => step === chanceStep),
    'two samples say nothing',
  );
  const same = makeTree(rowsOfT.map(([name, parent, base]) => [name, parent, base, base]));
  const steps = diffSteps(same, noiseOnShares(100_000, 100_000));
  assert.deepEqual([steps[2], steps[6]], [0, 0], 'it is known that nothing changed');
});

test('a frame is beyond chance by the rule of the list', () => {
  const tree = { ...makeTree(rowsOfT), baseFactor: 1.5 };
  const [total, baseTotal] = [1_100_000n, 900_000n];
  for (const areShares of [true, false]) {
    const factorError = areShares ? 0 : 0.02;
    // Factor that converts raw values of the base to the values that are compared.
    const factor = areShares ? Number(total) / Number(baseTotal) : (1.5 * 1_100_000) / 900_000;
    const ratio = { numerator: BigInt(Math.round(factor * 1e9)), denominator: 1_000_000_000n };
    const noise = new SamplingNoise(
      { total, sampleCount: 500 },
      { total: baseTotal, sampleCount: 400 },
      ratio,
      areShares,
      factorError,
    );
    for (let row = 1; row < tree.count; row += 1) {
      const now = BigInt(Math.round(tree.share[row] * Number(total)));
      const before = BigInt(Math.round(baseShare(tree, row) * Number(baseTotal)));
      const want = noise.halfWidth(now, before) / Number(total);
      const got = computeHalfWidth(tree, row, { base: 400, compared: 500, areShares, factorError });
      assert.ok(Math.abs(got / want - 1) < 1e-3, `${row}: ${got} and ${want}`);
    }
  }
});

test('with a factor that is not sure, large frames need a larger difference', () => {
  const rows = rowsOfT.map(([name, parent, base]) => [name, parent, base, base] as const);
  const tree = { ...makeTree(rows), baseFactor: 1.06 };
  const counts = { base: 100_000, compared: 100_000, areShares: false };
  const sure = diffSteps(tree, { ...counts, factorError: 0 });
  const unsure = diffSteps(tree, { ...counts, factorError: 0.04 });
  assert.deepEqual([sure[0], unsure[0]], [smallLessStep, chanceStep]);
});

test('the change of a frame in words', () => {
  const tree = makeTree(rowsOfT);
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
  const fresh = makeTree(swap(rowsOfT, 'base'));
  assert.equal(diffSteps(fresh, undefined)[0], newStep);
  const gone = makeTree(swap(rowsOfT, 'now'));
  assert.equal(diffSteps(gone, undefined)[0], goneStep);
  assert.equal(gone.width[0], 1);
});
