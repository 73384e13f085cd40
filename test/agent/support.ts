// The real agent as a process, and the programs that its tests profile.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { testTool } from '../support/tools.ts';

const run = promisify(execFile);
const agentProgram = new URL('../../cmd/parca-agent/main.ts', import.meta.url).pathname;
const targets = new URL('targets/', import.meta.url).pathname;
const readyMillisMax = 60_000;

/** A running agent of this test's own. */
export interface TestAgent {
  /** Body of /status.json. */
  status(): Promise<AgentStatusJson>;
  readonly url: string;
  log(): string;
  /** SIGTERM, then waits; the exit code. */
  stop(): Promise<number | null>;
}

/** The part of /status.json that tests read. */
export interface AgentStatusJson {
  readonly queue?: {
    readonly requests: number;
    readonly diskBytes: number;
    readonly droppedRequests: number;
  };
  readonly sender?: { readonly sentRequests: number; readonly lastError: string };
  readonly sampler?: { readonly lostSamples: number; readonly droppedSamples: number };
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  readonly processes: readonly {
    readonly pid: number;
    readonly comm: string;
    readonly samples: number;
    readonly found: Readonly<Record<string, string>>;
    readonly labels?: Readonly<Record<string, string>>;
  }[];
  readonly executables: readonly {
    readonly executable: string;
    readonly samples: number;
    readonly completeShare: number;
    readonly failures: Readonly<Record<string, number>>;
  }[];
}

/** Starts an agent; resolves when it samples. */
export async function startAgent(flags: readonly string[]): Promise<TestAgent> {
  const child = spawn(process.execPath, [agentProgram, '--http-address=127.0.0.1:0', ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  const address = await new Promise<string>((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`agent ${why}; its log:\n${log}`));
    const timer = setTimeout(() => fail('did not get ready'), readyMillisMax);
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      const found = /msg=ready address=(\S+)/.exec(log);
      if (found === null) return;
      clearTimeout(timer);
      resolve(found[1]);
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`ended with code ${code}`);
    });
  });
  return {
    url: `http://${address}`,
    status: async () => (await fetch(`http://${address}/status.json`)).json(),
    log: () => log,
    stop: async () => {
      if (child.exitCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }
      return child.exitCode;
    },
  };
}

/** A program that burns CPU time, and says how much it used. */
export interface BusyProgram {
  readonly language: 'C' | 'Go' | 'Rust' | 'Node' | 'Python';
  readonly command: readonly string[];
  /** Names of the functions with three quarters and one quarter of the time; "" = not known. */
  readonly hot: string;
  readonly warm: string;
}

/** Builds the programs into `folder`, for every language whose compiler is there. */
export async function buildPrograms(folder: string): Promise<BusyProgram[]> {
  const source = (name: string): string => join(targets, name);
  const output = (name: string): string => join(folder, name);
  const rustc = join(dirname(testTool('TEST_CARGO')), 'rustc');
  await Promise.all([
    run('cc', ['-O2', '-fomit-frame-pointer', '-o', output('busy-c'), source('busy.c')]),
    run(testTool('TEST_GO'), ['build', '-o', output('busy-go'), source('busy.go')]),
    run(rustc, ['-O', '-o', output('busy-rust'), source('busy.rs')]),
  ]);
  // One function stays one function.
  const flags = ['--perf-basic-prof', '--no-turbo-inlining', '--no-maglev-inlining'];
  return [
    { language: 'C', command: [output('busy-c')], hot: 'hot_loop', warm: 'warm_loop' },
    { language: 'Go', command: [output('busy-go')], hot: 'main.hotLoop', warm: 'main.warmLoop' },
    { language: 'Rust', command: [output('busy-rust')], hot: 'hot_loop', warm: 'warm_loop' },
    {
      language: 'Node',
      command: [process.execPath, ...flags, '--no-logfile-per-isolate', source('busy.mjs')],
      hot: 'hotLoop',
      warm: 'warmLoop',
    },
    { language: 'Python', command: ['python3', source('busy.py')], hot: '', warm: '' },
  ];
}

/** A program that was started. */
export interface RunningProgram {
  readonly pid: number;
  /** CPU seconds that it says it used. */
  readonly finished: Promise<number>;
}

/** Starts a program for so much CPU time, 1.5 s say; in a cgroup where one is given. */
export function startProgram(
  { command }: BusyProgram,
  cpuSeconds: number,
  options: {
    readonly cwd: string;
    readonly cgroup?: string;
    readonly environment?: Readonly<Record<string, string>>;
  },
): RunningProgram {
  const enter = options.cgroup === undefined ? '' : `echo $$ > ${options.cgroup}/cgroup.procs; `;
  // The shell becomes the program, so that its number is the program's.
  const script = `${enter}exec "$@"`;
  const child = spawn('sh', ['-c', script, 'sh', ...command, String(cpuSeconds)], {
    cwd: options.cwd,
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { pid: child.pid ?? 0, finished: finishedOf(child, command) };
}

async function finishedOf(child: ChildProcess, command: readonly string[]): Promise<number> {
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = await once(child, 'close');
  assert.equal(code, 0, `${command.join(' ')} ended with ${code}`);
  // Node logs what its garbage collector does before the last line.
  return Number(output.trim().split('\n').at(-1));
}
