// Records the stacks in testdata/stacks/ from running programs. Needs root, gdb, gcc, Go, Rust and
// `npm run build:native`:
//
// npm exec -- node bpf/testing/record-stacks.ts [NAME...]
//
// Each program is stopped, and its stack is unwound by the unwinder and by gdb. The stack is
// recorded if both agree.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { stackStatus } from '../sampler.ts';
import { pythonProgram, testdata, whileRunning, Workshop } from './programs.ts';
import {
  compileUnwinder,
  parseStacks,
  type RecordedStack,
  readFields,
  stacksFolder,
} from './recorded-stacks.ts';

type Command = readonly [string, ...string[]];

/** A program to record. */
interface Target {
  readonly program: string;
  command(workshop: Workshop): Command;
  /**
   * Returns true for a stack that should be recorded. The program is stopped repeatedly until it
   * has such a stack.
   */
  shows?(names: readonly string[]): boolean;
  /** Mapping that must contain the leaf. */
  readonly leafIn?: string;
  /** True if gdb cannot unwind the stack. */
  readonly isBeyondGdb?: boolean;
}

const compiled =
  (source: string, ...flags: readonly string[]) =>
  (workshop: Workshop): Command => [
    workshop.compile(source, `${source}${flags.join('')}`, ...flags),
  ];
const has =
  (...wanted: readonly string[]) =>
  (names: readonly string[]): boolean =>
    wanted.every((name) => names.some((one) => one.includes(name)));

const targets: Readonly<Record<string, Target>> = {
  'c-omitted-frame-pointers': {
    program: 'C without frame pointers, in a comparison that qsort calls',
    command: compiled('qsort.c'),
    shows: has('compare'),
  },
  'c-frame-pointers': {
    program: 'C with frame pointers',
    command: compiled('qsort.c', '-fno-omit-frame-pointer'),
    shows: has('compare'),
  },
  'c-not-optimized': {
    program: 'C that is not optimized',
    command: compiled('qsort.c', '-O0'),
    shows: has('compare'),
  },
  'c-static': {
    program: 'C, linked statically',
    command: compiled('qsort.c', '-static'),
    shows: has('compare'),
  },
  'c-by-clang': {
    program: 'C compiled by clang',
    command: (workshop) => {
      const path = join(workshop.folder, 'by-clang');
      execFileSync('clang', ['-O2', testdata('qsort.c'), '-o', path]);
      return [path, '20'];
    },
    shows: has('compare'),
  },
  'c-realigned': {
    program: 'C that aligns its stack: the frame of the caller is found in memory',
    command: compiled('realigned.c'),
    shows: has('burn'),
  },
  cpp: {
    program: 'C++ with exceptions that are caught',
    command: compiled('exceptions.cc'),
  },
  'cpp-exception': {
    program: 'C++ in the library that throws an exception',
    command: compiled('exceptions.cc'),
    shows: has('_Unwind_'),
  },
  recursion: {
    program: 'C that calls itself 300 times: more frames than one part of the walk has',
    command: compiled('deep.c'),
    shows: (names) => names.length > 300,
  },
  'signal-frame': {
    program: 'C in a signal handler that interrupts a sort',
    command: compiled('signals.c'),
    shows: has('handler', 'main'),
  },
  'signal-stack': {
    program: 'C in a signal handler on a stack of its own',
    command: (workshop) => [...compiled('signals.c')(workshop), 'own'],
    shows: has('handler', 'main'),
  },
  vdso: {
    program: 'C in the vDSO',
    command: compiled('clock.c'),
    leafIn: '[vdso]',
  },
  'system-call': {
    program: 'coreutils in a system call: rip is the address after it',
    command: () => ['/bin/sleep', '60'],
  },
  'system-call-of-bash': {
    program: 'Bash that waits for its child',
    command: () => ['/bin/bash', '-c', 'sleep 100; true'],
  },
  perl: {
    program: 'Perl that interprets',
    command: () => ['/usr/bin/perl', '-e', 'while (1) { $sum += $_ for 1 .. 1000 }'],
    shows: has('main'),
  },
  'system-call-of-python': {
    program: 'Python in a system call',
    command: () => [pythonProgram(), '-c', 'import time; time.sleep(60)'],
    shows: has('sleep'),
  },
  python: {
    program: 'Python that interprets',
    command: () => [pythonProgram(), testdata('work.py')],
    shows: (names) => has('_PyEval')(names) && names[names.length - 1].startsWith('_start'),
    // gdb shows frames of tail calls, which are not on the stack.
    isBeyondGdb: true,
  },
  'python-functions': {
    program: 'Python that interprets; after a call of the loop are the functions that it runs',
    command: () => [pythonProgram(), testdata('functions.py'), '20'],
    shows: (names) => names.filter((name) => name === 'Python').length > 5,
    isBeyondGdb: true,
  },
  rust: {
    program: 'Rust that sorts',
    command: (workshop) => [workshop.compileRust('sorts.rs', 'sorts')],
    shows: has('main'),
  },
  'go-idle': {
    program: 'Go in a system call of its scheduler',
    command: (workshop) => [workshop.compileGo('sorts.go', 'sorts-go')],
    shows: has('runtime.futex'),
    isBeyondGdb: true,
  },
  'node-compiled': {
    program: 'Node in compiled JavaScript; each function has its description after its frame',
    command: () => [process.execPath, testdata('work.mjs')],
    shows: (names) => names.filter((name) => name === 'JavaScript').length > 3,
    isBeyondGdb: true,
  },
};

