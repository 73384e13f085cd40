// Compares the results of the merge kernels with sums in a Map.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  noLabels,
  StackMerger,
  sumMagnitude,
  sumValues,
  type RowMemory,
  type RowRuns,
} from './merge.ts';
import type { MergedStacks } from './merged-stacks.ts';

let state = 99;
function random(below: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return (state >>> 8) % below;
}

/** Lays out rows in one buffer: all values first, then all stacks, then labels. */
function makeRuns(
  runLengths: readonly number[],
  stackCount: number,
  isFiltered: boolean,
): { runs: RowRuns; memories: RowMemory[]; expected: Map<number, bigint> } {
  const total = runLengths.reduce((a, b) => a + b, 0);
  const words = new Uint32Array(new ArrayBuffer(total * 16));
  const values = new BigInt64Array(words.buffer);
  const keep = Uint8Array.of(0, 1, 0, 1);
  const expected = new Map<number, bigint>();
  const starts: number[] = [];
  const filter = runLengths.map((_, i) => (isFiltered && i % 2 === 0 ? 1 : 0));
  const labelled = runLengths.map((_, i) => i % 4 === 0);
  let at = 0;
  runLengths.forEach((length, run) => {
    starts.push(at);
    for (let i = 0; i < length; i += 1, at += 1) {
      const stack = random(stackCount);
      const value = BigInt(random(2000) - 1000);
      const labels = random(4);
      values[at] = value;
      words[total * 2 + at] = stack;
      words[total * 3 + at] = labels;
      const passes = filter[run] === 0 || keep[labelled[run] ? labels : 0] === 1;
      if (passes) expected.set(stack, (expected.get(stack) ?? 0n) + value);
    }
  });
  const runs: RowRuns = {
    length: runLengths.length,
    rowCount: total,
    memory: new Uint32Array(runLengths.length),
    valueStart: Uint32Array.from(starts),
    stackStart: Uint32Array.from(starts, (start) => total * 2 + start),
    rows: Uint32Array.from(runLengths),
    filters: isFiltered
      ? {
          filters: [new Uint8Array(0), keep],
          filter: Uint32Array.from(filter),
          labelStart: Uint32Array.from(starts, (start, i) =>
            labelled[i] ? total * 3 + start : noLabels,
          ),
        }
      : undefined,
  };
  return { runs, memories: [{ values, words }], expected };
}

function entries({ stacks, values }: MergedStacks): [number, bigint][] {
  return Array.from(stacks, (stack, i) => [stack, values[i]]);
}

function sorted(sums: Map<number, bigint>): [number, bigint][] {
  return [...sums].filter(([, value]) => value !== 0n).toSorted(([a], [b]) => a - b);
}

test('merge: few and many rows for the number of stacks, with and without filters', () => {
  const merger = new StackMerger();
  for (let round = 0; round < 200; round += 1) {
    const stackCount = [1, 10, 1000, 100_000][round % 4];
    const lengths = Array.from({ length: random(20) }, () => random(40));
    const { runs, memories, expected } = makeRuns(lengths, stackCount, round % 3 === 0);
    const merged = merger.merge(runs, memories, stackCount);
    assert.deepEqual(entries(merged), sorted(expected), `round ${round}`);
    assert.equal(
      sumValues(merged.values),
      [...expected.values()].reduce((a, b) => a + b, 0n),
    );
  }
});

test('merge: a stack whose values cancel out is left out', () => {
  for (const stackCount of [3, 1000]) {
    const words = new Uint32Array(32);
    const values = new BigInt64Array(words.buffer);
    values.set([5n, -5n, 1n]);
    words.set([1, 1, 2], 16);
    const merged = new StackMerger().merge(
      {
        length: 1,
        rowCount: 3,
        filters: undefined,
        memory: Uint32Array.of(0),
        valueStart: Uint32Array.of(0),
        stackStart: Uint32Array.of(16),
        rows: Uint32Array.of(3),
      },
      [{ values, words }],
      stackCount,
    );
    assert.deepEqual(entries(merged), [[2, 1n]]);
  }
});

test('combine: parts are multiplied and added, exact beyond 2^53', () => {
  const merger = new StackMerger();
  const part = (stacks: number[], values: bigint[], factor: bigint): object => ({
    merged: { stacks: Uint32Array.from(stacks), values: BigInt64Array.from(values) },
    factor,
  });
  const big = 2n ** 60n + 1n;
  const parts = [part([1, 5], [3n, big], 1n), part([2, 5], [4n, 1n], 10n)] as never;
  for (const stackCount of [8, 10_000]) {
    assert.deepEqual(entries(merger.combine(parts, stackCount)), [
      [1, 3n],
      [2, 40n],
      [5, big + 10n],
    ]);
  }
});

test('collapse: sums carry over to the high word, down and up, and wrap past 2^63', () => {
  const values = [2n ** 32n - 1n, 1n, -1n, -(2n ** 32n), 2n ** 31n, -(2n ** 63n), 2n ** 63n - 1n];
  for (const stackCount of [4, 10_000]) {
    for (const a of values) {
      for (const b of values) {
        const rows = [a, b, 7n].map((value) => ({
          stacks: Uint32Array.of(3),
          values: BigInt64Array.of(value),
        }));
        const { stacks, values: sums } = new StackMerger().collapse(rows, 3, stackCount);
        const sum = BigInt.asIntN(64, a + b + 7n);
        assert.deepEqual([...stacks, ...sums], sum === 0n ? [] : [3, sum], `${a} ${b}`);
      }
    }
  }
});

test('sums: exact, and a magnitude that bounds them', () => {
  const values = BigInt64Array.of(2n ** 62n, -1n, -(2n ** 61n));
  assert.equal(sumValues(values), 2n ** 62n - 1n - 2n ** 61n);
  assert.equal(sumMagnitude(values), 2 ** 62 + 2 ** 61);
  assert.equal(sumMagnitude(new BigInt64Array(0)), 0);
});
