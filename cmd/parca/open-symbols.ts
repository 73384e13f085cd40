// Opens the store of debug information, and what reads names from it.
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Clock } from '../../src/base/clock.ts';
import type { Files } from '../../src/base/files.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { Metrics } from '../../src/base/metrics.ts';
import { runProgram } from '../../src/base/node/run-program.ts';
import type { Random } from '../../src/base/random.ts';
import { DebuginfoStore } from '../../src/debuginfo/debuginfo-store.ts';
import type { SymbolSource } from '../../src/symbolize/interface.ts';
import { createProgramResolver } from '../../src/symbolize/program-resolver.ts';
import { Symbolizer } from '../../src/symbolize/symbolizer.ts';
import { createTableResolver } from '../../src/symbolize/table-resolver.ts';
import { projectFolder } from './build-info.ts';
import type { Flags } from './flags.ts';

/** The parts of the machine that names take. */
export interface SymbolsMachine {
  readonly clock: Clock;
  readonly files: Files;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const tableScript = new URL('./symbols-worker.ts', import.meta.url);
/** Built by `npm run build:native`. */
const program = join(projectFolder, 'bpf/dist/parca-symbolizer');

/** Uploads of debug information, and the names that come of them. */
export interface Symbols {
  readonly debuginfo: DebuginfoStore;
  readonly symbolizer: Symbolizer;
}

/** Errors: the disk's. */
export async function openSymbols(machine: SymbolsMachine, flags: Flags): Promise<Symbols> {
  const { logger, metrics } = machine;
  const tables = createTableResolver(tableScript);
  const hasProgram = existsSync(program);
  if (!hasProgram) {
    logger.info('addresses get functions, but no lines of C, C++ and Rust', {
      missing: program,
      remedy: 'npm run build:native',
    });
  }
  const dwarf = hasProgram
    ? [createProgramResolver(runProgram, program, flags.symbolizerDemangleMode)]
    : [];
  const symbolizer: Symbolizer = new Symbolizer({
    findSource: (buildId) => bestSource(debuginfo, buildId),
    // A stripped Go program has lines in its own table alone.
    resolvers: ({ hasDwarf, hasGoLineTable }) =>
      hasGoLineTable && !hasDwarf ? [tables, ...dwarf] : [...dwarf, tables],
    logger,
    metrics,
  });
  const debuginfo = await DebuginfoStore.open({
    ...machine,
    path: join(resolve(flags.storagePath), 'debuginfo'),
    digest: (text) => hash('sha256', text),
    uploadBytesMax: flags.debuginfoUploadBytesMax,
    uploadMillisMax: flags.debuginfoUploadMillisMax,
    onChange: (buildId) => symbolizer.sourceChanged(buildId),
  });
  return { debuginfo, symbolizer };
}

/** The file that tells most: one with DWARF, else the debug file, else the executable. */
function bestSource(debuginfo: DebuginfoStore, buildId: string): SymbolSource | undefined {
  const found = [
    debuginfo.find(buildId, 'debuginfo'),
    debuginfo.find(buildId, 'executable'),
  ].filter((file) => file !== undefined);
  const best = found.find(({ quality }) => quality.hasDwarf) ?? found[0];
  if (best === undefined) return undefined;
  const { path, quality } = best;
  return {
    path,
    hasDwarf: quality.hasDwarf,
    hasGoLineTable: quality.hasGoLineTable,
    generation: found.reduce((sum, { generation }) => sum + generation, 0),
  };
}
