// Opens the query engine over a store, with symbolization and a cache of results.
import type { FileServer } from '../../src/debuginfo/interface.ts';
import type { DrawPicture, QueryEngine } from '../../src/query/interface.ts';
import { createQueryEngine } from '../../src/query/engine/engine.ts';
import { SharedAnswers } from '../../src/query/cache/shared-answers.ts';
import { PyroscopeQuerier } from '../../src/query/pyroscope/pyroscope-querier.ts';
import { ReportThread } from '../../src/query/report/report-thread.ts';
import { RunningQueries } from '../../src/query/running/running-queries.ts';
import type { Querier } from '../../src/storage/interface.ts';
import { NamingQuerier } from '../../src/symbolize/naming-querier.ts';
import type { Machine } from '../machine.ts';
import { createReportMaker } from '../../src/api/reports/report-maker.ts';
import type { Flags } from './flags.ts';
import { openSymbols, type Symbols } from './open-symbols.ts';
import { createPictureDrawer } from './pictures-in-thread.ts';

const reportScript = new URL('./workers/report-worker.ts', import.meta.url);

/** An open engine and its parts. The caller must stop `symbols` and close `reportThread`. */
export interface OpenEngine {
  readonly engine: QueryEngine;
  /** Query engine for Pyroscope's clients. */
  readonly pyroscope: QueryEngine;
  readonly queries: RunningQueries;
  readonly answers: SharedAnswers;
  readonly symbols: Symbols;
  readonly reportThread: ReportThread;
  readonly drawPicture: DrawPicture;
}

/**
 * Opens the engine. `others` are servers that may have debug information that is missing here.
 * Errors: as in openSymbols.
 */
export async function openEngine(
  machine: Machine,
  flags: Flags,
  stored: Querier,
  userAgent: string,
  runningOfCallerMax: (caller: string) => number,
  others: readonly FileServer[] = [],
): Promise<OpenEngine> {
  const { clock, metrics } = machine;
  const queries = new RunningQueries(clock, metrics, { ...flags.queryLimits, runningOfCallerMax });
  const symbols = await openSymbols(machine, flags, userAgent, { others });
  const { symbolizer, maps, demangler } = symbols;
  const querier = new NamingQuerier(stored, symbolizer, maps, demangler);
  const cacheBytesMax = flags.queryCacheBytesMax / 2;
  const reportThread = new ReportThread(clock, reportScript, createReportMaker());
  const engine = createQueryEngine({
    querier,
    reportThread,
    metrics,
    clock,
    queries,
    mergeCacheBytesMax: (cacheBytesMax * 3) / 4,
  });
  const pyroscope = createQueryEngine({
    querier: new PyroscopeQuerier(querier),
    reportThread,
    metrics,
    clock,
    queries,
    mergeCacheBytesMax: cacheBytesMax / 4,
    // This querier has already multiplied values that represent time.
    keepsCounts: true,
  });
  const answers = new SharedAnswers(querier, cacheBytesMax, metrics);
  const drawPicture = createPictureDrawer(clock, engine, answers);
  return { engine, pyroscope, queries, answers, symbols, reportThread, drawPicture };
}
