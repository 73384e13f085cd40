import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finishAtOnce, finishPausing, type Steps } from './pacer.ts';

function* threeSteps(log: string[]): Steps<number> {
  for (let i = 1; i <= 3; i += 1) {
    log.push(`step ${i}`);
    yield;
  }
  return 42;
}

test('steps are done one after another, with or without pauses', async () => {
  const log: string[] = [];
  assert.equal(finishAtOnce(threeSteps(log)), 42);
  assert.deepEqual(log.splice(0), ['step 1', 'step 2', 'step 3']);
  let calls = 0;
  const pause = (): Promise<void> | undefined => {
    calls += 1;
    return calls === 2 ? Promise.resolve().then(() => void log.push('pause')) : undefined;
  };
  assert.equal(await finishPausing(threeSteps(log), { pause }), 42);
  assert.deepEqual(log.splice(0), ['step 1', 'step 2', 'pause', 'step 3']);
  assert.equal(await finishPausing(threeSteps(log), undefined), 42);
  const failing = finishPausing(threeSteps(log), { pause: () => Promise.reject(new Error('no')) });
  await assert.rejects(failing, /no/);
});
