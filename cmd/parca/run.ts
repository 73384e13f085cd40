// Life cycle of the process: flags, start, signals, stop.
import { AppError, errorMessage } from '../../src/base/errors.ts';
import { shutdownMillisMax } from '../../src/base/limits.ts';
import { collectEarly } from '../../src/base/node/memory.ts';
import { printableLines } from '../../src/base/printable.ts';
import { type BuildInfo, readBuildInfo } from '../build-info.ts';
import { type Flags, helpText, parseFlags } from './flags.ts';
import type { Program } from './mode-parts.ts';

/** Two signals within this time count as one. */
const sameSignalMillisMax = 1_000;

/** Runs the server with command line arguments. */
export async function run(args: readonly string[]): Promise<void> {
  let flags: Flags;
  try {
    flags = parseFlags(args);
  } catch (error) {
    fail(error);
    return;
  }
  const build = readBuildInfo();
  if (flags.help) {
    process.stdout.write(helpText());
    return;
  }
  if (flags.version) {
    process.stdout.write(`parca, version ${build.version} (commit: ${build.commit})\n`);
    return;
  }
  const stopping = new AbortController();
  let program: Program | undefined;
  let askedMillis = 0;
  const stop = (signal: string): void => {
    if (stopping.signal.aborted) {
      // A second signal means "now", but npm also forwards the terminal's Ctrl-C to its child.
      if (performance.now() - askedMillis > sameSignalMillisMax) process.exit(1);
      return;
    }
    askedMillis = performance.now();
    stopping.abort();
    void end(program, signal);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.on('SIGHUP', () => void program?.reload().catch(() => undefined));
  /** Prints the error, and ends the process with exit code 1. */
  const endFailed = (error: AppError): void => {
    process.stderr.write(printableLines(`parca: ${error.message}\n`));
    if (program === undefined) process.exit(1);
    if (stopping.signal.aborted) return;
    stopping.abort();
    void end(program, error.message, 1);
  };
  try {
    // The server is loaded only now, because loading takes 0.8 s of CPU time, and --help and
    // --version do not need it.
    program = await start(flags, build, endFailed);
  } catch (error) {
    fail(error);
  }
}

/** Starts the server in its mode. `onFatal` is called if the server must not continue. */
async function start(
  flags: Flags,
  build: BuildInfo,
  onFatal: (error: AppError) => void,
): Promise<Program> {
  if (flags.mode === 'scraper-only' || flags.mode === 'forwarder') {
    return (await import('./scraper.ts')).startScraper(flags, build);
  }
  if (flags.mode === 'query') {
    return (await import('./query-server.ts')).startQueryServer(flags, build);
  }
  const { startProgram } = await import('./wire.ts');
  collectEarly();
  return startProgram(flags, build, onFatal);
}

/** Ends the process when everything is closed, or when closing takes too long. */
async function end(program: Program | undefined, signal: string, code = 0): Promise<void> {
  setTimeout(() => process.exit(1), shutdownMillisMax + 1_000);
  try {
    await program?.stop(signal);
    process.exit(code);
  } catch (error) {
    fail(error);
  }
}

/** Prints a line for an expected error, or the stack for a bug. */
function fail(error: unknown): void {
  const text = error instanceof AppError ? error.message : formatStack(error);
  // Each line of a config error begins with its position.
  const isList = error instanceof AppError && error.name === 'ConfigError';
  process.stderr.write(printableLines(`${isList ? '' : 'parca: '}${text}\n`));
  process.exit(1);
}

function formatStack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : errorMessage(error);
}
