// Runs the program: parses the arguments, prints the output, and returns the exit code.
import { writeFile } from 'node:fs/promises';
import { AppError, errorCode, errorMessage } from '../../src/base/errors.ts';
import { nearest } from '../../src/base/text/nearest.ts';
import { printableLines, printableWithColours } from '../../src/base/printable.ts';
import { isAboutGroups } from '../../src/model/group-note.ts';
import { isAboutNames } from '../../src/model/name-gaps.ts';
import { formatAveragesNote, readSumNote } from '../../src/model/sum-note.ts';
import { parseQuery } from '../../src/promql-like/parse.ts';
import { QueryError } from '../../src/promql-like/query.ts';
import {
  flag,
  flagLines,
  type FlagRow,
  invalidFlag,
  parseArguments,
  UsageError,
} from '../flag-table.ts';
import { readBuildInfo } from '../build-info.ts';
import type { Command, Output } from './shared/command.ts';
import { commands, everyFlag } from './commands.ts';
import { type Options, readOptions } from './shared/options.ts';
import type { Terminal } from './shared/terminal.ts';

/** Exit codes; docs/parcatool.md lists them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  nothingFound: 3,
  overBudget: 4,
  unclear: 5,
} as const;

const helpFlag = flag('help', 'false', 'Print this and exit.');
const versionFlag = flag('version', 'false', 'Print the version and exit.');
/** Binary formats, which must not be printed to a terminal. */
const binaryFormats: ReadonlySet<string> = new Set(['pprof', 'pgo', 'firefox']);

interface Task {
  readonly command: Command;
  readonly args: readonly string[];
  readonly options: Options;
}

/** Output streams of the process, or of a test. */
export interface Printer {
  readonly stdout: PrintStream;
  readonly stderr: PrintStream;
}

interface PrintStream {
  /** Both are undefined for files and pipes. */
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string | Uint8Array): boolean;
}

/** Runs a command, and resolves to the exit code. */
export async function run(args: readonly string[], printer: Printer): Promise<number> {
  const { stdout } = printer;
  // Messages from servers contain names, which must not contain control sequences for the terminal.
  const stderr = { write: (text: string) => printer.stderr.write(printableLines(text)) };
  const warn = (sentence: string): void => {
    // Commands show averages if sums are meaningless, so the server's note about sums is adapted or
    // left out.
    const said = formatAveragesNote(sentence);
    if (said === undefined) return;
    const isWhole =
      isAboutGroups(sentence) || isAboutNames(sentence) || readSumNote(sentence) !== undefined;
    stderr.write(`parcatool: ${isWhole ? '' : 'the answer is incomplete: '}${said}\n`);
  };
  let task: Task | string;
  try {
    task = readTask(args, stdout);
  } catch (error) {
    stderr.write(`parcatool: ${errorMessage(error)}\n`);
    return exitCodes.wrongUsage;
  }
  try {
    if (typeof task === 'string') stdout.write(task);
    else {
      const { command } = task;
      // Finds mistakes before the server is contacted.
      if (command.argument === 'QUERY') parseQuery(task.args[0]);
      const note = (line: string): void => void stderr.write(`parcatool: ${line}\n`);
      const options = { ...task.options, client: { ...task.options.client, warn }, note };
      const output = await command.run(task.args, options, toTerminal(options, stdout));
      const isPlain = typeof output === 'string' || output instanceof Uint8Array;
      const printed = isPlain ? output : output.text;
      if (options.output === '') stdout.write(shown(printed, stdout));
      else await save(printed, options.output);
      if (isPlain) return exitCodes.done;
      if ('code' in output) return output.code;
      if (output.isFailed) return exitCodes.failed;
    }
    return exitCodes.done;
  } catch (error) {
    const text = error instanceof AppError ? error.message : formatStack(error);
    stderr.write(`${isListOfPlaces(error) ? '' : 'parcatool: '}${text}\n`);
    if (error instanceof UsageError) return exitCodes.wrongUsage;
    if (error instanceof QueryError) stderr.write(`${indented(error.excerpt)}\n`);
    return errorCode(error) === 'not-found' ? exitCodes.nothingFound : exitCodes.failed;
  }
}

/**
 * Returns the output in the form for a stream. If the stream is a terminal, control characters are
 * removed.
 */
function shown(output: Output, { isTTY }: PrintStream): Output {
  if (isTTY !== true) return output;
  const text = typeof output === 'string' ? output : new TextDecoder().decode(output);
  return printableWithColours(text);
}

/**
 * Returns true for an error that lists the mistakes in a config file. Each of its lines begins with
 * `file:line:column:`, which editors recognize.
 */
function isListOfPlaces(error: unknown): boolean {
  // Compares the name, because importing the class would load the YAML parser.
  return error instanceof AppError && error.name === 'ConfigError';
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}

