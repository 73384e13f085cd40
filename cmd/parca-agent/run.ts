// Life cycle of the agent's process: flags, config file, start, signals, stop.
import { readFileSync } from 'node:fs';
import { type AgentConfig, parseAgentConfig } from '../../agent/config/agent-config.ts';
import { flushMillisMax } from '../../src/forward/limits.ts';
import { AppError, errorMessage } from '../../src/base/errors.ts';
import { printableLines } from '../../src/base/printable.ts';
import { type BuildInfo, readBuildInfo } from '../build-info.ts';
import { configFlagNames, type Flags, helpText, parseFlags } from './flags.ts';
import { startProgram, type Program } from './wire.ts';

/** Two signals within this time count as one. */
const sameSignalMillisMax = 1_000;
/** Longest time for creating and sending the last batch. */
const stopMillisMax = flushMillisMax * 2;
/** Exit codes of Parca Agent. */
const failed = 1;
const badArguments = 2;

/** Runs the agent with command line arguments. */
export async function run(args: readonly string[]): Promise<void> {
  const build = readBuildInfo();
  let told: { readonly flags: Flags; readonly config: AgentConfig };
  try {
    told = readFlags(args);
  } catch (error) {
    fail(error, badArguments);
    return;
  }
  if (told.flags.help) {
    process.stdout.write(helpText());
    return;
  }
  if (told.flags.version) {
    process.stdout.write(`parca-agent, version ${build.version} (commit: ${build.commit})\n`);
    return;
  }
  await runProgram(told.flags, told.config, build);
}

/**
 * Reads the command line and the config file that it names. The config file can contain flags, too.
 */
function readFlags(args: readonly string[]): {
  readonly flags: Flags;
  readonly config: AgentConfig;
} {
  const isQuestion = args.includes('--help') || args.includes('--version');
  const path = isQuestion ? '' : findConfigPath(args);
  if (path === '') {
    const config = { relabelRules: undefined, flags: new Map<string, readonly string[]>() };
    return { flags: parseFlags(args, process.env), config };
  }
  const config = parseAgentConfig(readConfig(path), path, configFlagNames);
  return { flags: parseFlags(args, process.env, config.flags), config };
}

function findConfigPath(args: readonly string[]): string {
  for (const [i, arg] of args.entries()) {
    if (arg === '--config-path') return args[i + 1] ?? '';
    if (arg.startsWith('--config-path=')) return arg.slice('--config-path='.length);
  }
  return '';
}

function readConfig(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const message = `cannot read config file ${path}: ${errorMessage(error)}`;
    throw new AppError('not-found', message, { cause: error });
  }
}

async function runProgram(flags: Flags, config: AgentConfig, build: BuildInfo): Promise<void> {
  const stopping = new AbortController();
  let program: Program | undefined;
  let askedMillis = 0;
  const stop = (reason: string, code: number): void => {
    if (stopping.signal.aborted) {
      // A second signal means "now", but npm also forwards the terminal's Ctrl-C to its child.
      if (performance.now() - askedMillis > sameSignalMillisMax) process.exit(failed);
      return;
    }
    askedMillis = performance.now();
    stopping.abort();
    void end(program, reason, code);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal, 0));
  // Stops with a failure, so that the supervisor restarts the agent.
  const onFailure = (error: unknown): void => {
    if (!stopping.signal.aborted) stop(errorMessage(error), failed);
  };
  try {
    program = await startProgram(flags, config, build, onFailure);
  } catch (error) {
    fail(error, failed);
  }
}

/** Ends the process when everything is closed, or when closing takes too long. */
async function end(program: Program | undefined, reason: string, code: number): Promise<void> {
  const giveUp = (): void => {
    const seconds = stopMillisMax / 1_000;
    const message = `cannot stop in ${seconds} s: ${program?.closing()} did not close`;
    fail(new AppError('deadline-exceeded', message), failed);
  };
  setTimeout(giveUp, stopMillisMax);
  try {
    await program?.stop(reason);
    process.exit(code);
  } catch (error) {
    fail(error, failed);
  }
}

/** Prints a line for an expected error, or the stack for a bug. */
function fail(error: unknown, code: number): void {
  const isForeseen = error instanceof AppError;
  const text = isForeseen || !(error instanceof Error) ? errorMessage(error) : error.stack;
  // Each line of a config error begins with its position.
  const isList = isForeseen && error.name === 'ConfigError';
  process.stderr.write(printableLines(`${isList ? '' : 'parca-agent: '}${text}\n`));
  process.exit(code);
}
