// Runs in a virtual machine that `try-kernels.ts` starts. It samples programs on the machine's
// kernel, first with only the add-on and then with the whole agent, and prints one line of results.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { release } from 'node:os';
import { openSampler } from '../../../bpf/index.ts';
import { testdata, whileRunning } from '../../../bpf/testing/programs.ts';
import { collectStacks, completeShare, describeStacks } from '../../../bpf/testing/stacks.ts';
import { startAgent } from '../support.ts';

const stackCount = 300;
const programs: Readonly<Record<string, readonly [string, ...string[]]>> = {
  qsort: ['/programs/qsort', '600'],
  static: ['/programs/qsort-static', '600'],
  signals: ['/programs/signals'],
  forks: ['/programs/forks'],
  node: [
    process.execPath,
    '--no-turbo-inlining',
    '--no-maglev-inlining',
    testdata('functions.mjs'),
  ],
};

/**
 * Samples programs with only the add-on; returns the percentage of complete stacks of each program,
 * and the numbers of tables.
 */
async function complete(): Promise<Record<string, string>> {
  const sampler = openSampler({
    frequencyHz: 197,
    tableBytesMax: 64 << 20,
    ringBytes: 4 << 20,
    waitingBytesMax: 64 << 20,
  });
  const shares: Record<string, string> = {};
  for (const [name, command] of Object.entries(programs)) {
    const stacks = await whileRunning(command, (pid) =>
      collectStacks(
        sampler,
        // The children of `forks` have their own process ids.
        (process) => (name === 'forks' ? process.executable === command[0] : process.pid === pid),
        stackCount,
      ),
    );
    const share = completeShare(stacks);
    shares[name] = (share * 100).toFixed(1);
    process.stdout.write(`${name}: ${describeStacks(stacks)}\n`);
    const names = new Set(
      stacks.flatMap(({ user }) => user.flatMap((it) => it.scriptFunction?.name ?? [])),
    );
    if (name === 'node') shares['names of JavaScript'] = String(names.size);
  }
  const { tablesFailed, tableBuildNanos } = sampler.take().counters;
  shares['tables that failed'] = String(tablesFailed);
  shares['seconds for tables'] = (tableBuildNanos / 1e9).toFixed(1);
  sampler.close();
  return shares;
}

/** Runs the agent for some seconds; returns its output and its exit status. */
async function agent(): Promise<Record<string, unknown>> {
  const running = await startAgent([
    '--local-store-directory=/profiles',
    '--profiling-duration=1s',
  ]);
  const { sampler, notices } = await whileRunning(programs.qsort, async () => {
    await running.waitFor('samples', (status) => (status.sampler?.samples ?? 0) > 100, 120);
    return running.status();
  });
  const code = await running.stop();
  if (code !== 0) process.stdout.write(running.log());
  const profiles = readdirSync('/profiles/qsort').length;
  return { code, profiles, notices, lost: sampler?.lostSamples, tables: sampler?.tables };
}

/** Runs test files that need only this file system; returns the result of each. */
function tests(): Record<string, string> {
  const files = [
    'bpf/control-groups.test.ts',
    'bpf/python.test.ts',
    'test/agent/full/filters.test.ts',
  ];
  return Object.fromEntries(
    files.map((file) => {
      const { status, stdout } = spawnSync(process.execPath, ['--test', file], {
        cwd: '/repo',
        encoding: 'utf8',
      });
      if (status !== 0) process.stdout.write(stdout);
      const passed = /pass (\d+)/.exec(stdout)?.[1] ?? '0';
      return [file, status === 0 ? `${passed} passed` : 'failed'];
    }),
  );
}

const results = {
  kernel: release(),
  // The agent works without these file systems.
  traces: ['/sys/kernel/debug', '/sys/kernel/tracing'].filter(
    (path) => readdirSync(path).length > 0,
  ),
  complete: await complete(),
  agent: await agent(),
  tests: tests(),
};
process.stdout.write(`results ${JSON.stringify(results)}\n`);
