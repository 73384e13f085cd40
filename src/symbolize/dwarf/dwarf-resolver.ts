// Resolves addresses to names, files, lines and inlined calls with DWARF, which is read in
// TypeScript in a separate thread.
import { AppError } from '../../base/errors.ts';
import type { File, Files } from '../../base/files.ts';
import { dwarfBytesMax } from '../limits.ts';
import { formatByteSize } from '../../base/text/byte-size.ts';
import { type ElfFile, readElf, sourceOfFile } from '../elf-file.ts';
import { type FunctionSymbols, readFunctionSymbols } from '../elf-symbols.ts';
import type { Resolver, SourceFrame } from '../interface.ts';
import { type MissingLines, countMissingLines } from '../missing-lines.ts';
import type { AskSymbols } from '../symbols-thread.ts';
import { readDwarf } from './dwarf-file.ts';

/** A request to the thread. */
export interface DwarfRequest {
  readonly dwarfPath: string;
  /** The file with part of the DWARF; undefined if there is none, or it is missing. */
  readonly alternatePath: string | undefined;
  readonly addresses: readonly number[];
}

/** Calls at each address, and the types of DWARF that are missing. */
export interface DwarfAnswer {
  readonly frames: readonly (readonly SourceFrame[])[];
  readonly missing: readonly MissingLines[];
}

/** Creates a resolver that sends requests to a thread, which runs `resolveByDwarf`. */
export function createDwarfResolver(ask: AskSymbols): Resolver {
  return {
    async resolve(source, addresses, signal, note) {
      const alternatePath = source.alternate?.path;
      const request: DwarfRequest = { dwarfPath: source.path, alternatePath, addresses };
      const { frames, missing } = await ask<DwarfAnswer>(request, signal);
      for (const kind of missing) note?.(countMissingLines(kind, source));
      return frames;
    },
  };
}

/**
 * Returns the calls at each address according to DWARF. There are none for an address without a
 * function.
 *
 * Errors: AppError with the reason why the file cannot be read.
 */
export async function resolveByDwarf(
  files: Files,
  { dwarfPath, alternatePath, addresses }: DwarfRequest,
  readable: (name: string) => string,
): Promise<DwarfAnswer> {
  const file = await files.open(dwarfPath, { create: false });
  const other = alternatePath && (await files.open(alternatePath, { create: false }));
  try {
    const elf = await readElf(sourceOfFile(file, await file.size()));
    const alternate = other ? await readAlternate(other) : undefined;
    const dwarf = await readDwarf(elf, alternate).catch(tooLarge);
    if (dwarf === undefined) return { frames: addresses.map(() => []), missing: [] };
    // Symbols are read when the first address needs them.
    let symbols: FunctionSymbols | undefined | null = null;
    const frames: SourceFrame[][] = [];
    for (const address of addresses) {
      const calls = dwarf.framesAt(address);
      const outermost = calls.at(-1);
      // Functions that are local to a file, such as lambdas, have no linkage name in DWARF. Names
      // in a missing file are unknown.
      if (outermost !== undefined && !isMangled(outermost.systemName)) {
        symbols = symbols === null ? await readFunctionSymbols(elf) : symbols;
        const systemName = symbols?.findName(address) ?? '';
        const isUnnamed = outermost.systemName === '';
        if (isUnnamed && systemName === '') calls.pop();
        else if (isUnnamed || isMangled(systemName)) {
          calls[calls.length - 1] = { ...outermost, systemName };
        }
      }
      frames.push(calls.map((call) => ({ ...call, functionName: readable(call.systemName) })));
    }
    return { frames, missing: [...dwarf.missing] };
  } finally {
    await file.close();
    if (other) await other.close();
  }
}

/**
 * Reads the headers of the file that contains part of the DWARF. A damaged file counts as missing.
 */
async function readAlternate(file: File): Promise<ElfFile | undefined> {
  try {
    return await readElf(sourceOfFile(file, await file.size()));
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function isMangled(name: string): boolean {
  return name.startsWith('_Z') || name.startsWith('_R');
}

/** Rethrows an error. If the file is too large, adds the name of the program that can read it. */
function tooLarge(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'resource-exhausted') throw error;
  const why =
    `its DWARF is too large for the server (limit ${formatByteSize(dwarfBytesMax)}); ` +
    'parca-symbolizer reads it: npm run build:symbolizer';
  throw new AppError('resource-exhausted', why, { cause: error });
}
