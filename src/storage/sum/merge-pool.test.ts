// Tests of merging in worker threads.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errorCode, errorMessage } from '../../base/errors.ts';
import { StackMerger, type RowRuns } from '../../model/merge.ts';
import type { ChunkTask } from './chunk-sums.ts';
import { QueryContext } from '../../query/running/context.ts';
import { createMergePool, type MergeTask } from './merge-pool.ts';
import type { MergeSteps } from './merge-steps.ts';
import { cutIntoChunks } from './testing/test-chunks.ts';

const pool = createMergePool();
after(() => pool.close());
const context = createContext(new AbortController().signal);

function createContext(signal: AbortSignal): QueryContext {
  return new QueryContext({ signal });
}

const stackCount = 5000;

function makeTask(runCount: number, rows: number, firstStack = 0): MergeTask {
  const total = runCount * rows;
  const buffer = new SharedArrayBuffer(total * 16);
  const words = new Uint32Array(buffer);
  const values = new BigInt64Array(buffer);
  for (let i = 0; i < total; i += 1) {
    values[i] = BigInt(i % 1000);
    words[total * 2 + i] = firstStack + ((i * 7919) % stackCount);
  }
  const starts = Uint32Array.from({ length: runCount }, (_, i) => i * rows);
  const runs: RowRuns = {
    length: runCount,
    rowCount: total,
    memory: new Uint32Array(runCount),
    valueStart: starts,
    stackStart: starts.map((start) => total * 2 + start),
    rows: new Uint32Array(runCount).fill(rows),
    filters: undefined,
  };
  const lists = [{ runs, chunks: [], chunkCost: 0 }];
  return { lists, segments: [{ buffer, words, values }], stackCount };
}

test('pool: parts of a merge add up to the same as one merge', async () => {
  const task = makeTask(2000, 50);
  const merger = new StackMerger();
  const want = merger.merge(task.lists[0].runs, task.segments, stackCount);
  const combined = async (): Promise<unknown> => {
    const { sums } = await pool.merge(task, context);
    return merger.combine(
      sums.map(({ merged }) => ({ merged, factor: 1n })),
      stackCount,
    );
  };
  assert.deepEqual(await combined(), want);
  assert.deepEqual(await Promise.all([combined(), combined(), combined()]), [want, want, want]);
  const small = makeTask(1, 3);
  const { sums } = await pool.merge(small, context);
  const merged = merger.merge(small.lists[0].runs, small.segments, stackCount);
  assert.deepEqual(sums, [{ list: 0, merged }]);
});

test('pool: each of many lists has its own sum', async () => {
  const whole = makeTask(3000, 50);
  const [{ runs }] = whole.lists;
  const sizes = [1, 2000, 0, 900, 99];
  let first = 0;
  const lists = sizes.map((length) => {
    const from = first;
    first += length;
    const column = (of: Uint32Array): Uint32Array => of.slice(from, first);
    const rowCount = length * 50;
    return {
      runs: {
        length,
        rowCount,
        filters: undefined,
        memory: column(runs.memory),
        valueStart: column(runs.valueStart),
        stackStart: column(runs.stackStart),
        rows: column(runs.rows),
      },
      chunks: [],
      chunkCost: 0,
    };
  });
  const merger = new StackMerger();
  const { sums } = await pool.merge({ ...whole, lists }, context);
  for (const [list, { runs: own }] of lists.entries()) {
    const parts = sums.filter((sum) => sum.list === list);
    const got = merger.combine(
      parts.map(({ merged }) => ({ merged, factor: 1n })),
      stackCount,
    );
    assert.deepEqual(got, merger.merge(own, whole.segments, stackCount), `list ${list}`);
  }
});