/** Returns the task of a command line, or a string to print, such as the help. */
function readTask(given: readonly string[], stdout: PrintStream): Task | string {
  const args = asHere(given);
  const command = findCommand(args);
  if (command === undefined) return readProgramFlags(args);
  const table = [...command.flags.map(withEnvironment), helpFlag];
  const rest = args.slice(command.name.split(' ').length);
  const isList = command.argument.endsWith('...');
  const positionalMax = isList ? Infinity : command.argument === '' ? 0 : 1;
  const { flags, positional } = parseArguments(rest, { table, others: everyFlag, positionalMax });
  if (flags.isOn('help')) return commandHelp(command, table);
  const isNeeded = isList || /^[A-Z]/.test(command.argument);
  if (isNeeded && positional.length === 0) {
    throw invalidFlag(`${command.name} needs ${command.argument}: see ${command.name} --help`);
  }
  const options = readOptions(flags, command.formats, Date.now());
  if (binaryFormats.has(options.format) && options.output === '' && stdout.isTTY === true) {
    throw invalidFlag(`${options.format} is a binary format: set --output FILE`);
  }
  return { command, args: positional, options };
}

/** Commands that promtool has under `check`. */
const checks: ReadonlyMap<string | undefined, string> = new Map([
  ['config', 'check'],
  ['sd', 'targets'],
  ['targets', 'targets'],
  ['relabel', 'relabel'],
]);

/**
 * Returns the arguments with the words of a command in our order: `config check` instead of
 * promtool's `check config`.
 */
function asHere(args: readonly string[]): readonly string[] {
  const [first, second, ...rest] = args;
  const name = first === 'check' ? checks.get(second) : undefined;
  return name === undefined ? args : ['config', name, ...rest];
}

function readProgramFlags(args: readonly string[]): string {
  const first = args[0] ?? '--help';
  if (!first.startsWith('-')) {
    const names = commands.map(({ name }) => name);
    const near = nearest(args.slice(0, 2).join(' '), names) ?? nearest(first, names);
    const hint = near === undefined ? 'see --help' : `did you mean ${near}?`;
    throw invalidFlag(`unknown command ${JSON.stringify(first)}: ${hint}`);
  }
  const table = [versionFlag, helpFlag];
  const { flags } = parseArguments(args, { table, positionalMax: 0 });
  if (!flags.isOn('version')) return programHelp();
  const { version, commit } = readBuildInfo();
  return `parcatool, version ${version} (commit: ${commit})\n`;
}

function findCommand(args: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, i) => args[i] === word));
}

/** Returns the text of --help. */
export function programHelp(): string {
  const lines = commands.map(
    ({ name, argument, help }) => `  ${`${name} ${argument}`.padEnd(28)} ${help}\n`,
  );
  return (
    'Usage: parcatool COMMAND [flags]\n\nShows profiles of a server or of files, and works on data directories.\n\n' +
    `Commands:\n${lines.join('')}\nFlags (parcatool COMMAND --help lists those of a command):\n` +
    flagLines([versionFlag, helpFlag])
  );
}

function commandHelp({ name, argument, help }: Command, table: readonly FlagRow[]): string {
  const usage = ['parcatool', name, argument, '[flags]'].filter((word) => word !== '').join(' ');
  return `Usage: ${usage}\n\n${help}\n\nFlags:\n${flagLines(table)}`;
}

/** Environment variables for the defaults of flags. */
const variables: ReadonlyMap<string, string> = new Map([
  ['server', 'PARCA_ADDRESS'],
  ['bearer-token-file', 'PARCA_BEARER_TOKEN_FILE'],
  ['user', 'PARCA_USER'],
  ['password-file', 'PARCA_PASSWORD_FILE'],
  ['ca-file', 'PARCA_CA_FILE'],
  ['client-cert-file', 'PARCA_CLIENT_CERT_FILE'],
  ['client-key-file', 'PARCA_CLIENT_KEY_FILE'],
]);

function withEnvironment(flag: FlagRow): FlagRow {
  const given = process.env[variables.get(flag.name) ?? ''] ?? '';
  return given === '' ? flag : { ...flag, initial: given };
}

/** Decides whether to use colours: on a terminal, unless NO_COLOR is set (https://no-color.org). */
function toTerminal({ output, color }: Options, stdout: PrintStream): Terminal {
  const isTerminal = output === '' && stdout.isTTY === true;
  const isWanted = isTerminal && (process.env['NO_COLOR'] ?? '') === '';
  return {
    isColoured: color === 'auto' ? isWanted : color === 'always',
    width: isTerminal ? stdout.columns : undefined,
  };
}

async function save(text: Output, file: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    const message = `cannot write ${file}: ${errorMessage(error)}`;
    throw new AppError('failed-precondition', message, { cause: error });
  }
}

function formatStack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : errorMessage(error);
}
