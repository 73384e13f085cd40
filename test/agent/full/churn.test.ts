// Tests an agent for 20 minutes while programs start and end: its memory does not grow, and it
// loads its kernel programs only once.
//
// TEST_AGENT_MINUTES changes the duration.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../../src/base/random.ts';
import { scratchDirectory, startServer } from '../../support/server.ts';
import { cleaner, startAgent } from '../support.ts';
import { openWorkshop, type Target, type Workshop } from '../targets.ts';

const minutes = Number(process.env['TEST_AGENT_MINUTES'] ?? 20);
const atOnce = 3;

interface Reading {
  readonly millis: number;
  readonly memoryBytes: number;
}

test(`memory stays flat for ${minutes} minutes of churn`, async () => {
  const cleanLater = cleaner();
  const scratch = await scratchDirectory();
  cleanLater(() => scratch.remove());
  const workshop = await openWorkshop(scratch.path);
  const server = await startServer({ storagePath: join(scratch.path, 'data') });
  cleanLater(() => server.stop());
  const agent = await startAgent([
    `--remote-store-address=${server.address}`,
    '--remote-store-insecure',
    `--queue-directory=${join(scratch.path, 'queue')}`,
  ]);
  cleanLater(() => agent.stop());
  const end = performance.now() + minutes * 60_000;
  const readings: Reading[] = [];
  const churn = Array.from({ length: atOnce }, (_, i) =>
    startPrograms(workshop, scratch.path, i, end),
  );
  while (performance.now() < end) {
    await sleep(2_000);
    const { memoryBytes } = await agent.status();
    readings.push({ millis: performance.now(), memoryBytes });
  }
  const counts = await Promise.all(churn);
  const { sampler, cpuSeconds, processes } = await agent.status();
  assert.ok(sampler !== undefined);
  assert.equal(await agent.stop(), 0);

  const third = (minutes * 60_000) / 3;
  const meanMemory = (from: number): number => {
    const chosen = readings.filter(({ millis }) => millis >= from && millis < from + third);
    return chosen.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0) / chosen.length;
  };
  const [first, second, last] = [3, 2, 1].map((back) => meanMemory(end - back * third));
  const mebi = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);
  process.stdout.write(
    `${counts.reduce((sum, count) => sum + count, 0)} programs; memory by thirds ` +
      `${[first, second, last].map(mebi).join(', ')} MiB; ${cpuSeconds.toFixed(1)} CPU seconds; ` +
      `${JSON.stringify({ ...sampler, stacksByStatus: sampler.stacksByStatus })}\n`,
  );
  assert.ok(processes.length > 50, `${processes.length} processes`);
  assert.ok(Math.abs(last / second - 1) <= 0.05, `memory went from ${second} to ${last} bytes`);
  assert.deepEqual([sampler.lostSamples, sampler.droppedSamples], [0, 0]);
  // Loading programs, attaching them or making tables may fail once.
  const problems = agent
    .log()
    .split('\n')
    .filter((line) => /level=(warn|error)/.test(line));
  assert.deepEqual(problems, []);
});

/** Starts one program after another until `end`; returns the number of programs. */
async function startPrograms(
  workshop: Workshop,
  folder: string,
  number: number,
  end: number,
): Promise<number> {
  const source = seededRandom(number + 1);
  const random = (): number => source.uint32() / 2 ** 32;
  const isChosen = ({ name }: Target): boolean =>
    !['deleted', 'java', 'node with a map'].includes(name);
  const targets = workshop.targets.filter(isChosen);
  let count = 0;
  while (performance.now() < end) {
    const seconds = 0.01 + random() ** 4;
    const kind = random();
    if (kind < 0.5) await runShell('ls -lR /usr/lib/x86_64-linux-gnu | sort | tail -1 >/dev/null');
    else if (kind < 0.6) await runNewProgram(folder, number, seconds);
    else await workshop.start(targets[Math.floor(random() * targets.length)], seconds);
    count += 1;
    await sleep(random() * 300);
  }
  return count;
}

async function runShell(script: string): Promise<void> {
  const child = spawn('sh', ['-c', script], { stdio: 'ignore' });
  await once(child, 'exit');
}

/** Runs a file that no process has run before, so that the agent makes a new table. */
async function runNewProgram(folder: string, number: number, seconds: number): Promise<void> {
  const path = join(folder, `new-${number}`);
  await rm(path, { force: true });
  await copyFile(join(folder, 'busy-deleted'), path);
  // Changes the file's size, because the size identifies a file without a build id.
  await appendFile(path, 'x'.repeat(1 + (Math.floor(performance.now()) % 100_000)));
  const child = spawn(path, ['qsort', String(seconds)], { stdio: 'ignore' });
  await once(child, 'exit');
}
