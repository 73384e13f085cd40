// Tests of the add-on with the kernel of this machine. Samples various programs until there are
// hundreds of stacks of each. The stacks must be complete, and each return address must follow a
// call instruction.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openSampler } from './index.ts';
import type { SampledProcess, Sampler } from './sampler.ts';
import { Code, Functions } from './testing/code.ts';
import {
  nodePrograms,
  pythonProgram,
  testdata,
  whileRunning,
  Workshop,
} from './testing/programs.ts';
import {
  collectStacks,
  completeShare,
  describeStacks,
  type SampledStack,
  chooseStacks,
} from './testing/stacks.ts';

const completeMin = 0.99;
const stackCount = 300;

const workshop = new Workshop();
let sampler: Sampler;

before(() => {
  sampler = openSampler({
    frequencyHz: 397,
    tableBytesMax: 64 << 20,
    ringBytes: 4 << 20,
    waitingBytesMax: 64 << 20,
  });
});

after(() => {
  sampler.close();
  workshop.remove();
});

function stacksOfProgram(
  command: readonly [string, ...string[]],
  count = stackCount,
): Promise<SampledStack[]> {
  // Between fork and exec, the child still runs the parent's program.
  const text = command.join(' ');
  return whileRunning(command, (pid) =>
    collectStacks(
      sampler,
      (process) => process.pid === pid && process.commandLine.join(' ') === text,
      count,
    ),
  );
}

/** Returns the share of return addresses that follow a call instruction. */
function callShare(stacks: readonly SampledStack[]): number {
  const codes = new Map<string, Code>();
  let [calls, total] = [0, 0];
  for (const { user } of stacks) {
    // Python frames have no address.
    const native = user.filter(({ scriptFunction }) => scriptFunction?.language !== 'python');
    for (const { address, binary } of native.slice(1)) {
      if (binary.kind !== 'file' || binary.isDeleted) continue;
      let code = codes.get(binary.path);
      if (code === undefined) codes.set(binary.path, (code = new Code(binary.path)));
      total++;
      if (code.isAfterCall(address + 1n)) calls++;
    }
  }
  assert.ok(total > stacks.length, `only ${total} return addresses in ${stacks.length} stacks`);
  return calls / total;
}

function checkComplete(stacks: readonly SampledStack[], callsMin = 1): void {
  const complete = stacks.filter(({ status }) => status === 'complete');
  assert.ok(complete.length > stacks.length / 2, describeStacks(stacks));
  const share = completeShare(stacks);
  assert.ok(share >= completeMin, `${share} complete: ${describeStacks(stacks)}`);
  const calls = callShare(stacks);
  assert.ok(calls >= callsMin, `${calls} of the return addresses follow a call`);
}

function hasPath(stack: SampledStack, functions: Functions, names: readonly string[]): boolean {
  const { executable } = stack.process;
  const own = stack.user.filter(({ binary }) => binary.path === executable);
  const found = own.map(({ address }) => functions.nameAt(address));
  return names.every((name) => found.includes(name));
}

test('C without frame pointers through qsort of the C library', async () => {
  const program = workshop.compile('qsort.c', 'qsort');
  const stacks = await stacksOfProgram([program, '60']);
  checkComplete(stacks);
  const functions = new Functions(program);
  const path = ['burn', 'compare', 'sort_all', 'main', '_start'];
  const whole = stacks.filter((stack) => hasPath(stack, functions, path));
  assert.ok(whole.length > stacks.length * 0.8, `${whole.length} of ${stacks.length} go through`);
  const throughLibrary = whole.filter(({ user }) =>
    user.some(({ binary }) => binary.path.includes('libc.so')),
  );
  assert.equal(throughLibrary.length, whole.length);
  const { process } = stacks[0];
  assert.equal(process.executable, program);
  assert.deepEqual(process.commandLine, [program, '60']);
  assert.equal(process.name, 'qsort');
  // The first stacks may belong to the dynamic linker, which runs before the program.
  const own = whole[0].user.find(({ binary }) => binary.path === program);
  assert.match(own?.binary.buildId ?? '', /^[0-9a-f]{40}$/);
  assert.equal(own?.binary.buildIdKind, 'gnu');
});

test('a static program', async () => {
  const program = workshop.compile('qsort.c', 'qsort-static', '-static');
  checkComplete(await stacksOfProgram([program, '60']));
});

test('signal handlers, on the stack of the thread and on their own', async () => {
  const program = workshop.compile('signals.c', 'signals', '-fno-optimize-sibling-calls');
  const functions = new Functions(program);
  for (const command of [[program], [program, 'own stack']] as const) {
    const stacks = await stacksOfProgram([command[0], ...command.slice(1)]);
    assert.ok(completeShare(stacks) >= completeMin, describeStacks(stacks));
    const interrupted = stacks.filter((stack) => hasPath(stack, functions, ['handler', 'main']));
    assert.ok(interrupted.length > 20, `${interrupted.length} stacks go through the handler`);
  }
});

