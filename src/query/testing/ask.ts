// Shortcuts to query an engine over a TestStore.
import assert from 'node:assert/strict';
import { AppError } from '../../base/errors.ts';
import { noMetrics } from '../../base/metrics.ts';
import { createClock } from '../../base/node/clock.ts';
import type { FlameGraph } from '../../report/flame-graph.ts';
import { createQueryEngine } from '../engine/engine.ts';
import type { QueryEngine, Report, ReportQuestion } from '../interface.ts';
import type { Querier } from '../../storage/interface.ts';

export const cpuText = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';

export function createEngine(store: Querier): QueryEngine {
  const parts = { metrics: noMetrics, clock: createClock() };
  return createQueryEngine({ ...parts, querier: store });
}

type Asked = Partial<Omit<ReportQuestion, 'select'>> & { readonly query?: string };

/**
 * Requests a merge of all profiles up to a millisecond after the epoch; by default as a flame
 * graph.
 */
export function merge(store: Querier, asked: Asked = {}): Promise<Report> {
  const { query = cpuText, ...rest } = asked;
  const { signal } = new AbortController();
  return createEngine(store).report(
    {
      select: { mode: 'merge', query, range: { from: 0n, to: 1_000_000n } },
      report: 'flame-graph',
      nodeTrimFraction: 0,
      rootTrimFraction: 0,
      groupBy: [],
      ...rest,
    },
    { signal },
  );
}

export function flameGraph(report: Report): FlameGraph {
  assert.ok(report.kind === 'flame-graph');
  return report.graph;
}

/** Fails unless the promise is rejected with an AppError of this code and message. */
export async function rejects(
  promise: Promise<unknown>,
  code: string,
  message: string | RegExp,
): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof AppError);
    assert.equal(error.code, code);
    if (typeof message === 'string') assert.equal(error.message, message);
    else assert.match(error.message, message);
    return true;
  });
}
