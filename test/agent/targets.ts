// Programs that burn CPU time in known functions.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { copyFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { nodePrograms, pythonProgram } from '../../bpf/testing/programs.ts';
import { testTool } from '../support/tools.ts';

const run = promisify(execFile);
const sources = new URL('targets/', import.meta.url).pathname;

/** A program, and facts about its stacks. */
export interface Target {
  readonly name: string;
  /** Command with the argument `SECONDS`, which is replaced by a number of CPU seconds. */
  readonly command: readonly string[];
  /** Names of the functions that take three quarters and one quarter of the time. */
  readonly hot: RegExp;
  readonly warm: RegExp;
  /** The function at the root of its stacks. */
  readonly root: RegExp;
  /**
   * Name of a function, the minimum share of stacks that contain it, and the minimum number of its
   * frames in each of them.
   */
  readonly through?: readonly [name: RegExp, share: number, framesMin?: number];
}

const start = /^_start$/;
/** Matches the first function of threads, too; it has no name if the C library is stripped. */
const anyRoot = /^_start$|^(__)?clone3?$|libc\.so/;
const loops = { hot: /\bhot_loop$/, warm: /\bwarm_loop$/, root: start };

/** The built programs, and a function that starts them. */
export interface Workshop {
  readonly targets: readonly Target[];
  /** A plain program, for tests of other programs that may disturb it. */
  readonly plain: Target;
  /** Starts a target that uses `cpuSeconds`. */
  start(target: Target, cpuSeconds: number, options?: StartOptions): Promise<Used>;
}

