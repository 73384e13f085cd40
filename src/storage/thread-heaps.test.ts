// Tests that the heap limits of storage threads follow the server's memory limit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setMemoryLimit } from '../base/memory-limit.ts';
import { runningThreads } from '../base/threads/thread.ts';
import { createEncoderThread } from './chunk/chunk-encoder.ts';
import { createCompactionThreads } from './maintenance/compactor.ts';
import { createMergePool } from './sum/merge-pool.ts';

const mebi = 2 ** 20;

/** Returns the heap limit of each running thread, except `others`, in megabytes, by thread name. */
function heapsWithout(others: ReadonlySet<unknown>): Record<string, number | undefined> {
  const own = [...runningThreads()].filter((thread) => !others.has(thread));
  return Object.fromEntries(
    own.map(({ name, resourceLimits }) => [name, resourceLimits?.maxOldGenerationSizeMb]),
  );
}

test('heaps of threads are shares of the memory limit', async () => {
  // Other tests in this process may have left threads running.
  const others = new Set(runningThreads());
  setMemoryLimit(256 * mebi);
  const endless = new URL('data:text/javascript,setInterval(() => undefined, 1000);');
  const merging = createMergePool(endless, 1);
  const encoder = createEncoderThread();
  const stop = new AbortController();
  try {
    merging.wake();
    const encoding = encoder.encode(empty).catch(() => undefined);
    const request = { storagePath: '', id: '', inputs: [], sources: [] };
    const compacting = createCompactionThreads(endless).compact(
      {
        ...request,
        seeds: [1, 2, 3],
        level: 1,
        createdNanos: 0n,
        windowNanos: 0n,
        hashesFromNanos: 0n,
      },
      stop.signal,
    );
    assert.deepEqual(heapsWithout(others), { merge: 64, encode: 64, compaction: 128 });
    stop.abort();
    await assert.rejects(compacting, { code: 'cancelled' });
    await encoding;
  } finally {
    setMemoryLimit(Infinity);
    await Promise.all([merging.close(), encoder.close()]);
  }
});

/** A chunk without profiles. */
const empty = {
  profileCount: 0,
  timeNanos: new BigInt64Array(0),
  durationNanos: new BigInt64Array(0),
  period: new BigInt64Array(0),
  contentHash: undefined,
  rowStart: new Uint32Array(1),
  stacks: new Uint32Array(0),
  sampleLabels: undefined,
  values: [],
  sampleTimes: undefined,
};
