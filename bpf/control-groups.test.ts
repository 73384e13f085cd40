// Tests of control groups that the kernel program skips, with the kernel of this machine.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openSampler } from './index.ts';
import type { SampledProcess, Sampler } from './sampler.ts';
import { TestGroup } from './testing/control-groups.ts';
import { whileRunning } from './testing/programs.ts';

const loop = ['sh', '-c', 'while :; do :; done'] as const;
let sampler: Sampler;
let wanted: TestGroup;
let unwanted: TestGroup;

before(() => {
  wanted = new TestGroup(`test-wanted-${process.pid}`);
  unwanted = new TestGroup(`test-unwanted-${process.pid}`);
  sampler = openSampler({
    frequencyHz: 397,
    tableBytesMax: 8 << 20,
    ringBytes: 1 << 20,
    waitingBytesMax: 64 << 20,
    readsCgroups: true,
  });
});

after(async () => {
  sampler.close();
  await wanted.remove();
  await unwanted.remove();
});

/**
 * Counts samples by process for `millis`. Also returns the total number of samples that were
 * skipped so far.
 */
async function countSamples(
  millis: number,
): Promise<{ of(pid: number): number; find(pid: number): SampledProcess; skipped: number }> {
  sampler.take();
  await setTimeout(millis);
  const { samples, processes, counters } = sampler.take();
  return {
    of: (pid) => samples.process.filter((row) => processes[row].pid === pid).length,
    find: (pid) => processes.findLast((one) => one.pid === pid) ?? assert.fail('not sampled'),
    skipped: counters.skippedSamples,
  };
}

/**
 * Waits for ten samples of a process. This can take a while, because other programs may leave it
 * little CPU time.
 */
async function waitUntilSampled(pid: number): Promise<void> {
  for (let count = 0, left = 60; count < 10; left -= 1) {
    assert.ok(left > 0, 'it is not sampled');
    count += (await countSamples(500)).of(pid);
  }
}

test('nothing in a control group that is left out is sampled, whenever it starts', async () => {
  await whileRunning(loop, (kept) =>
    whileRunning(loop, async (dropped) => {
      wanted.add(kept);
      unwanted.add(dropped);
      await waitUntilSampled(kept);
      await waitUntilSampled(dropped);
      const known = await countSamples(1_000);
      assert.equal(known.find(kept).cgroupId, wanted.id);
      assert.equal(known.find(dropped).cgroupId, unwanted.id);
      assert.equal(
        known.find(dropped).cgroup.trim().split('/').at(-1),
        unwanted.path.split('/').at(-1),
      );
      assert.equal(known.skipped, 0);

      sampler.leaveOutCgroups([unwanted.id]);
      await setTimeout(500);
      const first = await countSamples(1_000);
      const last = await countSamples(2_000);
      assert.equal(last.of(dropped), 0);
      assert.ok(last.of(kept) > 0, 'the other group is sampled');
      assert.ok(last.skipped > first.skipped && first.skipped > 0, 'what is skipped is counted');

      await whileRunning(loop, (late) =>
        whileRunning(loop, async (never) => {
          wanted.add(late);
          unwanted.add(never);
          await waitUntilSampled(late);
          // Only samples from before the move can appear.
          const later = await countSamples(1_000);
          assert.equal(later.of(never), 0);
          // The filter applies to the group, not to the process.
          wanted.add(never);
          await waitUntilSampled(never);
          assert.equal((await countSamples(1_000)).find(never).cgroupId, wanted.id);
        }),
      );
    }),
  );
});
