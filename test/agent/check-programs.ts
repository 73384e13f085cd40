// Tests the agent on this host's kernel with many kinds of programs: their stacks, names, counts
// and labels.
//
// Counts are compared with the CPU time that the kernel measured, so other load does not matter.
// One sample is taken per millisecond of CPU time, and only interruptions are random: the deviation
// is about 16 of 2,000 samples, and the tolerance is 100.
import assert from 'node:assert/strict';
import { readdirSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';
import {
  agentFlags,
  assertNear,
  assertSampled,
  type CountedStack,
  countSamples,
  readStacks,
  startAgent,
  waitForRequests,
} from './support.ts';
import { openWorkshop, type StartOptions, type Target, type Used } from './targets.ts';

const frequencyHz = 997;
const containerId = '0123456789abcdef'.repeat(4);

/** Rules that keep labels which would otherwise be removed. */
const rules = [
  ['__meta_process_pid', 'pid'],
  ['__meta_process_executable_name', 'executable'],
  ['__meta_systemd_unit', 'systemd_unit'],
  ['__meta_docker_container_id', 'container_id'],
  ['__meta_env_var_TEST_TIER', 'tier'],
].map(([source, target]) => ({ source_labels: [source], target_label: target }));

/**
 * Allowed deviation of the number of samples, and the smallest share of whole stacks, for programs
 * that are harder to sample.
 */
const leastShares: Readonly<Record<string, readonly [count: number, whole: number]>> = {
  // Children that run for 30 ms start without unwind tables.
  forks: [0.1, 0.9],
  // The JVM spends a tenth of its time on its start, while its library has no unwind table yet.
  java: [0.05, 0.95],
  // Samples of the first seconds wake the thread that reads names, on the same CPU. It takes 2 ms
  // between two samples, so it is not sampled, and the program seems to have run instead.
  python: [0.1, 0.99],
};

/** A target that was run. */
interface Ran {
  readonly target: Target;
  readonly used: Used;
  /** Matchers for its series. */
  readonly matchers: string;
}

/**
 * Runs targets by name at the same time while an agent samples, and tests the profiles that the
 * server receives. Each target uses `cpuSeconds`.
 */
export function testPrograms(names: readonly string[], cpuSeconds = 2): void {
  let ran: readonly Ran[] = [];
  let server: TestServer;
  let scratch: Awaited<ReturnType<typeof scratchDirectory>>;

  before(async () => {
    scratch = await scratchDirectory();
    server = await startServer({ storagePath: join(scratch.path, 'data') });
    ran = await runTargets(names, cpuSeconds, server, scratch.path);
  });
  after(async () => {
    await server.stop();
    await scratch.remove();
  });
  for (const name of names) {
    test(name, async () => {
      const found = ran.find(({ target }) => target.name === name);
      assert.ok(found !== undefined);
      check(found, await readStacks(server, found.matchers));
    });
  }
}

async function runTargets(
  names: readonly string[],
  cpuSeconds: number,
  server: TestServer,
  folder: string,
): Promise<readonly Ran[]> {
  const workshop = await openWorkshop(folder);
  const configPath = join(folder, 'agent.yaml');
  await writeFile(configPath, JSON.stringify({ relabel_configs: rules }));
  const agent = await startAgent([
    ...agentFlags(server, join(folder, 'queue'), frequencyHz),
    `--config-path=${configPath}`,
    '--include-env-var=TEST_TIER',
    // The server looks up the names in the debug information that the agent uploads.
    '--symbolize-locally=false',
  ]);
  after(() => agent.stop());
  assert.equal(hasCapability(agent.pid, 21), false, 'CAP_SYS_ADMIN');
  assert.equal(hasCapability(agent.pid, 39), true, 'CAP_BPF');
  assert.deepEqual(listFilters(agent.pid), ['NoNewPrivs:\t1', 'Seccomp:\t2']);
  // Before its third request, the agent makes the tables of all programs that already run.
  await waitForRequests(agent, 3);
  const cgroups = makeCgroups();
  const places: Readonly<Record<string, StartOptions & { readonly labels: string }>> = {
    qsort: { cgroup: cgroups.service, labels: 'systemd_unit="busy.service"' },
    static: { cgroup: cgroups.service, labels: 'systemd_unit="busy.service"' },
    go: { cgroup: cgroups.container, labels: `container_id="${containerId}"` },
    late: { environment: { TEST_TIER: 'db' }, labels: 'tier="db"' },
  };
  const targets = workshop.targets.filter(({ name }) => names.includes(name));
  const ran = await Promise.all(
    targets.map(async (target) => {
      const place = places[target.name];
      const used = await workshop.start(target, cpuSeconds, place);
      return { target, used, matchers: formatMatchers(target, used, place?.labels) };
    }),
  );
  cgroups.remove();
  const { sampler } = await agent.status();
  assert.deepEqual([sampler?.lostSamples, sampler?.droppedSamples], [0, 0]);
  await waitForRequests(agent, 2);
  await agent.waitFor('uploads', ({ uploads }) => uploads?.pending === 0, 120);
  assert.equal(await agent.stop(), 0);
  return ran;
}

/**
 * Returns the lines about seccomp and NoNewPrivs in the status of a process's threads, without
 * duplicates.
 */
function listFilters(pid: number): string[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  const lines = threads.flatMap((thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'latin1');
    return status.split('\n').filter((line) => /^(NoNewPrivs|Seccomp):/.test(line));
  });
  return [...new Set(lines)].sort();
}

