// Names by Go's line table and by symbol tables, read in TypeScript, in a thread of their own.
import { parentPort } from 'node:worker_threads';
import { AppError, type ErrorCode, errorCode, errorMessage } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import { send } from '../base/threads/send.ts';
import { Thread } from '../base/threads/thread.ts';
import { threadData } from '../base/threads/unbroken.ts';
import { readElf, sourceOfFile } from './elf-file.ts';
import { type FunctionSymbols, readFunctionSymbols } from './elf-symbols.ts';
import { readGoLineTable } from './go-line-table.ts';
import type { Resolver, SourceFrame, SymbolSource } from './interface.ts';

interface TableRequest {
  readonly source: SymbolSource;
  readonly addresses: readonly number[];
}

type TableReply =
  | { readonly frames: readonly (readonly SourceFrame[])[] }
  | { readonly code: ErrorCode; readonly message: string };

/** A resolver that starts a thread for each question. `script` calls `serveTables`. */
export function createTableResolver(script: URL): Resolver {
  return {
    async resolve(source, addresses, signal) {
      if (signal.aborted) throw new AppError('cancelled', 'cannot read symbols: cancelled');
      const request: TableRequest = { source, addresses };
      const thread = new Thread(script, { name: 'symbols', data: request });
      const onAbort = (): void => void thread.terminate();
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        const reply = await new Promise<TableReply>((resolve, reject) => {
          const fail = (why: string): void =>
            reject(new AppError('internal', `cannot read symbols: the thread died: ${why}`));
          thread.on('message', resolve);
          thread.on('error', (error) => fail(errorMessage(error)));
          thread.on('exit', (code) => fail(`it exited with code ${code}`));
        });
        if ('frames' in reply) return reply.frames;
        throw new AppError(reply.code, reply.message);
      } finally {
        signal.removeEventListener('abort', onAbort);
        await thread.terminate();
      }
    },
  };
}

/** Answers the question that this thread was started for. */
export async function serveTables(files: Files): Promise<void> {
  const { source, addresses } = threadData() as TableRequest;
  let reply: TableReply;
  try {
    reply = { frames: await resolveByTables(files, source.path, addresses) };
  } catch (error) {
    reply = { code: errorCode(error), message: errorMessage(error) };
  }
  send(parentPort, reply);
  // The main thread ends this one.
  parentPort?.on('message', () => undefined);
}

/**
 * The calls at each address: by Go's line table, else by the symbol table.
 *
 * Errors: AppError that says why the file cannot be read.
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