test('a stack of 300 frames is whole, and one of 3,000 keeps those next to the leaf', async () => {
  const program = workshop.compile('deep.c', 'deep', '-fno-optimize-sibling-calls');
  checkComplete(await stacksOfProgram([program], 100));
  const stacks = await stacksOfProgram([program, '3000'], 100);
  const functions = new Functions(program);
  const deep = stacks.filter(({ status }) => status === 'truncated');
  assert.ok(deep.length > stacks.length * 0.9, describeStacks(stacks));
  for (const { user } of deep) {
    assert.equal(user.length, 1024);
    assert.equal(functions.nameAt(user[1023].address), 'descend');
  }
});

test('a library that is loaded a second after the start', async () => {
  const program = workshop.compile('late.c', 'late', '-ldl');
  const library = workshop.compile('library.c', 'library.so', '-shared', '-fPIC');
  const stacks = await whileRunning([program, library], async (pid) => {
    const isIn = ({ user }: SampledStack): boolean =>
      user.some(({ binary }) => binary.path === library);
    let all: SampledStack[] = [];
    while (all.filter(isIn).length < stackCount) {
      all = [...all, ...(await collectStacks(sampler, (process) => process.pid === pid, 20))];
    }
    return all.slice(all.findIndex(isIn));
  });
  checkComplete(stacks);
});

test('a program whose file is deleted while it runs', async () => {
  const program = join(workshop.folder, 'deleted');
  copyFileSync(workshop.compile('qsort.c', 'kept', '-Wl,--build-id=none'), program);
  const stacks = await whileRunning([program, '60'], async (pid) => {
    rmSync(program);
    return collectStacks(sampler, (process) => process.pid === pid, stackCount);
  });
  checkComplete(stacks);
  const own = stacks.flatMap(({ user }) => user).find(({ binary }) => binary.path === program);
  assert.equal(own?.binary.isDeleted, true);
  assert.equal(own?.binary.buildIdKind, 'hash');
  assert.match(own?.binary.buildId ?? '', /^[0-9a-f]{64}$/);
});

test('children of 30 ms, every other one through exec', async () => {
  const program = workshop.compile('forks.c', 'forks');
  const isChild = (process: SampledProcess): boolean => process.executable === program;
  const stacks = await whileRunning([program], () => collectStacks(sampler, isChild, 400));
  const pids = new Set(stacks.map(({ process }) => process.pid));
  assert.ok(pids.size > 20, `${pids.size} children`);
  const ofExec = stacks.filter(({ process }) => process.commandLine.includes('child'));
  assert.ok(ofExec.length > 50, `${ofExec.length} stacks after exec`);
  // A child runs for some milliseconds before its tables are published.
  const share = completeShare(stacks);
  assert.ok(share >= 0.95, `${share} complete: ${describeStacks(stacks)}`);
});

test('C++ with exceptions', async () => {
  checkComplete(await stacksOfProgram([workshop.compile('exceptions.cc', 'exceptions')]), 0.999);
});

test('Rust with panics', async () => {
  checkComplete(await stacksOfProgram([workshop.compileRust('sorts.rs', 'sorts-rust')]), 0.999);
});

test('Go', async () => {
  const stacks = await stacksOfProgram([workshop.compileGo('sorts.go', 'sorts-go')]);
  // The root of each goroutine has a return address in goexit that no call precedes.
  checkComplete(stacks, 0.6);
  const own = stacks.flatMap(({ user }) => user).find(({ binary }) => binary.kind === 'file');
  assert.equal(own?.binary.buildIdKind, 'go');
});

test('Node without flags', async () => {
  const stacks = await stacksOfProgram([process.execPath, testdata('work.mjs')]);
  checkComplete(stacks, 0.999);
  const kinds = new Set(stacks.flatMap(({ user }) => user.map(({ binary }) => binary.kind)));
  assert.ok(kinds.has('anonymous'), 'there is code of the just-in-time compiler');
});

/** Flags that allow only the interpreter, flags for each of the compilers, and the defaults. */
const compilers = [
  ['--no-opt', '--no-maglev', '--no-sparkplug'],
  ['--no-opt', '--no-maglev', '--always-sparkplug'],
  ['--no-turbo-inlining', '--no-maglev-inlining'],
];

for (const { path: node } of nodePrograms()) {
  for (const flags of compilers) {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    test(`functions of JavaScript in Node ${version} ${flags.join(' ')}`, async () => {
      const script = testdata('functions.mjs');
      const stacks = await stacksOfProgram([node, ...flags, script], 600);
      checkComplete(stacks, 0.99);
      const frames = stacks.flatMap(({ user }) => user);
      const inScript = frames.flatMap(({ scriptFunction }) => scriptFunction ?? []);
      const nameless = frames.filter(
        ({ binary, scriptFunction }) => binary.kind === 'anonymous' && scriptFunction === undefined,
      );
      // Some code, such as regular expressions, does not belong to a function.
      assert.ok(nameless.length < 0.05 * inScript.length, `${nameless.length} have no name`);
      const own = inScript.filter(({ fileName }) => fileName.endsWith('/functions.mjs'));
      const counts = new Map<string, number>();
      for (const { name, startLine } of own) {
        const place = `${name}:${startLine}`;
        counts.set(place, (counts.get(place) ?? 0) + 1);
      }
      // Functions that create functions are sampled at most once.
      const places = [...counts].flatMap(([place, count]) => (count > 2 ? [place] : []));
      assert.deepEqual(places.toSorted(), expectedFunctions(script));
    });
  }
}

