// Names by Go's line table and by symbol tables, read in TypeScript, in a thread of their own.
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import { tableMillisMax } from '../base/limits.ts';
import { askThread } from '../base/threads/ask-thread.ts';
import { readElf, sourceOfFile } from './elf-file.ts';
import { type FunctionSymbols, readFunctionSymbols } from './elf-symbols.ts';
import { readGoLineTable } from './go-line-table.ts';
import type { Resolver, SourceFrame, SymbolSource } from './interface.ts';

/** A question to the thread. */
export interface TableRequest {
  readonly source: SymbolSource;
  readonly addresses: readonly number[];
}

/**
 * Creates a resolver that starts a thread for each question. `script` answers with
 * `resolveByTables`.
 *
 * Errors: AppError 'deadline-exceeded' after tableMillisMax, which ends the thread.
 */
export function createTableResolver(script: URL, clock: Clock): Resolver {
  const thread = { script, name: 'symbols', task: 'read symbols', whyCancelled: 'cancelled' };
  return {
    async resolve(source, addresses, signal) {
      const request: TableRequest = { source, addresses };
      const late = new AbortController();
      const timer = clock.setTimer(tableMillisMax, () => late.abort());
      try {
        return await askThread(thread, request, AbortSignal.any([signal, late.signal]));
      } catch (error) {
        if (signal.aborted || !late.signal.aborted) throw error;
        const why = `cannot read symbols: it takes more than ${tableMillisMax} ms`;
        throw new AppError('deadline-exceeded', why, { cause: error });
      } finally {
        timer.cancel();
      }
    },
  };
}

/**
 * Returns the calls at each address: by Go's line table, else by the symbol table.
 *
 * Errors: AppError with the reason why the file cannot be read.
 */
export async function resolveByTables(
  files: Files,
  path: string,
  addresses: readonly number[],
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
        found.push(byName(symbols?.nameOf(address)));
      } else {
        found.push(frames);
      }
    }
    return found;
  } finally {
    await file.close();
  }
}

function byName(name: string | undefined): SourceFrame[] {
  if (name === undefined) return [];
  const unknown = { fileName: '', line: 0, startLine: 0, column: 0 };
  return [{ functionName: name, systemName: name, ...unknown }];
}
