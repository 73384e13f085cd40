// Names, files, lines and inlined calls by DWARF, read in TypeScript, in a thread of their own.
import { AppError } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import { dwarfBytesMax } from '../../base/limits.ts';
import { formatByteSize } from '../../base/text/byte-size.ts';
import { readElf, sourceOfFile } from '../elf-file.ts';
import { type FunctionSymbols, readFunctionSymbols } from '../elf-symbols.ts';
import type { Resolver, SourceFrame } from '../interface.ts';
import type { AskSymbols } from '../symbols-thread.ts';
import { type DwarfFile, readDwarf } from './dwarf-file.ts';

/** A question to the thread. */
export interface DwarfRequest {
  readonly dwarfPath: string;
  readonly addresses: readonly number[];
}

/** Calls at each address, and reasons why lines are missing. */
export interface DwarfAnswer {
  readonly frames: readonly (readonly SourceFrame[])[];
  readonly notes: readonly string[];
}

/** Creates a resolver that asks a thread, which answers with `resolveByDwarf`. */
export function createDwarfResolver(ask: AskSymbols): Resolver {
  return {
    async resolve({ path }, addresses, signal, note) {
      const request: DwarfRequest = { dwarfPath: path, addresses };
      const { frames, notes } = await ask<DwarfAnswer>(request, signal);
      for (const reason of notes) note?.(reason);
      return frames;
    },
  };
}

/**
 * Returns the calls at each address by DWARF; none where it knows no function.
 *
 * Errors: AppError with the reason why the file cannot be read.
 */
export async function resolveByDwarf(
  files: Files,
  path: string,
  addresses: readonly number[],
  readable: (name: string) => string,
): Promise<DwarfAnswer> {
  const file = await files.open(path, { create: false });
  try {
    const elf = await readElf(sourceOfFile(file, await file.size()));
    const dwarf = await readDwarf(elf).catch(tooLarge);
    if (dwarf === undefined) return { frames: addresses.map(() => []), notes: [] };
    // Symbols are read when the first address needs them.
    let symbols: FunctionSymbols | undefined | null = null;
    const frames: SourceFrame[][] = [];
    for (const address of addresses) {
      const calls = dwarf.framesAt(address);
      const outermost = calls.at(-1);
      // Functions that are local to a file, such as lambdas, have no linkage name in DWARF.
      if (outermost !== undefined && !isMangled(outermost.systemName)) {
        symbols = symbols === null ? await readFunctionSymbols(elf) : symbols;
        const systemName = symbols?.nameOf(address) ?? '';
        if (isMangled(systemName)) calls[calls.length - 1] = { ...outermost, systemName };
      }
      frames.push(calls.map((call) => ({ ...call, functionName: readable(call.systemName) })));
    }
    return { frames, notes: notesOf(dwarf) };
  } finally {
    await file.close();
  }
}

function notesOf({ notes }: DwarfFile): string[] {
  return [...notes];
}

function isMangled(name: string): boolean {
  return name.startsWith('_Z') || name.startsWith('_R');
}

/** Names the program that reads larger files. */
function tooLarge(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'resource-exhausted') throw error;
  const why =
    `its DWARF is too large for the server (limit ${formatByteSize(dwarfBytesMax)}); ` +
    'parca-symbolizer reads it: npm run build:symbolizer';
  throw new AppError('resource-exhausted', why, { cause: error });
}