/**
 * Returns the expected names and lines of functions, which the comments above the functions
 * contain.
 */
function expectedFunctions(script: string): string[] {
  const lines = readFileSync(script, 'utf8').split('\n');
  const found = lines.flatMap((line, i) => {
    const match = /^\s*\/\/ is (.*)$/.exec(line);
    return match === null ? [] : [`${match[1]}:${i + 2}`];
  });
  // The module itself starts in the first line.
  return [...found, ':1'].toSorted();
}

test('Python', async () => {
  checkComplete(await stacksOfProgram([pythonProgram(), testdata('work.py')]), 0.999);
});

test('a table that finds no room comes when another program has ended', async () => {
  // The tables of both programs together need 1.24 MB; the table of Python's library is read last.
  const sizes = { tableBytesMax: 1_200_000, ringBytes: 4 << 20, waitingBytesMax: 64 << 20 };
  const script = [
    'import os, signal',
    'os.kill(os.getpid(), signal.SIGSTOP)',
    'while True: sorted(range(1000), key=str)',
  ].join('\n');
  await whileRunning([pythonProgram(), '-c', script], async (pid) => {
    const status = (): string => readFileSync(`/proc/${pid}/status`, 'latin1');
    while (!/^State:\tT/m.test(status())) await setTimeout(10);
    const isPython = (process: SampledProcess): boolean => process.pid === pid;
    const loop = ['bash', '-c', 'while :; do :; done'] as const;
    const small = await whileRunning(loop, async (other) => {
      const opened = openSampler({ frequencyHz: 397, pids: [pid, other], ...sizes });
      await collectStacks(opened, (process) => process.pid === other, 1);
      process.kill(pid, 'SIGCONT');
      while (opened.take().counters.tablesFailed === 0) await setTimeout(100);
      return opened;
    });
    try {
      const shares: number[] = [];
      for (let share = 0; shares.length < 60 && share < completeMin; shares.push(share)) {
        await setTimeout(1_000);
        share = completeShare(chooseStacks(small.take(), isPython));
      }
      assert.ok(shares[0] < completeMin, 'there was room for all tables');
      checkComplete(await collectStacks(small, isPython, stackCount));
      // The table is compiled again only after space is available.
      assert.equal(small.take().counters.tablesFailed, 1);
    } finally {
      small.close();
    }
  });
});

test('a process two PID namespaces down has the ids of the host and of its own namespace', async () => {
  const spin = 'while :; do :; done # nested';
  const down = ['unshare', '--pid', '--fork', '--kill-child'] as const;
  const stacks = await whileRunning(
    ['unshare', ...down.slice(1), ...down, 'bash', '-c', spin],
    () =>
      collectStacks(
        sampler,
        ({ commandLine }) => commandLine[0] === 'bash' && commandLine[2] === spin,
        50,
      ),
  );
  const [{ process: found }] = stacks;
  assert.equal(found.namespacePid, 1);
  const status = readFileSync(`/proc/self/status`, 'latin1');
  assert.match(status, /^NSpid:\t\d+$/m, 'this test is in the first namespace');
  assert.ok(found.pid > 1 && found.parentPid > 1, `${found.pid} below ${found.parentPid}`);
  checkComplete(stacks);
});

test('a process that nobody wants has no samples, until it runs another program', async () => {
  const sizes = { tableBytesMax: 8 << 20, ringBytes: 1 << 20, waitingBytesMax: 64 << 20 };
  const sampler = openSampler({ frequencyHz: 397, ...sizes });
  const script = 'trap "exec bash -c \'while :; do :; done\'" USR1; while :; do :; done';
  try {
    await whileRunning(['bash', '-c', script], async (pid) => {
      const countSamples = async (millis: number): Promise<{ own: number; all: number }> => {
        sampler.take();
        await setTimeout(millis);
        const { samples, processes } = sampler.take();
        const own = samples.process.filter((row) => processes[row].pid === pid).length;
        return { own, all: samples.count };
      };
      // Other programs may leave little CPU time for the process.
      const becomesSampled = async (): Promise<void> => {
        let own = 0;
        for (let left = 60; own < 10; left -= 1) {
          assert.ok(left > 0, 'it is not sampled');
          own += (await countSamples(500)).own;
        }
      };
      await becomesSampled();
      sampler.leaveOut([pid]);
      await setTimeout(500);
      const leftOut = await countSamples(2_000);
      assert.equal(leftOut.own, 0);
      assert.ok(leftOut.all > 0, 'others are sampled');
      sampler.setPaused(true);
      await setTimeout(500);
      assert.equal((await countSamples(1_000)).all, 0, 'nothing is sampled');
      sampler.setPaused(false);
      assert.equal((await countSamples(1_000)).own, 0, 'it is left out');
      process.kill(pid, 'SIGUSR1');
      await becomesSampled();
    });
  } finally {
    sampler.close();
  }
});