function hasCapability(pid: number, number: number): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)/m.exec(status)?.[1]}`);
  return ((effective >> BigInt(number)) & 1n) === 1n;
}

function formatMatchers(
  { name, command }: Target,
  { pid }: Used,
  labels = 'systemd_unit=""',
): string {
  const executable = basename(command[0]);
  // Node's threads set their own names.
  const comm = command[0] === process.execPath ? '' : `, comm="${executable.slice(0, 15)}"`;
  // The children of `forks` have their own process ids.
  const ofPid = name === 'forks' ? '' : `, pid="${pid}"`;
  return `node="test-node", executable="${executable}", ${labels}${comm}${ofPid}`;
}

/**
 * Creates cgroups in the version 2 hierarchy, with names like those that systemd and Docker give.
 */
function makeCgroups(): { readonly service: string; readonly container: string; remove(): void } {
  const match = /^\S+ (\S+) cgroup2 /m.exec(readFileSync('/proc/mounts', 'utf8'));
  assert.ok(match !== null, 'no cgroup2 is mounted');
  const slice = join(match[1], `test-${process.pid}.slice`);
  const service = join(slice, 'busy.service');
  const container = join(slice, `docker-${containerId}.scope`);
  const all = [slice, service, container];
  for (const path of all) mkdirSync(path);
  return {
    service,
    container,
    remove: () => {
      for (const path of all.toReversed()) rmdirSync(path);
    },
  };
}

function check({ target, used }: Ran, stacks: readonly CountedStack[]): void {
  const { hot, warm, through } = target;
  const total = countSamples(stacks);
  const share = (isWanted: (frames: readonly string[]) => boolean): number =>
    countSamples(stacks, isWanted) / total;
  const wanted = used.cpuSeconds * frequencyHz;
  const whole = share((frames) => isWhole(target, frames));
  const others = describe(stacks.filter(({ frames }) => !isWhole(target, frames)));
  const [countShare, wholeShare] = leastShares[target.name] ?? [0.05, 0.99];
  const text = (value: number): string => `${(value * 100).toFixed(1)} %`;
  const [hotShare, warmShare] = [hot, warm].map((one) => share(([leaf]) => one.test(leaf)));
  process.stdout.write(
    `${target.name}: ${total} of ${wanted.toFixed(0)} samples (${used.stolenSeconds.toFixed(1)} s stolen), ` +
      `${text(whole)} whole, ` +
      `shares ${text(hotShare)} and ${text(warmShare)}\n`,
  );
  assertSampled(total, used, frequencyHz, countShare);
  assert.ok(whole >= wholeShare, `${whole} of the stacks are whole; others:\n${others}`);
  // The rest is the start of the program, which takes an interpreter longer on a busy machine.
  const work = hotShare + warmShare;
  assert.ok(work >= 0.8, `${work} of the samples are in the loops:\n${describe(stacks)}`);
  assertNear(hotShare / work, 0.75, 0.1, `share of ${hot} in\n${describe(stacks)}`);
  assertNear(warmShare / work, 0.25, 0.1, `share of ${warm} in\n${describe(stacks)}`);
  if (through === undefined) return;
  const [name, least, framesMin = 1] = through;
  const passing = share((frames) => frames.filter((one) => name.test(one)).length >= framesMin);
  assert.ok(passing >= least, `${passing} go through ${name} in\n${describe(stacks)}`);
}

/**
 * Returns true if a stack is whole. Stacks of only kernel frames are whole, too: their process is
 * starting or ending. So are stacks that start in the dynamic loader, which runs before `_start`.
 */
function isWhole({ root }: Target, frames: readonly string[]): boolean {
  const last = frames.at(-1) ?? '';
  return root.test(last) || /^(entry_SYSCALL|asm_|ret_from_fork)|\/ld-[^/]*$/.test(last);
}

function describe(stacks: readonly CountedStack[]): string {
  return stacks
    .toSorted((a, b) => b.samples - a.samples)
    .slice(0, 8)
    .map(({ frames, samples }) => `${samples} ${frames.slice(-6).join(' < ')}`)
    .join('\n');
}
