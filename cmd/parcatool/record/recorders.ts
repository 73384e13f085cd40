// The ways to profile a command: what each adds to the command line, and where profiles then are.
import { basename, join } from 'node:path';
import { invalidFlag } from '../../flag-table.ts';

/** A command line to run, with variables of the environment that it needs. */
export interface CommandLine {
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** Place and frequency of a recording. */
export interface RecordingPlan {
  /** Empty folder for the files of one run. */
  readonly folder: string;
  readonly frequencyHz: number;
  /** Variables of this process. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** A way to profile. */
export interface Recorder {
  readonly name: string;
  /** Program that it needs in addition to the command; "" = none. */
  readonly program: string;
  /** Advice where that program is missing. */
  readonly advice: string;
  /** True if the kernel decides who may use it. */
  readonly needsPerfEvents: boolean;
  /** Files that are written to the folder before, by name. */
  readonly scripts: ReadonlyMap<string, string>;
  /** File in the folder with the exit code of the command; "" = the recorder has it itself. */
  readonly exitFile: string;
  /** Returns true for commands that it is for, unless another one is chosen. */
  isFor(args: readonly string[]): boolean;
  /** Returns the command that profiles. Errors: AppError 'invalid-argument'. */
  wrap(args: readonly string[], plan: RecordingPlan): CommandLine;
  /**
   * Returns the command whose output is a profile, to be run after the other one; undefined if the
   * folder has the profiles then.
   */
  convert(plan: RecordingPlan): CommandLine | undefined;
  /** Returns stacks as text without what differs from run to run. */
  clean(text: string): string;
}

const plain = {
  program: '',
  advice: '',
  needsPerfEvents: false,
  scripts: new Map<string, string>(),
  exitFile: '',
  convert: () => undefined,
  clean: (text: string) => text,
};

const noVariables = {};

function programOf(args: readonly string[]): string {
  return basename(args[0] ?? '');
}

const goTest: Recorder = {
  ...plain,
  name: 'go',
  isFor: (args) =>
    (programOf(args) === 'go' && args[1] === 'test') || programOf(args).endsWith('.test'),
  wrap(args, { folder }) {
    if (args.some((arg) => /^--?(?:test\.)?cpuprofile\b/.test(arg))) {
      throw invalidFlag('record sets -cpuprofile itself: leave it out');
    }
    const profile = join(folder, 'cpu.pb.gz');
    if (programOf(args).endsWith('.test')) {
      return { args: [...args, `-test.cpuprofile=${profile}`], variables: noVariables };
    }
    // With a profile, go test keeps its program, which would be in the working directory.
    const own = [`-cpuprofile=${profile}`, `-o=${join(folder, 'program')}`];
    return { args: [...args.slice(0, 2), ...own, ...args.slice(2)], variables: noVariables };
  },
};

const node: Recorder = {
  ...plain,
  name: 'node',
  isFor: (args) => ['node', 'npm', 'npx'].includes(programOf(args)),
  wrap(args, { folder, frequencyHz, variables }) {
    const interval = Math.max(1, Math.round(1e6 / frequencyHz));
    const own = `--cpu-prof --cpu-prof-dir=${JSON.stringify(folder)} --cpu-prof-interval=${interval}`;
    const before = variables['NODE_OPTIONS'] ?? '';
    return { args, variables: { NODE_OPTIONS: `${before} ${own}`.trim() } };
  },
};

/** Files of the recorder for Python. */
const [pyScript, pyExit, pyStacks] = ['run.py', 'exit-code', 'py-spy.collapsed'];

/** py-spy does not say how a command ended, so it gets this one, which starts that command. */
const pyRunner = `import subprocess, sys
code = subprocess.call(sys.argv[2:])
with open(sys.argv[1], "w") as file:
    file.write(str(code))
`;

const pySpy: Recorder = {
  ...plain,
  name: 'py-spy',
  program: 'py-spy',
  advice: 'pip install py-spy',
  scripts: new Map([[pyScript, pyRunner]]),
  exitFile: pyExit,
  isFor: (args) => /^(?:python[\d.]*|pytest|tox|nox)$/.test(programOf(args)),
  wrap(args, { folder, frequencyHz }) {
    const own = ['--format=raw', '--nolineno', '--subprocesses', `--rate=${frequencyHz}`];
    const output = `--output=${join(folder, pyStacks)}`;
    const runner = ['python3', join(folder, pyScript), join(folder, pyExit)];
    const all = ['py-spy', 'record', ...own, output, '--', ...runner, ...args];
    return { args: all, variables: noVariables };
  },
  clean: (text) => withoutProcesses(text),
};

/**
 * Replaces the frames of processes, which have ids and command lines of several lines, by a root,
 * and leaves out the stacks of the process that started the command.
 */
function withoutProcesses(stacks: string): string {
  return stacks
    .replaceAll(/process \d+:"[^]*?"(?=;| \d+$)/gm, '\0')
    .split('\n')
    .map((line) => /^\0;\0;?((?:\0;)*)(.*)$/.exec(line)?.[2] ?? '')
    .filter((line) => /^[^ ].* \d+$/.test(line))
    .map((line) => `python;${line}\n`)
    .join('');
}

/** The file that perf writes, which no reader knows. */
const perfFile = 'perf.data';

const perf: Recorder = {
  ...plain,
  name: 'perf',
  program: 'perf',
  advice: 'install the package linux-perf, or perf',
  needsPerfEvents: true,
  isFor: () => true,
  wrap(args, { folder, frequencyHz }) {
    // The clock of the CPU needs no counters, which virtual machines often lack.
    const own = ['--event=cpu-clock:u', `--freq=${frequencyHz}`, '--call-graph=fp', '--quiet'];
    const output = `--output=${join(folder, perfFile)}`;
    return { args: ['perf', 'record', ...own, output, '--', ...args], variables: noVariables };
  },
  convert: ({ folder }) => ({
    args: ['perf', 'script', `--input=${join(folder, perfFile)}`],
    variables: noVariables,
  }),
};

/** In the order in which they are asked. */
const recorders: readonly Recorder[] = [goTest, node, pySpy, perf];

/** Returns the recorder of a name, or with `auto` the one that the command is for. */
export function chooseRecorder(name: string, args: readonly string[]): Recorder {
  const found = recorders.find((one) => (name === 'auto' ? one.isFor(args) : one.name === name));
  return found ?? perf;
}