/** Maximum number of stops without a suitable stack after which a program is skipped. */
const stopsMax = 400;
const manifest = fileURLToPath(new URL('../../native/Cargo.toml', import.meta.url));

/** Builds the program that prints the tables of a process; returns its path. */
function buildTables(): string {
  const flags = ['--release', '--locked', '--manifest-path', manifest, '--package', 'parca-bpf'];
  const args = ['build', ...flags, '--example', 'process-tables', '--message-format=json'];
  const output = execFileSync(process.env['TEST_CARGO'] ?? 'cargo', args, {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const paths = /"executable":"([^"]+process-tables)"/.exec(output);
  assert.ok(paths, 'cargo names the example');
  return paths[1];
}

function askGdb(pid: number, commands: readonly string[]): string {
  const flags = ['-nx', '-batch', '-p', String(pid), '-iex', 'set debuginfod enabled off'];
  const args = [...flags, ...commands.flatMap((command) => ['-ex', command])];
  return spawnSync('gdb', args, { encoding: 'utf8', maxBuffer: 1 << 26 }).stdout;
}

/**
 * Returns the name of each word of a stack. The word after a JavaScript frame is the function's
 * description ('JavaScript'). A Python frame takes two words ('Python' and 'instruction').
 */
function nameFrames(pid: number, addresses: readonly string[]): string[] {
  const marks = addresses.map((address) => Number(BigInt(`0x${address}`) >> 62n));
  const kinds = marks.map((mark, i) => {
    if (marks[i - 1] === 2) return 'instruction';
    return mark === 2 ? 'Python' : mark === 1 ? 'JavaScript' : '';
  });
  const asked = addresses.filter((_, i) => kinds[i] === '');
  const output = askGdb(
    pid,
    asked.flatMap((address) => [`echo @`, `info symbol 0x${address}`]),
  );
  const answers = output.split('@').slice(1);
  let next = 0;
  return kinds.map((kind) => {
    if (kind !== '') return kind;
    const answer = answers[next++] ?? '';
    const [, symbol, file] = /^(.+?) in section \S+(?: of (\S+))?/.exec(answer) ?? [];
    return symbol === undefined
      ? '?'
      : `${symbol}${file === undefined ? '' : ` of ${basename(file)}`}`;
  });
}

/**
 * Fails if the frames differ from gdb's frames. For a caller, gdb prints the return address, but
 * the unwinder prints the address of the byte before it. For the frame that a signal has
 * interrupted, both print the interrupted address. gdb prints no address for inlined calls.
 */