test('pool: chunks are summed by workers, and damaged ones noted', async () => {
  const profiles = Array.from({ length: 2000 }, (_, i) => ({
    timeNanos: BigInt(i),
    stacks: Array.from({ length: 50 }, (__, row) => 1 + ((i * 7 + row * 31) % 4000)),
    values: Array.from({ length: 50 }, (__, row) => BigInt(i + row)),
    sampleLabels: [],
  }));
  const tasks: ChunkTask[] = cutIntoChunks(profiles, 1999, false).map((rows) => {
    const { chunk, valueColumn, first, end, rowCount } = rows;
    return { chunk, valueColumn, first, end, cost: rowCount, rowFilter: undefined };
  });
  const merger = new StackMerger();
  const want = new BigInt64Array(stackCount);
  for (const { stacks, values } of profiles)
    stacks.forEach((stack, i) => (want[stack] += values[i]));
  const [{ runs }] = makeTask(0, 0).lists;
  const damaged = { ...tasks[0], chunk: { ...tasks[0].chunk, stacks: shared(3) } };
  const lists = [{ runs, chunks: [...tasks, damaged], chunkCost: 100_000 }];
  const { sums, missing } = await pool.merge({ lists, segments: [], stackCount }, context);
  const parts = sums.map(({ merged }) => merged);
  const { stacks, values } = merger.collapse(parts, 1e6, stackCount);
  for (const [i, stack] of stacks.entries()) assert.equal(values[i], want[stack]);
  assert.equal(stacks.length, want.filter((value) => value !== 0n).length);
  assert.ok(missing.length > 0 && missing.every((one) => one.startsWith('cannot read chunk')));
});

const shared = (length: number) => new Uint8Array(new SharedArrayBuffer(length));

test('pool: a failing merge is an internal error and does not harm the next', async () => {
  // A stack whose number is not below the stack count cannot be summed.
  const broken = makeTask(10, 1000, stackCount);
  await assert.rejects(pool.merge(broken, context), (error) => errorCode(error) === 'internal');
  assert.ok((await pool.merge(makeTask(10, 10), context)).sums.length > 0);
});

test('pool: cancelled before and while it runs', async () => {
  const isCancelled = (error: unknown): boolean => errorCode(error) === 'cancelled';
  await assert.rejects(pool.merge(makeTask(1, 1), createContext(AbortSignal.abort())), isCancelled);
  const controller = new AbortController();
  const running = pool.merge(makeTask(20_000, 20), createContext(controller.signal));
  controller.abort();
  await assert.rejects(running, isCancelled);
});

test('pool: after a cancel each worker ends with its current step', async () => {
  // This is the real worker, but it reports each step before it begins it.
  const script = new URL(`data:text/javascript,
    import { parentPort } from 'node:worker_threads';
    const channel = new BroadcastChannel('steps of merge-pool.test');
    parentPort.on('message', ({ steps }) => channel.postMessage(steps));
    await import(${JSON.stringify(new URL('./merge-worker.ts', import.meta.url).href)});`);
  const channel = new BroadcastChannel('steps of merge-pool.test');
  const told = once(channel, 'message') as Promise<[MessageEvent<MergeSteps>]>;
  const own = createMergePool(script);
  const task = makeTask(1, 65_536);
  // The same rows are summed again and again, which takes several seconds.
  const stepCount = 100_000;
  const [{ runs, ...list }] = task.lists;
  const again = (column: Uint32Array) => new Uint32Array(stepCount).fill(column[0]);
  const many: RowRuns = {
    length: stepCount,
    rowCount: stepCount * 65_536,
    filters: undefined,
    memory: again(runs.memory),
    valueStart: again(runs.valueStart),
    stackStart: again(runs.stackStart),
    rows: again(runs.rows),
  };
  const controller = new AbortController();
  const merging = own.merge(
    { ...task, lists: [{ ...list, runs: many }] },
    createContext(controller.signal),
  );
  const failed = assert.rejects(merging, (error) => errorCode(error) === 'cancelled');
  const [{ data: steps }] = await told;
  const taken = (): number => Atomics.load(steps.state, 0);
  while (taken() < 5) await new Promise(setImmediate);
  controller.abort();
  const atCancel = taken();
  await failed;
  assert.ok(atCancel < stepCount);
  // A worker that checked for a cancellation just before it happened takes one more step.
  assert.ok(taken() <= atCancel + 2, `${taken() - atCancel} steps were taken`);
  channel.close();
  await own.close();
});

