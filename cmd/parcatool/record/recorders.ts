// Recorders, which are ways to profile a command. A recorder knows how to change the command line,
// and where the profiles are.
import { basename, join } from 'node:path';
import { invalidFlag } from '../../flag-table.ts';

/** A command line to run, with environment variables. */
export interface CommandLine {
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** Folder and frequency of a recording. */
export interface RecordingPlan {
  /** Empty folder for the files of a run. */
  readonly folder: string;
  readonly frequencyHz: number;
  /** Environment variables of this process. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** A program that profiles the command from outside. */
export interface Companion extends CommandLine {
  /** Returns true if the log of the program shows that it is sampling. */
  isReady(log: string): boolean;
}

/** A way to profile. */
export interface Recorder {
  readonly name: string;
  /** Name of a program that is needed in addition to the command; "" = none. */
  readonly program: string;
  /** Advice if that program is missing. */
  readonly advice: string;
  /** True if the recorder needs perf events, whose use the kernel may restrict. */
  readonly needsPerfEvents: boolean;
  /** True if only root can use the recorder. */
  readonly needsRoot: boolean;
  /** Returns the content of files, by name, that must be written to the folder first. */
  scripts(plan: RecordingPlan): ReadonlyMap<string, string>;
  /** File in the folder with the command's exit code; "" = the recorder exits with that code. */
  readonly exitFile: string;
  /** Returns true if this is the default recorder for a command. */
  isFor(args: readonly string[]): boolean;
  /** Returns the command that profiles. Errors: AppError 'invalid-argument'. */
  wrap(args: readonly string[], plan: RecordingPlan): CommandLine;
  /** Returns the program that runs next to the command; undefined if there is none. */
  companion(plan: RecordingPlan): Companion | undefined;
  /**
   * Returns the command that prints a profile after the recording; undefined if the profiles are in
   * the folder already.
   */
  convert(plan: RecordingPlan): CommandLine | undefined;
  /** Removes the parts of stacks in text form that differ from run to run. */
  clean(text: string): string;
}

/** A recorder that is only a command line. */
export const plainRecorder = {
  program: '',
  advice: '',
  needsPerfEvents: false,
  needsRoot: false,
  scripts: (): ReadonlyMap<string, string> => new Map(),
  companion: () => undefined,
  exitFile: '',
  convert: () => undefined,
  clean: (text: string) => text,
};

const noVariables = {};

function programOf(args: readonly string[]): string {
  return basename(args[0] ?? '');
}

export const goTest: Recorder = {
  ...plainRecorder,
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
    // If go test writes a profile, it also keeps its binary, by default in the working directory.
    const own = [`-cpuprofile=${profile}`, `-o=${join(folder, 'program')}`];
    return { args: [...args.slice(0, 2), ...own, ...args.slice(2)], variables: noVariables };
  },
};

export const node: Recorder = {
  ...plainRecorder,
  name: 'node',
  isFor: (args) => ['node', 'npm', 'npx'].includes(programOf(args)),
  wrap(args, { folder, frequencyHz, variables }) {
    const interval = Math.max(1, Math.round(1e6 / frequencyHz));
    const own = `--cpu-prof --cpu-prof-dir=${JSON.stringify(folder)} --cpu-prof-interval=${interval}`;
    const before = variables['NODE_OPTIONS'] ?? '';
    return { args, variables: { NODE_OPTIONS: `${before} ${own}`.trim() } };
  },
};

/** Names of the Python recorder's files. */
const [pyScript, pyExit, pyStacks] = ['run.py', 'exit-code', 'py-spy.collapsed'];

/**
 * Script that runs the command and stores its exit code. py-spy runs the script, because py-spy
 * itself does not report the exit code of a command.
 */
const pyRunner = `import subprocess, sys
code = subprocess.call(sys.argv[2:])
with open(sys.argv[1], "w") as file:
    file.write(str(code))
`;

export const pySpy: Recorder = {
  ...plainRecorder,
  name: 'py-spy',
  program: 'py-spy',
  advice: 'pip install py-spy',
  scripts: () => new Map([[pyScript, pyRunner]]),
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
 * Replaces the frames that stand for processes with a common root, because these frames contain ids
 * and command lines. Removes the stacks of the process that started the command.
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

/** File that perf writes. It must be converted, because its format is not supported directly. */
const perfFile = 'perf.data';

export const perf: Recorder = {
  ...plainRecorder,
  name: 'perf',
  program: 'perf',
  advice: 'install the package linux-perf, or perf',
  needsPerfEvents: true,
  isFor: () => true,
  wrap(args, { folder, frequencyHz }) {
    // The cpu-clock event needs no hardware counters, which virtual machines often lack.
    const own = ['--event=cpu-clock:u', `--freq=${frequencyHz}`, '--call-graph=fp', '--quiet'];
    const output = `--output=${join(folder, perfFile)}`;
    return { args: ['perf', 'record', ...own, output, '--', ...args], variables: noVariables };
  },
  convert: ({ folder }) => ({
    args: ['perf', 'script', `--input=${join(folder, perfFile)}`],
    variables: noVariables,
  }),
};
