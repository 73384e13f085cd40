import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../base/random.ts';
import { createMemoryStore } from './memory-store.ts';
import type { LocationIndex } from '../../model/rows.ts';

test('what is committed is visible, once; the rest is not', async () => {
  const store = createMemoryStore(seededRandom(1));
  const write = async (job: string, timeNanos: bigint, isCommitted: boolean): Promise<void> => {
    const appender = store.appender();
    const stack = appender.dictionary.stacks.add(Number(timeNanos), 7, [1 as LocationIndex]);
    appender.append({
      labels: [{ name: 'job', value: job }],
      name: 'cpu',
      timeNanos,
      durationNanos: 1n,
      sampleTypes: [{ type: 'samples', unit: 'count' }],
      periodType: { type: 'cpu', unit: 'nanoseconds' },
      period: 1n,
      rowCount: 1,
      stacks: Uint32Array.of(stack),
      values: [BigInt64Array.of(5n)],
      sampleLabels: undefined,
      contentHash: timeNanos,
    });
    if (isCommitted) await appender.commit();
  };
  await write('a', 1n, true);
  await write('a', 1n, true);
  await write('b', 2n, true);
  await write('c', 3n, false);
  const query = { matchers: [], profileType: undefined, range: { from: 0n, to: 9n } };
  using selection = await store.querier.select(query);
  assert.deepEqual(
    selection.series.map(({ profileCount }) => profileCount),
    [1, 1],
  );
  assert.deepEqual(await store.querier.labelValues('job', query), ['a', 'b']);
});