/** Environment of a program. */
export interface StartOptions {
  /** Folder of the cgroup that the program is in. */
  readonly cgroup?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** CPU time of a program and its children. */
export interface Used {
  readonly pid: number;
  readonly cpuSeconds: number;
  /** Time for which the hypervisor ran other machines on this machine's CPUs, in seconds. */
  readonly stolenSeconds: number;
}

/** Builds all programs into `folder`. */
export async function openWorkshop(folder: string): Promise<Workshop> {
  const source = (name: string): string => join(sources, name);
  const output = (name: string): string => join(folder, name);
  const c = (name: string, from: string, ...flags: readonly string[]): Promise<unknown> =>
    run('cc', ['-O2', '-fomit-frame-pointer', '-o', output(name), source(from), ...flags]);
  const rustc = join(dirname(testTool('TEST_CARGO')), 'rustc');
  const javac = process.env['TEST_JAVAC'];
  await Promise.all([
    c('launch', 'launch.c'),
    c('busy-c', 'busy.c', '-ldl', '-lpthread'),
    c('busy-static', 'busy.c', '-static', '-w'),
    c('busy-deleted', 'busy.c', '-ldl', '-lpthread', '-Wl,--build-id=none'),
    c('library.so', 'library.c', '-shared', '-fPIC'),
    c('hostile', 'hostile.c'),
    run('c++', ['-O2', '-g', '-fomit-frame-pointer', '-o', output('busy-cc'), source('busy.cc')]),
    run(rustc, ['-O', '-o', output('busy-rust'), source('busy.rs')]),
    javac === undefined ? undefined : run(javac, ['-d', folder, source('Busy.java')]),
    run(testTool('TEST_GO'), ['build', '-o', output('busy-go'), source('busy.go')], {
      env: { ...process.env, GOFLAGS: '' },
    }),
  ]);
  // Makes copies of the program, so that their labels have different names.
  const copies = ['qsort', 'threads', 'signals', 'forks', 'late'];
  await Promise.all(copies.map((name) => copyFile(output('busy-c'), output(`busy-${name}`))));
  await copyFile(output('busy-rust'), output('busy-deep'));
  const targets = targetsIn(output, source);
  const plain = targets.find(({ name }) => name === 'qsort');
  assert.ok(plain !== undefined);
  return {
    targets: javac === undefined ? targets : [...targets, await javaTarget(javac, folder)],
    plain,
    start: (target, cpuSeconds, options = {}) =>
      runTarget(output('launch'), target, cpuSeconds, options),
  };
}

function targetsIn(output: (name: string) => string, source: (name: string) => string): Target[] {
  const c = (name: string, way: string, ...rest: readonly string[]) => ({
    name,
    ...loops,
    command: [output(`busy-${name}`), way, 'SECONDS', ...rest],
  });
  // Without inlining, each function keeps its own frame.
  const compiling = ['--no-turbo-inlining', '--no-maglev-inlining'];
  const map = ['--perf-basic-prof', '--no-logfile-per-isolate'];
  const mapFlags = [...map, ...compiling, source('busy-map.mjs')];
  return [
    { ...c('qsort', 'qsort'), through: [/qsort|msort|libc\.so/, 0.95] },
    { name: 'cc', command: [output('busy-cc'), 'SECONDS'], ...loops, through: [/descend/, 0.95] },
    { name: 'rust', command: [output('busy-rust'), 'SECONDS'], ...loops },
    {
      name: 'go',
      command: [output('busy-go'), 'SECONDS'],
      hot: /^main\.hotLoop$/,
      warm: /^main\.warmLoop$/,
      // Go's scheduler runs on its own stack, which begins with one of these functions.
      root: /^runtime\.(goexit|mstart|mcall|morestack|systemstack)$/,
    },
    {
      name: 'node',
      command: [process.execPath, source('busy.mjs'), 'SECONDS'],
      // V8 may inline the loop into the callback.
      hot: /crc32/,
      warm: /^warmLoop$|^\(anonymous\)$/,
      root: anyRoot,
      through: [/^Builtins_/, 0.8],
    },
    ...nodePrograms().map(({ name, path }) => ({
      name: `names in ${name}`,
      command: [path, ...compiling, source('busy-names.mjs'), 'SECONDS'],
      hot: /^hotLoop$/,
      warm: /^warmLoop$/,
      root: anyRoot,
      through: [/^(callback|turn)$/, 0.8, 2] as const,
    })),
    {
      name: 'node with a map',
      command: [process.execPath, ...mapFlags, 'SECONDS'],
      hot: /^hotLoop$/,
      warm: /^warmLoop$/,
      root: anyRoot,
      through: [/^work$/, 0.7],
    },
    {
      name: 'python',
      command: [pythonProgram(), source('busy.py'), 'SECONDS'],
      hot: /crc32/,
      warm: /^warm_loop$|^_?Py|^float_/,
      root: start,
      // Python functions are between native frames. Python's start takes a tenth of the time.
      through: [/^(hot|warm)_loop$/, 0.85],
    },
    {
      name: 'deep',
      command: [output('busy-deep'), 'SECONDS', '300'],
      ...loops,
      root: /^\[truncated\]$|^_start$/,
      through: [/descend$/, 0.97, 120],
    },
    { ...c('threads', 'threads'), root: anyRoot, through: [/^run_thread$/, 0.95] },
    { ...c('signals', 'signals'), through: [/^on_alarm$/, 0.15] },
    { ...c('late', 'library', output('library.so')), through: [/^library_work$/, 0.9] },
    // This program removes its own file, and has no build id.
    c('deleted', 'deleted'),
    c('static', 'qsort'),
    c('forks', 'forks'),
  ];
}

/** Builds the Java program. Only `npm run test:full` installs the JDK that it needs. */
async function javaTarget(javac: string, folder: string): Promise<Target> {
  const java = join(dirname(await realpath(javac)), 'java');
  // Uses only the first compiler, and a garbage collector without threads.
  const flags = ['-XX:+PreserveFramePointer', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
  return {
    name: 'java',
    command: [java, ...flags, '-cp', folder, 'Busy', 'SECONDS'],
    hot: /Busy\.hotLoop/,
    warm: /Busy\.warmLoop/,
    root: anyRoot,
    through: [/Busy\.main|Interpreter/, 0.8],
  };
}

async function runTarget(
  launcher: string,
  { command }: Target,
  cpuSeconds: number,
  { cgroup, environment }: StartOptions,
): Promise<Used> {
  const words = command.map((word) => (word === 'SECONDS' ? String(cpuSeconds) : word));
  const enter = cgroup === undefined ? '' : `echo $$ > ${cgroup}/cgroup.procs; `;
  const child = spawn('sh', ['-c', `${enter}exec "$@"`, 'sh', launcher, ...words], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stolenBefore = stolenSeconds();
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = await once(child, 'close');
  assert.equal(code, 0, `${words.join(' ')} ended with ${code}`);
  const [pid, seconds] = output.trim().split(' ').map(Number);
  return { pid, cpuSeconds: seconds, stolenSeconds: stolenSeconds() - stolenBefore };
}

/**
 * Returns the time for which the hypervisor took CPUs away, summed over all CPUs. /proc/stat counts
 * in ticks of 10 ms.
 */
function stolenSeconds(): number {
  const [, , , , , , , , stolen] = readFileSync('/proc/stat', 'utf8').split(/\s+/, 9);
  return Number(stolen) / 100;
}
