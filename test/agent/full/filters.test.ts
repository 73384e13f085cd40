// Tests the agent's filters by control group: a dropped group is not sampled once it is known.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestGroup } from '../../../bpf/testing/control-groups.ts';
import { whileRunning } from '../../../bpf/testing/programs.ts';
import { scratchDirectory } from '../../support/server.ts';
import { cleaner, startAgent, type TestAgent } from '../support.ts';

const clean = cleaner();
const loop = ['sh', '-c', 'while :; do :; done'] as const;

async function countSamples(agent: TestAgent, pid: number): Promise<number> {
  const { processes } = await agent.status();
  return processes.reduce((sum, row) => sum + (row.pid === pid ? row.samples : 0), 0);
}

function createGroup(name: string): TestGroup {
  const group = new TestGroup(`${name}-${process.pid}.service`);
  clean(() => group.remove());
  return group;
}

test('a unit that the flags do not name costs no samples, and new processes of others are sampled', async () => {
  const scratch = await scratchDirectory();
  clean(() => scratch.remove());
  const wanted = createGroup('wanted');
  const unwanted = createGroup('unwanted');
  const agent = await startAgent([
    `--local-store-directory=${join(scratch.path, 'profiles')}`,
    '--profiling-duration=1s',
    '--profiling-cpu-sampling-frequency=97',
    `--profiling-units=wanted-${process.pid}.service`,
  ]);
  clean(() => agent.stop());
  await whileRunning(loop, (kept) =>
    whileRunning(loop, async (dropped) => {
      wanted.add(kept);
      unwanted.add(dropped);
      const isSkipped = /^parca_agent_left_out_cgroups_total [1-9]/m;
      for (let left = 120; !isSkipped.test(await agent.metrics()); left -= 1) {
        assert.ok(left > 0, `no group is left out:\n${agent.log()}`);
        await sleep(500);
      }
      // Earlier samples may still be on their way.
      await sleep(4_000);
      const before = await agent.status();
      const [ofDropped, ofKept] = [
        await countSamples(agent, dropped),
        await countSamples(agent, kept),
      ];
      assert.ok(ofDropped > 0 && ofKept > 0, 'both were sampled until they were known');
      await whileRunning(loop, async (late) => {
        wanted.add(late);
        for (let left = 120; (await countSamples(agent, late)) < 10; left -= 1) {
          assert.ok(left > 0, 'a new process of the wanted unit is not sampled');
          await sleep(500);
        }
      });
      const after = await agent.status();
      assert.equal(await countSamples(agent, dropped), ofDropped);
      assert.ok((await countSamples(agent, kept)) > ofKept);
      const skipped = (status: typeof after): number => status.sampler?.skippedSamples ?? 0;
      assert.ok(skipped(after) > skipped(before) && skipped(before) > 0, 'they are counted');
      assert.match(await agent.metrics(), /^parca_agent_samples_skipped_in_kernel_total [1-9]/m);
    }),
  );
});