function checkWithGdb(output: string, addresses: readonly string[], name: string): void {
  const shown = [...output.matchAll(/^#\d+\s+0x([0-9a-f]+) in /gm)];
  const wanted = shown.map(([, hex]) => BigInt(`0x${hex}`));
  const own = addresses.map((address) => BigInt(`0x${address}`));
  const isOurs = (address: bigint): boolean => own.includes(address) || own.includes(address - 1n);
  const missing = wanted.filter((address) => !isOurs(address));
  const isGdbs = (address: bigint): boolean =>
    wanted.includes(address) || wanted.includes(address + 1n);
  const surplus = own.filter((address, i) => i > 0 && !isGdbs(address));
  // gdb prints no address for the kernel's frame of a signal handler.
  const handlers = output.split('<signal handler called>').length - 1;
  const hex = (list: readonly bigint[]): string[] => list.map((one) => one.toString(16));
  assert.deepEqual(hex(missing), [], `${name}: frames that only gdb has`);
  assert.equal(surplus.length, handlers, `${name}: ${hex(surplus).join(' ')}`);
}

const statusNames = new Map<number, string>(
  Object.entries(stackStatus).map(([name, value]) => [value, name]),
);

/** Returns true if an address is in a mapping with this name. */
function isIn(pid: number, address: string, name: string): boolean {
  const line = readFileSync(`/proc/${pid}/maps`, 'utf8')
    .split('\n')
    .find((row) => row.endsWith(name));
  const [start, end] = (line?.split(' ')[0] ?? '0-0').split('-').map((hex) => BigInt(`0x${hex}`));
  const at = BigInt(`0x${address}`);
  return start <= at && at < end;
}

/** Unwinds a stopped process; undefined if its stack should not be recorded. */
function record(
  pid: number,
  name: string,
  target: Target,
  { unwinder, tables }: { readonly unwinder: string; readonly tables: string },
): RecordedStack | undefined {
  const input = execFileSync(tables, [String(pid)], { encoding: 'utf8', maxBuffer: 1 << 29 });
  const output = execFileSync(unwinder, [String(pid)], {
    input: `${input}unwind\n`,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const [{ status, addresses }] = parseStacks(output);
  const [registers] = readFields(output, 'registers');
  if (target.leafIn !== undefined && !isIn(pid, addresses[0], target.leafIn)) return undefined;
  // gdb runs before the names are looked up from the process's maps, because the process may
  // continue after gdb detaches.
  const walked = askGdb(pid, ['set backtrace past-main on', 'bt -no-filters 400']);
  const names = nameFrames(pid, addresses);
  if (target.shows !== undefined && !target.shows(names)) return undefined;
  if (target.isBeyondGdb !== true) checkWithGdb(walked, addresses, name);
  const distinct = (word: string): string[] => [...new Set(readFields(output, word))];
  return {
    program: target.program,
    registers,
    leaf: distinct('leaf'),
    mappings: readFields(input, 'mapping'),
    interpreter: readFields(input, 'interpreter'),
    thread: distinct('thread'),
    lines: distinct('line'),
    words: distinct('word'),
    status: statusNames.get(Number.parseInt(status, 16)) ?? status,
    frames: addresses.map((address, i) => `${address} ${names[i]}`),
  };
}

/** Returns true if a process has stopped since it was continued. */
function isStopped(pid: number): boolean {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') T ');
}

async function recordTarget(
  name: string,
  target: Target,
  workshop: Workshop,
  programs: { readonly unwinder: string; readonly tables: string },
): Promise<void> {
  await whileRunning(target.command(workshop), async (pid) => {
    await sleep(700);
    for (let i = 0; i < stopsMax; i += 1) {
      process.kill(pid, 'SIGSTOP');
      while (!isStopped(pid)) await sleep(5);
      const stack = record(pid, name, target, programs);
      if (stack !== undefined) {
        writeFileSync(join(stacksFolder, `${name}.json`), `${JSON.stringify(stack, null, 2)}\n`);
        process.stdout.write(`${name}: ${stack.status}, ${stack.frames.length} frames\n`);
        return;
      }
      process.kill(pid, 'SIGCONT');
      await sleep(3 + (i % 7));
    }
    process.stdout.write(`${name}: no such stack in ${stopsMax} stops\n`);
  });
}

const workshop = new Workshop();
try {
  mkdirSync(stacksFolder, { recursive: true });
  const unwinder = join(workshop.folder, 'unwind');
  compileUnwinder('cc', unwinder);
  const programs = { unwinder, tables: buildTables() };
  const wanted = process.argv.slice(2);
  for (const [name, target] of Object.entries(targets)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await recordTarget(name, target, workshop, programs);
  }
} finally {
  workshop.remove();
}
