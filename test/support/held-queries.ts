// Serves the API with a store in memory, and with queries that wait until a test releases them.
import { createReportMaker } from '../../src/api/reports/report-maker.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { untilAborted } from '../../src/base/until-aborted.ts';
import { abortError, type QueryContext } from '../../src/query/running/context.ts';
import { createQueryEngine } from '../../src/query/engine/engine.ts';
import type { QueryCaller } from '../../src/query/interface.ts';
import {
  noRunLimits,
  RunningQueries,
  type QueryName,
} from '../../src/query/running/running-queries.ts';
import { SharedAnswers } from '../../src/query/cache/shared-answers.ts';
import type { Querier } from '../../src/storage/interface.ts';
import { startApi, type TestApi } from './api.ts';

const cacheBytesMax = 1_000_000;

/** Holds queries: a query that starts after `hold` was called waits until `release` is called. */
class HeldQueries extends RunningQueries {
  /** Progress of waiting queries by kind; a test may set it. */
  readonly held = new Map<string, QueryContext>();
  #gate: PromiseWithResolvers<void> | undefined;

  hold(): void {
    this.#gate ??= Promise.withResolvers();
  }

  release(): void {
    this.#gate?.resolve();
    this.#gate = undefined;
  }

  override run<T>(
    name: QueryName,
    caller: QueryCaller,
    answer: (context: QueryContext) => Promise<T>,
  ): Promise<T> {
    const gate = this.#gate;
    if (gate === undefined || !heldKinds.has(name.kind)) return super.run(name, caller, answer);
    return super.run(name, caller, async (context) => {
      this.held.set(name.kind, context);
      await untilAborted(gate.promise, context.signal, abortError);
      return answer(context);
    });
  }
}

/** Kinds of queries that read rows. */
const heldKinds: ReadonlySet<string> = new Set(['range', 'flame-graph', 'top', 'changes']);

export interface HeldApi extends TestApi {
  readonly queries: HeldQueries;
}

/** Serves the content of `store`, with a limit of queries at once, and the page in `uiFolder`. */
export async function startHeldApi(
  store: Querier,
  runningMax: number,
  uiFolder = '/nonexistent',
): Promise<HeldApi> {
  const clock = createClock();
  const queries = new HeldQueries(clock, noMetrics, { ...noRunLimits, runningMax });
  const make = createReportMaker();
  const engine = createQueryEngine({
    querier: store,
    metrics: noMetrics,
    clock,
    queries,
    reportThread: { make },
  });
  const answers = new SharedAnswers(store, cacheBytesMax, noMetrics);
  const api = await startApi({ services: { engine, queries, answers }, options: { uiFolder } });
  const close = async (): Promise<void> => {
    queries.release();
    await api.close();
  };
  return { ...api, queries, close };
}
