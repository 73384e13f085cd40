// Recorded stacks. A recorded stack has all data that the unwinder read from a stopped program, and
// the resulting frames.
//
// Rows are lines for testing/unwind.c without their first word.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the recorded stacks. */
export const stacksFolder = fileURLToPath(new URL('../testdata/stacks/', import.meta.url));
const source = fileURLToPath(new URL('unwind.c', import.meta.url));

export interface RecordedStack {
  /** Name of the program, and function in which it was stopped. */
  readonly program: string;
  /** Registers rip, rsp and rbp; then 1 if rip is a return address, otherwise 0. */
  readonly registers: string;
  /** Other registers of the leaf that a rule needs. */
  readonly leaf: readonly string[];
  /** Executable mappings, and the data of an interpreter. */
  readonly mappings: readonly string[];
  /** Index of the interpreter's first entry, which follows the mappings, and register fs. */
  readonly interpreter?: readonly string[];
  readonly thread?: readonly string[];
  /** Lines of unwinding tables that were read. */
  readonly lines: readonly string[];
  /** Words of memory that were read. */
  readonly words: readonly string[];
  readonly status: string;
  /** Address and name of each frame, from the leaf. */
  readonly frames: readonly string[];
}

/** Output of the unwinder for a stack. */
export interface UnwoundStack {
  /** Number of the status, and the address at which unwinding failed. */
  readonly status: string;
  readonly addresses: readonly string[];
}

/** Compiles the unwinder for this machine. */
export function compileUnwinder(compiler: string, to: string): void {
  const flags = ['-O1', '-Wall', '-Wextra', '-Werror'];
  execFileSync(compiler, [...flags, source, '-o', to], { stdio: ['ignore', 'ignore', 'inherit'] });
}

export function readRecordedStacks(): ReadonlyMap<string, RecordedStack> {
  const files = readdirSync(stacksFolder).toSorted();
  return new Map(
    files.map((file) => [
      file.replace('.json', ''),
      JSON.parse(readFileSync(join(stacksFolder, file), 'utf8')),
    ]),
  );
}

/** Unwinds recorded stacks in one process. */
export function unwindStacks(unwinder: string, stacks: readonly RecordedStack[]): UnwoundStack[] {
  const input = stacks.map(
    ({ registers, leaf, mappings, interpreter = [], thread = [], lines, words }) =>
      [
        ...mappings.map((row) => `mapping ${row}\n`),
        ...interpreter.map((row) => `interpreter ${row}\n`),
        ...thread.map((row) => `thread ${row}\n`),
        ...lines.map((row) => `line ${row}\n`),
        ...words.map((row) => `word ${row}\n`),
        ...leaf.map((row) => `leaf ${row}\n`),
        `registers ${registers}\n`,
        'unwind\n',
      ].join(''),
  );
  const output = execFileSync(unwinder, { input: input.join(''), encoding: 'utf8' });
  return parseStacks(output);
}

/** Parses the unwinder's output. */
export function parseStacks(output: string): UnwoundStack[] {
  return output
    .split('end\n')
    .slice(0, -1)
    .map((text) => ({
      status: readFields(text, 'status')[0],
      addresses: readFields(text, 'frame'),
    }));
}

/** Returns the lines that begin with `word`, without this word. */
export function readFields(text: string, word: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${word} `))
    .map((line) => line.slice(word.length + 1));
}
