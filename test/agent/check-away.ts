// Tests an agent whose server is away for a while and is then killed several times: no sample is
// lost or counted twice.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { copyFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { getText, type JsonSeries } from '../support/json-api.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';
import {
  agentFlags,
  assertSampled,
  cleaner,
  countSamples,
  cpuType,
  readStacks,
  startAgent,
  type TestAgent,
  waitForRequests,
} from './support.ts';
import { openWorkshop } from './targets.ts';

const frequencyHz = 997;

export interface Away {
  /**
   * CPU time of the program in seconds; the program must run for longer than the server is away.
   */
  readonly cpuSeconds: number;
  /** Seconds for which the server is away. */
  readonly awaySeconds: number;
  /** Number of times that the server is killed after that, while it receives requests. */
  readonly kills: number;
}

/** Adds a test in which the server is away once, and is then killed several times. */
export function testAway({ cpuSeconds, awaySeconds, kills }: Away): void {
  test(`${awaySeconds} s without a server, then ${kills} kills`, async () => {
    const cleanLater = cleaner();
    const scratch = await scratchDirectory();
    cleanLater(() => scratch.remove());
    const workshop = await openWorkshop(scratch.path);
    // Agents also see the programs of other tests, so this program has a unique name.
    const comm = `busy-away-${awaySeconds}`;
    const [program, ...rest] = workshop.plain.command;
    await copyFile(program, join(scratch.path, comm));
    const target = { ...workshop.plain, command: [join(scratch.path, comm), ...rest] };
    const storagePath = join(scratch.path, 'data');
    let server = await startServer({ storagePath });
    cleanLater(() => server.stop());
    const flags = [`--http-address=${server.address}`];
    const agent = await startAgent(agentFlags(server, join(scratch.path, 'queue'), frequencyHz));
    cleanLater(() => agent.stop());
    await waitForRequests(agent, 2);
    const running = workshop.start(target, cpuSeconds);
    await waitForRequests(agent, 1);
    const killedMillis = Date.now();
    await server.kill();
    await agent.waitFor('waiting on the disk', ({ queue }) => (queue?.diskBytes ?? 0) > 0);
    await sleep(awaySeconds * 1_000);
    // A batch takes longer on a busy machine, and the first batch may have begun earlier.
    await agent.waitFor('batches that wait', ({ queue }) => (queue?.requests ?? 0) >= 3, 240);
    const backMillis = Date.now();
    server = await startServer({ storagePath, flags });
    for (let i = 0; i < kills; i += 1) {
      await waitForRequests(agent, 1);
      // The server is killed within a request, or between two requests.
      await sleep(((i * 37) % 100) * 10);
      await server.kill();
      server = await startServer({ storagePath, flags });
    }
    const used = await running;
    const samples = await settledSamples(agent, comm);
    const { queue } = await agent.status();
    assert.equal(queue?.droppedRequests, 0);
    assert.equal(await agent.stop(), 0);

    const stored = countSamples(await readStacks(server, `comm="${comm}"`));
    // The queue is empty by now, so the counts should be equal, but this has not been observed
    // often enough to rely on it. If a batch is stored twice, the samples exceed the CPU time by a
    // sixth.
    assert.ok(stored >= samples, `${stored} samples are stored, the agent has taken ${samples}`);
    assertSampled(stored, used, frequencyHz, 0.05);
    await checkTimes(server, comm, killedMillis, backMillis);
  });
}

/** Waits until the agent has sent all samples of an ended program, and returns their number. */
async function settledSamples(agent: TestAgent, comm: string): Promise<number> {
  for (let before = -1; ;) {
    // Waits for the queue first, because queued requests are sent without a new batch.
    await agent.waitFor('the queue being sent', ({ queue }) => queue?.requests === 0, 240);
    await waitForRequests(agent, 2);
    const { processes } = await agent.status();
    const sampled = processes.filter((process) => process.comm === comm);
    const samples = sampled.reduce((sum, process) => sum + process.samples, 0);
    if (samples === before) return samples;
    before = samples;
  }
}

/** Checks that there are profiles from the time without a server, and none in the future. */
async function checkTimes(
  server: TestServer,
  comm: string,
  fromMillis: number,
  toMillis: number,
): Promise<void> {
  const answer = await getText(server.url, '/profiles/query_range', {
    query: `${cpuType}{comm="${comm}"}`,
    start: new Date(fromMillis - 600_000).toISOString(),
    end: new Date(Date.now() + 600_000).toISOString(),
    step: '1s',
  });
  const [{ samples }] = (JSON.parse(answer) as { readonly series: readonly JsonSeries[] }).series;
  const times = samples.map(({ timestamp }) => Date.parse(timestamp));
  assert.ok(Math.max(...times) <= Date.now(), `a profile of ${Math.max(...times)}`);
  const away = times.filter((millis) => millis >= fromMillis && millis <= toMillis);
  assert.ok(away.length > 0, `no profile from ${fromMillis} to ${toMillis}`);
}
