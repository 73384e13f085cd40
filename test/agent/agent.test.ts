// The agent on this host's kernel: programs in five languages, their labels, a server that goes.
//
// Counts are compared with the CPU time that the programs say they used. At 997 samples a second,
// 3 seconds make 3,000 samples, and chance stays below a twentieth.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { getText } from '../support/json-api.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';
import {
  type AgentStatusJson,
  buildPrograms,
  type BusyProgram,
  startAgent,
  startProgram,
  type TestAgent,
} from './support.ts';

const frequencyHz = 997;
const cpuSeconds = 3;
const cpu = 'parca_agent:samples:count:cpu:nanoseconds:delta';
const containerId = '0123456789abcdef'.repeat(4);

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let programs: readonly BusyProgram[];

before(async () => {
  scratch = await scratchDirectory();
  programs = await buildPrograms(scratch.path);
});
after(() => scratch.remove());

/** Share of the time by function, and the number of samples. */
interface Top {
  readonly samples: number;
  readonly flat: ReadonlyMap<string, number>;
  readonly cumulative: ReadonlyMap<string, number>;
}

/** Asks until the server has looked up the names of all addresses. */
async function ask(server: TestServer, matchers: string): Promise<Top> {
  for (;;) {
    const answer = await askOnce(server, matchers);
    if (!(answer.warnings ?? []).some((text) => text.includes('being looked up'))) {
      return topOf(answer);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

interface TopAnswer {
  readonly total: string;
  readonly warnings?: readonly string[];
  readonly top: {
    readonly list: readonly {
      readonly meta?: { readonly function?: { readonly name?: string } };
      readonly flat?: string;
      readonly cumulative: string;
    }[];
  };
}

async function askOnce(server: TestServer, matchers: string): Promise<TopAnswer> {
  const answer = await getText(server.url, '/profiles/query', {
    mode: 'MODE_MERGE',
    reportType: 'REPORT_TYPE_TOP',
    'merge.query': `${cpu}{${matchers}}`,
    'merge.start': new Date(Date.now() - 3_600_000).toISOString(),
    'merge.end': new Date(Date.now() + 3_600_000).toISOString(),
  });
  return JSON.parse(answer) as TopAnswer;
}

function topOf({ total, top }: TopAnswer): Top {
  const shares = (read: (row: (typeof top.list)[number]) => string): Map<string, number> =>
    new Map(
      top.list.map((row) => [row.meta?.function?.name ?? '', Number(read(row)) / Number(total)]),
    );
  return {
    samples: (Number(total) * frequencyHz) / 1e9,
    flat: shares(({ flat }) => flat ?? '0'),
    cumulative: shares(({ cumulative }) => cumulative),
  };
}

/** The sum of shares of functions whose name has `part`. */
function shareOf(shares: ReadonlyMap<string, number>, part: string): number {
  let sum = 0;
  for (const [name, share] of shares) if (name.includes(part)) sum += share;
  return sum;
}

function assertNear(actual: number, wanted: number, tolerance: number, what: string): void {
  const isNear = Math.abs(actual - wanted) <= tolerance;
  assert.ok(isNear, `${what}: ${actual}, not ${wanted} within ${tolerance}`);
}

async function waitFor(
  agent: TestAgent,
  what: string,
  isSo: (status: AgentStatusJson) => boolean,
): Promise<void> {
  const end = performance.now() + 60_000;
  let status = await agent.status();
  while (!isSo(status)) {
    const shown = JSON.stringify({ ...status, processes: [], executables: [] });
    assert.ok(performance.now() < end, `${what} did not happen: ${shown}\n${agent.log()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    status = await agent.status();
  }
}

function agentFlags(server: TestServer, queueDirectory: string): string[] {
  return [
    `--remote-store-address=${server.address}`,
    '--remote-store-insecure',
    '--profiling-duration=1s',
    `--profiling-cpu-sampling-frequency=${frequencyHz}`,
    `--queue-directory=${queueDirectory}`,
    '--node=test-node',
  ];
}

/** The folder of the version 2 hierarchy; systemd and containers of this test are made up in it. */
function cgroupRoot(): string {
  const match = /^\S+ (\S+) cgroup2 /m.exec(readFileSync('/proc/mounts', 'utf8'));
  assert.ok(match !== null, 'no cgroup2 is mounted');
  return match[1];
}

test('programs in five languages: counts, hot functions and labels', async () => {
  const server = await startServer({ storagePath: join(scratch.path, 'data') });
  after(() => server.stop());
  const configPath = join(scratch.path, 'agent.yaml');
  const rules = [
    ['__meta_process_pid', 'pid'],
    ['__meta_process_executable_name', 'executable'],
    ['__meta_systemd_unit', 'systemd_unit'],
    ['__meta_docker_container_id', 'container_id'],
    ['__meta_env_var_TEST_TIER', 'tier'],
  ].map(([source, target]) => ({ source_labels: [source], target_label: target }));
  await writeFile(configPath, JSON.stringify({ relabel_configs: rules }));
  const agent = await startAgent([
    ...agentFlags(server, join(scratch.path, 'queue')),
    ...[`--config-path=${configPath}`, '--include-env-var=TEST_TIER'],
  ]);
  after(() => agent.stop());
  // Tables of everything that runs already are being made until then.
  await waitFor(agent, 'the first requests', ({ sender }) => (sender?.sentRequests ?? 0) >= 3);
  const root = cgroupRoot();
  const slice = join(root, `test-${process.pid}.slice`);
  const cgroups = [slice, join(slice, 'busy.service'), join(slice, `docker-${containerId}.scope`)];
  for (const path of cgroups) mkdirSync(path);
  const [, service, container] = cgroups;
  const placeOf = (language: string): { cgroup?: string } => {
    if (language === 'C') return { cgroup: service };
    return language === 'Go' ? { cgroup: container } : {};
  };
  const running = programs.map((program) => {
    const { language } = program;
    const environment = language === 'Python' ? { TEST_TIER: 'db' } : {};
    const place = { cwd: scratch.path, ...placeOf(language), environment };
    return { program, ...startProgram(program, cpuSeconds, place) };
  });
  const used = await Promise.all(running.map(({ finished }) => finished));
  for (const path of cgroups.toReversed()) rmdirSync(path);
  const { sampler, executables } = await agent.status();
  assert.deepEqual([sampler?.lostSamples, sampler?.droppedSamples], [0, 0]);
  assert.ok(executables.length > 0);
  assert.equal(await agent.stop(), 0);
  for (const [i, { program, pid }] of running.entries()) {
    const { language, hot, warm } = program;
    const top = await ask(server, `node="test-node", pid="${pid}"`);
    // Programs do not count what the kernel does to start and end them: some 20 ms.
    const wanted = used[i] * frequencyHz;
    assertNear(top.samples, wanted, wanted * 0.05, `samples of ${language}`);
    if (hot === '') {
      const interpreter = shareOf(top.cumulative, '_PyEval_EvalFrameDefault');
      assert.ok(interpreter > 0.8, `interpreter of ${language}: ${interpreter}`);
    } else {
      const largest = [...top.flat].toSorted(([, a], [, b]) => b - a).slice(0, 5);
      const shown = `${language}, whose largest are ${JSON.stringify(largest)}`;
      assertNear(shareOf(top.flat, hot), 0.75, 0.1, `share of ${hot} of ${shown}`);
      assertNear(shareOf(top.flat, warm), 0.25, 0.1, `share of ${warm} of ${language}`);
    }
  }
  const labelled = async (matchers: string): Promise<boolean> =>
    (await ask(server, matchers)).samples > frequencyHz;
  assert.ok(await labelled('systemd_unit="busy.service", comm="busy-c", executable="busy-c"'));
  assert.ok(await labelled(`container_id="${containerId}", comm="busy-go"`));
  assert.ok(await labelled('tier="db"'));
  assert.ok(await labelled('comm="busy-rust", thread_name="busy-rust"'));
});

test('a server that is away for a while, and one that is killed: nothing lost or doubled', async () => {
  const storagePath = join(scratch.path, 'away');
  let server = await startServer({ storagePath });
  const flags = agentFlags(server, join(scratch.path, 'away-queue'));
  const agent = await startAgent(flags);
  after(() => agent.stop());
  const [c] = programs;
  const { finished } = startProgram(c, 6, { cwd: scratch.path });
  await waitFor(agent, 'the first request', ({ sender }) => (sender?.sentRequests ?? 0) >= 2);
  // Whatever it is doing: a request may be stored and not answered.
  await server.kill();
  await waitFor(agent, 'waiting on the disk', ({ queue }) => (queue?.diskBytes ?? 0) > 0);
  await waitFor(agent, 'more waiting', ({ queue }) => (queue?.requests ?? 0) >= 4);
  const { address } = server;
  server = await startServer({ storagePath, flags: [`--http-address=${address}`] });
  after(() => server.stop());
  const wanted = (await finished) * frequencyHz;
  await waitFor(agent, 'the queue being sent', ({ queue, sender }) => {
    return queue?.requests === 0 && sender?.lastError === '';
  });
  const { queue } = await agent.status();
  assert.equal(queue?.droppedRequests, 0);
  assert.equal(await agent.stop(), 0);
  const { samples } = await ask(server, 'comm="busy-c"');
  assertNear(samples, wanted, wanted * 0.05, 'samples');
});
