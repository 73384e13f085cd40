// Tests 10,000 processes that run for a millisecond each, next to a plain program.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratchDirectory, startServer } from '../../support/server.ts';
import {
  agentFlags,
  cleaner,
  countSamples,
  readStacks,
  startAgent,
  waitForRequests,
} from '../support.ts';
import { openWorkshop } from '../targets.ts';
import { watch } from '../watch.ts';

const frequencyHz = 997;

test('10,000 processes in a row', async () => {
  const cleanLater = cleaner();
  const scratch = await scratchDirectory();
  cleanLater(() => scratch.remove());
  const workshop = await openWorkshop(scratch.path);
  const server = await startServer({ storagePath: join(scratch.path, 'data') });
  cleanLater(() => server.stop());
  const agent = await startAgent(agentFlags(server, join(scratch.path, 'queue'), frequencyHz));
  cleanLater(() => agent.stop());
  await waitForRequests(agent, 3);
  const watching = watch(agent);
  const storm = spawn(join(scratch.path, 'hostile'), ['storm', '10000', '/bin/true'], {
    stdio: 'ignore',
  });
  const stormEnded = once(storm, 'exit');
  const used = await workshop.start(workshop.plain, 10);
  assert.deepEqual(await stormEnded, [0, null]);
  const longest = await watching.stop();
  const { sampler } = await agent.status();
  await waitForRequests(agent, 2);
  assert.equal(await agent.stop(), 0);
  const stacks = await readStacks(server, 'comm="busy-qsort"');
  const wanted = used.cpuSeconds * frequencyHz;
  const whole = countSamples(stacks, (frames) => frames.at(-1) === '_start');
  const samples = countSamples(stacks);
  process.stdout.write(
    `${samples} of ${wanted.toFixed(0)} samples, ${whole} whole; the agent held up for at most ` +
      `${longest.toFixed(0)} ms; ${sampler?.lostRecords} records lost\n`,
  );
  assert.ok(samples >= wanted * 0.99, `${samples} of ${wanted} samples`);
  assert.ok(whole >= samples * 0.99, `${whole} of ${samples} stacks are whole`);
  assert.ok(longest < 1_000, `the agent did not answer for ${longest} ms`);
});
