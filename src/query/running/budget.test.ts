// Tests of the limits of a query: each one separately, and with real queries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noMetrics } from '../../base/metrics.ts';
import { createClock } from '../../base/node/clock.ts';
import { parseProfileType } from '../../model/profile-type.ts';
import { lowerLimits } from './budget.ts';
import { createQueryEngine } from '../engine/engine.ts';
import type { QueryLimits, Report } from '../interface.ts';
import { noRunLimits, RunningQueries } from './running-queries.ts';
import { cpuText, rejects } from '../testing/ask.ts';
import { realHeads } from '../testing/real-parts.ts';
import { TestStore } from '../testing/test-store.ts';

const { signal } = new AbortController();
const range = { from: 0n, to: 1_000_000n };
const trims = { nodeTrimFraction: 0, rootTrimFraction: 0, groupBy: [] };
const merged = { mode: 'merge', query: cpuText, range } as const;

/** Returns a function that queries a store of two profiles with three rows each, under limits. */
function asker(limits: Partial<QueryLimits>) {
  const store = new TestStore();
  for (const timeNanos of [1n, 2n]) {
    const type = parseProfileType(cpuText);
    store.add({ type, timeNanos, durationNanos: 1n, rows: 'a 1\na;b 2\na;c 3' });
  }
  const [clock, metrics] = [createClock(), noMetrics];
  const queries = new RunningQueries(clock, metrics, { ...noRunLimits, ...limits });
  const parts = { querier: realHeads(store), clock, metrics, queries };
  return createQueryEngine(parts);
}

function total(limits: Partial<QueryLimits>, own: Partial<QueryLimits> = {}): Promise<Report> {
  const question = { ...trims, select: merged, report: 'top' } as const;
  return asker(limits).report(question, { signal, limits: own });
}

test('the lower limit holds; 0 is none', () => {
  const server = { rowsMax: 10, memoryBytesMax: 0, timeMillisMax: 1000, namesMillisMax: 5 };
  assert.deepEqual(lowerLimits(server, {}), server);
  assert.deepEqual(lowerLimits(server, { rowsMax: 5, memoryBytesMax: 7, timeMillisMax: 2000 }), {
    rowsMax: 5,
    memoryBytesMax: 7,
    timeMillisMax: 1000,
    namesMillisMax: 5,
  });
  assert.deepEqual(lowerLimits(server, { rowsMax: 0 }), server);
  assert.equal(lowerLimits(server, { namesMillisMax: 9 }).namesMillisMax, 9);
  assert.equal(lowerLimits(server, { namesMillisMax: 0 }).namesMillisMax, 0);
});

test('rows: selected rows count, on both sides of a diff', async () => {
  assert.equal((await total({ rowsMax: 6 })).total, 12n);
  const over = /it selects 6 rows, and the limit is 5 \(--query-max-rows.*narrow the time range/;
  await rejects(total({ rowsMax: 5 }), 'resource-exhausted', over);
  await rejects(total({}, { rowsMax: 5 }), 'resource-exhausted', over);
  const select = { mode: 'diff', base: merged, compared: merged, baseScale: 'none' } as const;
  const diff = { ...trims, select, report: 'top' } as const;
  await rejects(asker({ rowsMax: 11 }).report(diff, { signal }), 'resource-exhausted', /12 rows/);
  assert.equal((await asker({ rowsMax: 12 }).report(diff, { signal })).total, 12n);
});

test('rows: the graph over time reads one total for each profile', async () => {
  const question = { query: cpuText, range, stepNanos: 1n, sumBy: [], limit: 0 };
  const { series } = await asker({ rowsMax: 2 }).queryRange(question, { signal });
  assert.deepEqual([...series[0].value], [6n, 6n]);
  const refused = asker({ rowsMax: 1 }).queryRange(question, { signal });
  await rejects(refused, 'resource-exhausted', /it selects 2 rows, and the limit is 1/);
});

test('memory: memory in use counts, and the error names it', async () => {
  await rejects(
    total({ memoryBytesMax: 1_000 }),
    'resource-exhausted',
    /needs 10\d\d bytes of memory or more, and the limit is 1000 \(--query-max-memory/,
  );
  assert.equal((await total({ memoryBytesMax: 10_000 })).total, 12n);
});
