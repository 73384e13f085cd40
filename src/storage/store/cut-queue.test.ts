import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, type FakeClock } from '../../base/fake/clock.ts';
import { silentLogger } from '../../base/logger.ts';
import { noMetrics } from '../../base/metrics.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { CutQueue } from './cut-queue.ts';
import { Epoch } from '../wal/epoch.ts';
import { Head } from '../head/head.ts';
import type { Part } from '../part.ts';
import { PartList } from './part-list.ts';
import { createStorageMetrics } from '../storage-metrics.ts';

interface World {
  readonly clock: FakeClock;
  readonly cutter: CutQueue<Part>;
  /** Ends the current attempt to cut. */
  end(failure?: Error): void;
}

/** Starts with one head that is being cut. */
function cutting(): World {
  const clock = createFakeClock();
  const parts = new PartList<Part>();
  let attempt = Promise.withResolvers<void>();
  const cutter = new CutQueue<Part>({
    clock,
    parts,
    logger: silentLogger,
    metrics: createStorageMetrics(noMetrics),
    newCut: () => ({ write: () => attempt.promise, publish: async () => [] }),
    removeLog: async () => undefined,
    onDiskFull: async () => undefined,
    retryMillisMin: 60_000,
  });
  const epoch = new Epoch(1, new Head(new Dictionary([1, 2, 3]), 4096), clock);
  parts.addHead(epoch.part);
  void cutter.add(epoch);
  cutter.drained(epoch);
  const end = (failure?: Error): void => {
    const { resolve, reject } = attempt;
    attempt = Promise.withResolvers();
    if (failure === undefined) resolve();
    else reject(failure);
  };
  return { clock, cutter, end };
}

async function check(act: (world: World) => unknown): Promise<void> {
  const world = cutting();
  let isOver = false;
  void world.cutter.untilIdle(2_000).then(() => {
    isOver = true;
  });
  await world.clock.advance(1_999);
  assert.equal(isOver, false);
  await act(world);
  await world.clock.advance(0);
  assert.equal(isOver, true);
}

test('a wait for cuts ends when all are done', () => check(({ end }) => end()));

test('a wait for cuts ends when one fails', async () => {
  await check(async ({ clock, cutter, end }) => {
    end(new Error('EIO'));
    await clock.advance(0);
    assert.equal(cutter.backlog, 1);
    await cutter.untilIdle(2_000);
  });
});

test('a wait for cuts ends after a while', () => check(({ clock }) => clock.advance(1)));

test('a wait for cuts ends when the store closes', async () => {
  await check(({ cutter, end }) => {
    const closed = cutter.close(1_000);
    end();
    return closed;
  });
});
