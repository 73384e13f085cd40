// Tests of the steps that merge workers share.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RowRuns } from '../../model/merge.ts';
import type { ChunkTask } from './chunk-sums.ts';
import { cutIntoSteps, sourceNumber, stopSteps, takeStep } from './merge-steps.ts';
import type { ListTask } from './shared-lists.ts';

function makeList(rows: readonly number[], chunkCosts: readonly number[]): ListTask {
  const column = new Uint32Array(rows.length);
  const runs: RowRuns = {
    length: rows.length,
    rowCount: 0,
    filters: undefined,
    memory: column,
    valueStart: column,
    stackStart: column,
    rows: Uint32Array.from(rows),
  };
  const stacks = new Uint8Array(new SharedArrayBuffer(1));
  const chunks = chunkCosts.map((cost): ChunkTask => {
    const range = { valueColumn: 0, first: 0, end: 1, rowFilter: undefined };
    return { chunk: { stacks, rows: undefined }, ...range, cost };
  });
  return { runs, chunks, chunkCost: 0 };
}

test('steps: small elements share a step, large ones have their own, and each step has one source', () => {
  const lists = [
    makeList([40_000, 30_000, 1, 2, 200_000, 3], [10, 20]),
    makeList([], [70_000, 70_000]),
    makeList([5], []),
  ];
  const { source, from, to } = cutIntoSteps(lists);
  const steps = Array.from(source, (of, i) => ({ of, from: from[i], to: to[i] }));
  assert.deepEqual(steps, [
    { of: sourceNumber(0, false), from: 0, to: 2 },
    { of: sourceNumber(0, false), from: 2, to: 5 },
    { of: sourceNumber(0, false), from: 5, to: 6 },
    { of: sourceNumber(0, true), from: 0, to: 2 },
    { of: sourceNumber(1, true), from: 0, to: 1 },
    { of: sourceNumber(1, true), from: 1, to: 2 },
    { of: sourceNumber(2, false), from: 0, to: 1 },
  ]);
});

test('steps: each step is taken once, and none after the stop', () => {
  const all = cutIntoSteps([makeList([1e5, 1e5, 1e5], [])]);
  const taken = Array.from({ length: 5 }, () => takeStep(all));
  assert.deepEqual(taken, [0, 1, 2, undefined, undefined]);
  const stopped = cutIntoSteps([makeList([1e5, 1e5], [])]);
  assert.equal(takeStep(stopped), 0);
  stopSteps(stopped);
  assert.equal(takeStep(stopped), undefined);
  assert.deepEqual(takeStep(cutIntoSteps([])), undefined);
});
