// Reads the instructions of functions with the program of `native/symbolizer`.
import { AppError } from '../base/errors.ts';
import type { RunProgram } from '../base/node/run-program.ts';
import {
  disassemblyBytesMax,
  disassemblyCpuSecondsMax,
  disassemblyInstructionsMax,
  disassemblyMillisMax,
} from './limits.ts';
import type { DemangleMode } from './interface.ts';

/** One instruction. */
export interface Instruction {
  /** ELF virtual address. */
  readonly address: number;
  /** Hexadecimal digits. */
  readonly bytes: string;
  readonly text: string;
  /** Function that is jumped to or called, perhaps with an offset; "" if there is none. */
  readonly target: string;
  /** Source position of the innermost call; "" and 0 if it is unknown. */
  readonly file: string;
  readonly line: number;
}

/** Code of one function, in the order of addresses. */
export interface DisassembledFunction {
  readonly name: string;
  readonly start: number;
  /** First address after the function. */
  readonly end: number;
  readonly instructions: readonly Instruction[];
  /** Number of bytes at the function's end that are left out. */
  readonly cutBytes: number;
}

export interface Disassembly {
  readonly functions: readonly DisassembledFunction[];
  /** Reasons why code of some addresses is missing. */
  readonly missing: readonly string[];
}

/** A file with code, and a file with its names if the first file has none. */
export interface CodeFiles {
  readonly path: string;
  readonly namesPath: string | undefined;
}

/**
 * Disassembles the functions around addresses, which are ELF virtual addresses.
 *
 * Errors: AppError 'invalid-argument' with the program's reason, 'resource-exhausted' for a file
 * that takes too much memory or time; the signal's reason.
 */
export type Disassemble = (
  files: CodeFiles,
  addresses: readonly number[],
  signal: AbortSignal,
) => Promise<Disassembly>;

/**
 * Creates a function that starts the program for each request. The program can access only the
 * given files.
 */
export function createDisassembler(
  run: RunProgram,
  program: string,
  mode: DemangleMode,
  memoryBytesMax: number,
): Disassemble {
  return async ({ path, namesPath }, addresses, signal) => {
    const limits = [String(memoryBytesMax), String(disassemblyCpuSecondsMax)];
    const option = namesPath === undefined ? 'code' : 'code alternate';
    const input = new Uint8Array(8 * addresses.length);
    const view = new DataView(input.buffer);
    addresses.forEach((address, i) => view.setBigUint64(8 * i, BigInt(address), true));
    const answer = await run({
      program,
      programArguments: [mode, ...limits, option],
      filePath: path,
      alternatePath: namesPath,
      input,
      millisMax: disassemblyMillisMax,
      outputBytesMax: disassemblyBytesMax,
      signal,
    });
    return readDisassembly(new TextDecoder().decode(answer));
  };
}

/**
 * Parses the program's output. native/symbolizer/src/disassembly.rs describes the format.
 *
 * Errors: AppError 'data-loss' for a line that is not in this format.
 */
export function readDisassembly(answer: string): Disassembly {
  const functions: (DisassembledFunction & { readonly instructions: Instruction[] })[] = [];
  const missing = new Set<string>();
  let left = disassemblyInstructionsMax;
  for (const line of answer.split('\n')) {
    const [kind, ...fields] = line.split('\t');
    const current = functions.at(-1);
    if (kind === 'F' && fields.length === 3) {
      const [start, end] = fields.map((field) => Number.parseInt(field, 16));
      functions.push({ name: fields[2], start, end, instructions: [], cutBytes: 0 });
    } else if (kind === 'I' && fields.length === 6 && current !== undefined) {
      left -= 1;
      if (left >= 0) current.instructions.push(readInstruction(fields));
    } else if (kind === 'C' && current !== undefined) {
      functions[functions.length - 1] = { ...current, cutBytes: Number(fields[0]) };
    } else if (kind === 'W' && fields.length === 1) missing.add(fields[0]);
    else if (line !== '') {
      throw new AppError('data-loss', 'cannot read the answer of the symbolizer: a wrong line');
    }
  }
  if (left < 0) missing.add(`${-left} instructions are left out`);
  return { functions, missing: [...missing] };
}

function readInstruction(fields: readonly string[]): Instruction {
  const [address, bytes, target, line, file, text] = fields;
  return { address: Number.parseInt(address, 16), bytes, target, line: Number(line), file, text };
}
