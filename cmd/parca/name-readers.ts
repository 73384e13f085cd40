// Readers that find names for addresses: a native program, if it was built, and a thread of the
// server.
import { join } from 'node:path';
import { AppError } from '../../src/base/errors.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { Logger } from '../../src/base/logger.ts';
import { runProgram } from '../../src/base/node/run-program.ts';
import { createDisassembler, type Disassemble } from '../../src/symbolize/disassembler.ts';
import { createThreadDemangler } from '../../src/symbolize/demangle/thread-demangler.ts';
import { type Demangle, Demangler } from '../../src/symbolize/demangler.ts';
import type { Resolver, SymbolSource } from '../../src/symbolize/interface.ts';
import {
  createProgramDemangler,
  createProgramResolver,
} from '../../src/symbolize/program-resolver.ts';
import { type AskSymbols, createSymbolsThread } from '../../src/symbolize/symbols-thread.ts';
import { createDwarfResolver } from '../../src/symbolize/dwarf/dwarf-resolver.ts';
import { createTableResolver } from '../../src/symbolize/table-resolver.ts';
import type { Flags } from './flags.ts';
import { projectFolder } from '../build-info.ts';
import { NativeProgram } from './native-program.ts';
import { SymbolizerBuild } from './symbolizer-build.ts';

const buildScript = join(projectFolder, 'tools/build-symbolizer.mjs');
const symbolsScript = new URL('./workers/symbols-worker.ts', import.meta.url);

/** Readers of names. */
export interface NameReaders {
  readonly native: NativeProgram;
  readonly demangler: Demangler;
  /** Returns the resolvers for a file, best first. */
  readonly resolvers: (source: SymbolSource) => readonly Resolver[];
  /** Disassembles code. Fails while the program is not built. */
  readonly disassemble: Disassemble;
  /** Starts to build the program, unless it exists or the server may not build it. */
  startBuild(): void;
  stop(): Promise<void>;
}

/** Creates the readers: the native program, which is used once it is built, and a thread. */
export function createNameReaders(
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  flags: Flags,
  program: string,
  onBuilt: () => void,
): NameReaders {
  const { symbolizerDemangleMode: mode, symbolizerLimits: limits } = flags;
  const isBeingBuilt = mayBuild(flags);
  const native = new NativeProgram({ path: program, isBeingBuilt, clock, logger, onBuilt });
  const thread = createSymbolsThread(symbolsScript, clock);
  const ask: AskSymbols = (request, signal) => thread({ ...request, mode }, signal);
  const tables = createTableResolver(ask);
  const threadDwarf = createDwarfResolver(ask);
  const programDwarf = createProgramResolver(runProgram, program, mode, clock, limits);
  const byProgram = createProgramDemangler(runProgram, program, mode, clock);
  const byThread = createThreadDemangler(ask);
  const byDisassembler = createDisassembler(runProgram, program, mode, limits.memoryBytesMax);
  const demangle = (): Demangle => (native.isThere ? byProgram : byThread);
  const demangler = new Demangler({
    demangle: () => (mode === 'none' ? undefined : demangle()),
    logger,
  });
  const build = new SymbolizerBuild({ script: buildScript, logger, onDone: () => native.look() });
  return {
    native,
    demangler,
    disassemble: (files, addresses, signal) => {
      if (native.isThere) return byDisassembler(files, addresses, signal);
      const why = 'the symbolizer is not built: `npm run build:symbolizer` builds it';
      throw new AppError('failed-precondition', `cannot disassemble: ${why}`);
    },
    startBuild: () => (isBeingBuilt ? build.start() : undefined),
    async stop() {
      native.stop();
      await Promise.all([build.stop(), demangler.stop()]);
    },
    resolvers: (source) =>
      native.isThere
        ? inOrder(source, programDwarf, tables)
        : byThreads(source, threadDwarf, tables),
  };
}

/**
 * Returns true if the server may build the symbolizer. It may if it was started by `npm start` or
 * `parca`.
 */
function mayBuild({ symbolizerBuild }: Flags): boolean {
  return symbolizerBuild === 'auto' && process.env['PARCA_MAY_BUILD'] === '1';
}

/** Puts the best resolver first. A stripped Go program has lines only in Go's own table. */
function inOrder(
  { hasDwarf, hasGoLineTable }: SymbolSource,
  dwarf: Resolver,
  tables: Resolver,
): readonly Resolver[] {
  return hasGoLineTable && !hasDwarf ? [tables, dwarf] : [dwarf, tables];
}

/**
 * Returns the TypeScript readers, best first. A Go program is read only through its own table,
 * which is smaller than its DWARF.
 */
function byThreads(
  { hasDwarf, hasGoLineTable }: SymbolSource,
  dwarf: Resolver,
  tables: Resolver,
): readonly Resolver[] {
  return hasDwarf && !hasGoLineTable ? [dwarf, tables] : [tables];
}
