// Tests that workers see the same lists after the lists are posted in shared memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RowRuns } from '../../model/merge.ts';
import type { ChunkTask } from './chunk-sums.ts';
import { chunkAt, shareLists } from './shared-lists.ts';

function section(buffer: SharedArrayBuffer, start: number, length: number) {
  return new Uint8Array(buffer, start, length);
}

test('lists: runs keep their used elements, in one shared buffer', () => {
  // The columns are longer than the lists, so their last elements must be ignored.
  const column = (first: number) => Uint32Array.of(first, first + 1, 99);
  const keep = Uint8Array.of(1, 0, 1);
  const runs: RowRuns = {
    length: 2,
    rowCount: 30,
    memory: column(0),
    valueStart: column(10),
    stackStart: column(20),
    rows: column(30),
    filters: {
      filters: [new Uint8Array(0), keep],
      filter: column(0),
      labelStart: column(40),
    },
  };
  const buffer = new SharedArrayBuffer(16);
  const segment = { buffer, words: new Uint32Array(buffer), values: new BigInt64Array(buffer) };
  const { lists, segments, buffers } = structuredClone(
    shareLists([{ runs, chunks: [], chunkCost: 0 }], [segment]),
  );
  assert.equal(segments.length, 1);
  assert.equal(buffers.length, 0);
  const [{ runs: got, chunks }] = lists;
  assert.equal(chunks.length, 0);
  assert.ok(got.rows.buffer instanceof SharedArrayBuffer && got.rows.buffer === got.memory.buffer);
  assert.deepEqual(
    { ...got },
    {
      length: 2,
      rowCount: 30,
      memory: Uint32Array.of(0, 1),
      valueStart: Uint32Array.of(10, 11),
      stackStart: Uint32Array.of(20, 21),
      rows: Uint32Array.of(30, 31),
      filters: {
        filters: [new Uint8Array(0), keep],
        filter: Uint32Array.of(0, 1),
        labelStart: Uint32Array.of(40, 41),
      },
    },
  );
});

test('lists: chunks come back as they were, buffers are sent once', () => {
  const [one, other] = [new SharedArrayBuffer(100), new SharedArrayBuffer(50)];
  new Uint8Array(one).forEach((_, i, bytes) => (bytes[i] = i));
  const keep = Uint8Array.of(0, 1);
  const whole = { valueColumn: 1, first: 0, end: 7, cost: 12 };
  const tasks: ChunkTask[] = [
    { chunk: { stacks: section(one, 3, 5), rows: undefined }, ...whole, rowFilter: undefined },
    {
      chunk: { stacks: section(one, 8, 2), rows: section(other, 0, 50) },
      valueColumn: 0,
      first: 2,
      end: 4,
      cost: 20,
      rowFilter: keep,
    },
    { chunk: { stacks: section(other, 1, 1), rows: undefined }, ...whole, rowFilter: keep },
  ];
  const { lists, buffers } = structuredClone(
    shareLists([{ runs: noRuns, chunks: tasks, chunkCost: 44 }], []),
  );
  assert.equal(buffers.length, 2);
  const [{ chunks }] = lists;
  assert.equal(chunks.cost, 44);
  const got = tasks.map((_, i) => chunkAt(chunks, i, buffers));
  assert.deepEqual(got, tasks);
});

const noRuns: RowRuns = {
  length: 0,
  rowCount: 0,
  filters: undefined,
  memory: new Uint32Array(0),
  valueStart: new Uint32Array(0),
  stackStart: new Uint32Array(0),
  rows: new Uint32Array(0),
};