test('pool: memory that is sent again is not counted again, lists are', async () => {
  const script = new URL(`data:text/javascript,
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ steps, newBytes }) =>
      parentPort.postMessage({ stepCount: steps.source.length, sums: [], missing: [newBytes] }));`);
  const own = createMergePool(script, 1);
  const task = makeTask(3, 10);
  // The request has three runs of four words each, and a segment with 30 rows of 16 bytes.
  const lists = 3 * 4 * 4;
  for (const want of [lists + 30 * 16, lists]) {
    assert.deepEqual((await own.merge(task, context)).missing, [want]);
  }
  await own.close();
});

test('pool: a dead worker fails its merges and is replaced', async () => {
  const script = new URL(`data:text/javascript,
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => process.exit(7));`);
  const own = createMergePool(script);
  // A pool that kept using the dead worker would wait forever.
  for (let i = 0; i < 2; i += 1) {
    await assert.rejects(own.merge(makeTask(10, 10), context), (error) => {
      assert.equal(errorCode(error), 'internal');
      assert.match(errorMessage(error), /exited with code 7/);
      return true;
    });
  }
  await own.close();
});

test('pool: workers are ready soon after they are woken, and merge then', async () => {
  const own = createMergePool();
  assert.equal(own.wake(), false);
  while (!own.wake()) await setTimeout(1);
  const { sums } = await own.merge(makeTask(10, 10), context);
  assert.equal(sums.length > 0, true);
  await own.close();
  assert.equal(own.wake(), false);
});

test('pool: a worker that died when it was woken is replaced', async () => {
  const script = new URL(`data:text/javascript,
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => process.exit(7));`);
  const own = createMergePool(script);
  own.wake();
  await assert.rejects(own.merge(makeTask(10, 10), context), /exited with code 7/);
  assert.equal(own.wake(), false);
  await own.close();
});

test('pool: closing fails the merges under way, and later merges are refused', async () => {
  const own = createMergePool();
  const pending = own.merge(makeTask(20_000, 50), context);
  const failed = assert.rejects(pending, (error) => errorCode(error) === 'internal');
  await own.close();
  await failed;
  const refused = own.merge(makeTask(1, 1), context);
  await assert.rejects(refused, (error) => errorCode(error) === 'unavailable');
  await own.close();
});

test('pool: a reply that comes after the close does not end a process that waits for it', async () => {
  // The process does not read the answer of the worker before it closes the pool.
  const contextModule = new URL('../../query/running/context.ts', import.meta.url);
  const program = `
    import { createMergePool } from ${JSON.stringify(new URL('./merge-pool.ts', import.meta.url))};
    import { QueryContext } from ${JSON.stringify(contextModule)};
    const pool = createMergePool(new URL(\`data:text/javascript,
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ steps, segments: [flag] }) => {
        parentPort.postMessage({ stepCount: steps.source.length, sums: [], missing: [] });
        Atomics.store(new Int32Array(flag), 0, 1);
        Atomics.notify(new Int32Array(flag), 0);
      });\`), 1);
    const buffer = new SharedArrayBuffer(4);
    const column = new Uint32Array(1);
    const starts = { valueStart: column, stackStart: column };
    const runs = { length: 1, memory: column, rows: column, ...starts };
    const task = { lists: [{ runs, chunks: [] }], segments: [{ buffer }], stackCount: 1 };
    void pool.merge(task, new QueryContext({ signal: new AbortController().signal }));
    Atomics.wait(new Int32Array(buffer), 0, 0);
    await pool.close();
    console.log('closed');`;
  const flags = ['--input-type=module', '--eval', program];
  assert.equal((await promisify(execFile)(process.execPath, flags)).stdout, 'closed\n');
});
