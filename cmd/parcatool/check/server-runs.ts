// Loads runs from a server: one run for each value of a label, or for each part of a query's time
// range.
import { formatNanos } from '../../../src/api/transport/json/time.ts';
import { AppError } from '../../../src/base/errors.ts';
import { parseInstant } from '../../../src/base/text/instant.ts';
import { parseQuery } from '../../../src/promql-like/parse.ts';
import { printQuery } from '../../../src/promql-like/print.ts';
import { field, getJson, readList, readString } from '../shared/client.ts';
import type { Options } from '../shared/options.ts';
import { type LoadedRun, loadRun, type RangedQuery } from './load-run.ts';
import { withMatcher } from './queries.ts';

/** Maximum number of runs per query. Each run takes two requests. */
const runsMax = 100;

/** A range of time as RFC 3339. */
type Range = Pick<RangedQuery, 'from' | 'to'>;

/**
 * Loads the runs that queries select. Errors: AppError 'not-found' if a query selects no runs,
 * 'resource-exhausted' if there are too many runs; errors of getJson.
 */
export async function loadServerRuns(
  queries: readonly string[],
  range: Range,
  options: Options,
): Promise<LoadedRun[]> {
  const { runLabel, windows } = options.check;
  const runs: LoadedRun[] = [];
  for (const query of queries) {
    const asked =
      runLabel === ''
        ? splitTime(query, range, windows)
        : await splitByLabel({ query, ...range }, runLabel, options);
    const before = runs.length;
    for (const one of asked) {
      const name = runLabel === '' ? one.from : one.query;
      const run = await loadRun(options.client, one, name, runLabel === '');
      if (run !== undefined) runs.push(run);
    }
    if (runs.length === before) {
      const where = `between ${range.from} and ${range.to}`;
      throw new AppError('not-found', `no profiles match ${query} ${where}`);
    }
  }
  return runs;
}

/** Splits the range into parts of equal length. */
function splitTime(query: string, { from, to }: Range, parts: number): RangedQuery[] {
  const [start, end] = [from, to].map((time) => parseInstant(time, 0));
  const length = (end - start) / BigInt(parts);
  return Array.from({ length: parts }, (_, i) => {
    const first = start + BigInt(i) * length;
    // A range includes both ends, so each part ends a nanosecond before the next one begins.
    const last = i === parts - 1 ? end : first + length - 1n;
    return { query, from: formatNanos(first), to: formatNanos(last) };
  });
}

async function splitByLabel(
  { query, from, to }: RangedQuery,
  label: string,
  { client }: Options,
): Promise<RangedQuery[]> {
  const { operand } = parseQuery(query);
  const path = `/api/profiles/labels/${encodeURIComponent(label)}/values`;
  const match = printQuery({ operand, stages: [] });
  const answer = await getJson(client, path, { match, start: from, end: to });
  const values = readList(field(answer, 'labelValues')).map(readString);
  if (values.length > runsMax) {
    const why = `the label ${label} has ${values.length} values, the limit is ${runsMax}`;
    throw new AppError('resource-exhausted', `cannot check the runs of ${query}: ${why}`);
  }
  return values.map((value) => ({ query: withMatcher(query, label, value), from, to }));
}
