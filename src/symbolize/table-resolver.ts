// Finds names in Go's line table and in symbol tables, which are read in TypeScript in a separate
// thread.
import type { Files } from '../base/files.ts';
import { readElf, sourceOfFile } from './elf-file.ts';
import { type FunctionSymbols, readFunctionSymbols } from './elf-symbols.ts';
import { readGoLineTable } from './go-line-table.ts';
import type { Resolver, SourceFrame, SymbolSource } from './interface.ts';
import type { AskSymbols } from './symbols-thread.ts';

/** A request to the thread. */
export interface TableRequest {
  readonly source: SymbolSource;
  readonly addresses: readonly number[];
}

/** Creates a resolver that sends requests to a thread, which runs `resolveByTables`. */
export function createTableResolver(ask: AskSymbols): Resolver {
  return {
    resolve(source, addresses, signal) {
      const request: TableRequest = { source, addresses };
      return ask(request, signal);
    },
  };
}

/**
 * Returns the calls at each address. They come from Go's line table if there is one, and otherwise
 * from the symbol table. `readable` demangles names of the symbol table.
 *
 * Errors: AppError with the reason why the file cannot be read.
 */
export async function resolveByTables(
  files: Files,
  path: string,
  addresses: readonly number[],
  readable: (name: string) => string,
): Promise<SourceFrame[][]> {
  const file = await files.open(path, { create: false });
  try {
    const elf = await readElf(sourceOfFile(file, await file.size()));
    const lines = await readGoLineTable(elf);
    // Symbols are read when the first address needs them.
    let symbols: FunctionSymbols | undefined | null = null;
    const found: SourceFrame[][] = [];
    for (const address of addresses) {
      const frames = lines?.framesAt(address) ?? [];
      if (frames.length === 0) {
        symbols = symbols === null ? await readFunctionSymbols(elf) : symbols;
        found.push(byName(symbols?.findName(address), readable));
      } else {
        found.push(frames);
      }
    }
    return found;
  } finally {
    await file.close();
  }
}

function byName(name: string | undefined, readable: (name: string) => string): SourceFrame[] {
  if (name === undefined) return [];
  const unknown = { fileName: '', line: 0, startLine: 0, column: 0 };
  return [{ functionName: readable(name), systemName: name, ...unknown }];
}
