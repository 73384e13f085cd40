import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../fake/clock.ts';
import { mainIdleCpuMax, mainIdleMillis } from '../limits.ts';
import { collectWhenIdle } from './idle-memory.ts';
import { cpuMillisOfThread } from './turn-meter.ts';

test('dead objects are collected while the thread has nothing to do', async () => {
  const clock = createFakeClock();
  let collections = 0;
  const stop = collectWhenIdle(clock, () => (collections += 1));
  const pass = (): Promise<void> => clock.advance(mainIdleMillis);
  await pass();
  assert.equal(collections, 1);
  const busyUntil = cpuMillisOfThread() + mainIdleMillis * mainIdleCpuMax;
  while (cpuMillisOfThread() < busyUntil);
  await pass();
  assert.equal(collections, 1, 'it was busy');
  await pass();
  assert.equal(collections, 2);
  stop();
  await pass();
  assert.equal(collections, 2);
});
