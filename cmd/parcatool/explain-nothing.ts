// Explains why a result is empty: because of an unknown label or function, or a time without
// profiles.
import { AppError } from '../../src/base/errors.ts';
import { formatNanos } from '../../src/api/transport/json/time.ts';
import { parseRfc3339 } from '../../src/base/text/instant.ts';
import { nearestSentence } from '../../src/base/text/nearest.ts';
import { parseQuery } from '../../src/promql-like/parse.ts';
import { printQuery } from '../../src/promql-like/print.ts';
import type { Query } from '../../src/promql-like/query.ts';
import { printable } from '../../src/base/printable.ts';
import { field, getJson, readList, readString } from './shared/client.ts';
import type { Profiles } from './profiles-of.ts';

/** Builds the error 'not-found' for a query without results, with the nearest data. */
export async function explainNothing(
  profiles: Pick<Profiles, 'client' | 'query' | 'from' | 'to'>,
): Promise<AppError> {
  const { client, query, from, to } = profiles;
  const why = await whyNothing(profiles, async () =>
    getJson(client, '/api/v1/nearest', { query, start: from, end: to }),
  );
  const reason = why === undefined ? '' : `: ${why}`;
  return new AppError('not-found', printable(`no profiles match ${query}${reason}`));
}

/** Returns true if a query has a `sandwich` stage, whose function may be unknown. */
export function hasSandwich(text: string): boolean {
  return parseQuery(text).stages.some(({ kind }) => kind === 'sandwich');
}

async function whyNothing(
  profiles: Pick<Profiles, 'client' | 'query' | 'from' | 'to'>,
  askNearest: () => Promise<unknown>,
): Promise<string | undefined> {
  let nearest: unknown;
  try {
    nearest = await askNearest();
  } catch (error) {
    // Other servers, such as Parca, answer queries but cannot explain empty results.
    if (error instanceof AppError) return undefined;
    throw error;
  }
  if (field(nearest, 'hasData') === true) return whyStagesLeaveNothing(profiles);
  const reasons = readList(field(nearest, 'conditions')).flatMap(whyNoMatch);
  if (reasons.length > 0) return reasons.join('; ');
  // The server suggests a time, from which the query's offset must be subtracted.
  const offset = parseOffset(profiles.query);
  const known = ['earlier', 'later'].flatMap((side) => {
    const nanos = parseRfc3339(readString(field(nearest, side)));
    return nanos === undefined ? [] : [formatNanos(nanos - offset)];
  });
  return known.length === 0 ? undefined : `the nearest are of ${known.join(' and ')}`;
}

/** Returns the offset of a query; for a diff, the offset of the compared side. */
function parseOffset(text: string): bigint {
  const { operand } = parseQuery(text);
  const selector = operand.kind === 'diff' ? operand.compared.selector : operand;
  return selector.offset?.nanos ?? 0n;
}

/**
 * Returns the reason why a matcher in a response of /api/v1/nearest matches nothing; empty if it
 * matches.
 */
function whyNoMatch(condition: unknown): string[] {
  if (field(condition, 'hasMatch') === true) return [];
  const label = readString(field(condition, 'label'));
  const alternatives = readList(field(condition, 'alternatives')).map(readString);
  if (field(condition, 'hasName') !== true) {
    return [`there is no label ${JSON.stringify(label)}, ${nearestSentence(label, alternatives)}`];
  }
  const value = readString(field(condition, 'value'));
  const wanted = `${readString(field(condition, 'operator'))}${JSON.stringify(value)}`;
  return [`no profile has ${label}${wanted}, ${nearestSentence(value, alternatives)}`];
}

async function whyStagesLeaveNothing({
  client,
  query: text,
  from,
  to,
}: Pick<Profiles, 'client' | 'query' | 'from' | 'to'>): Promise<string> {
  const query = parseQuery(text);
  if (stageCount(query) === 0) return 'all values of its profiles are 0';
  const wanted = query.stages.flatMap((stage) =>
    stage.kind === 'sandwich' ? [stage.functionName] : [],
  );
  if (wanted.length > 0) {
    const names = (await listFunctions(client, query, from, to)).map(({ name }) => name);
    const missing = wanted.find((name) => !names.includes(name));
    if (missing !== undefined) {
      return `there is no function ${JSON.stringify(missing)}, ${nearestSentence(missing, names)}`;
    }
  }
  return 'its stages leave no stacks';
}

function stageCount({ operand, stages }: Query): number {
  if (operand.kind === 'selector') return stages.length;
  return stages.length + operand.base.stages.length + operand.compared.stages.length;
}

/** A function that a query selects. Unknown fields are "". */
export interface ListedFunction {
  readonly name: string;
  readonly file: string;
  /** Path of the binary. */
  readonly binary: string;
}

/** Lists the functions that a query selects, ignoring its stages. */
export async function listFunctions(
  client: Profiles['client'],
  { operand }: Query,
  from: string,
  to: string,
): Promise<ListedFunction[]> {
  const json = await getJson(client, '/api/profiles/query', {
    mode: 'MODE_MERGE',
    reportType: 'REPORT_TYPE_TOP',
    'merge.query': printQuery({ operand, stages: [] }),
    'merge.start': from,
    'merge.end': to,
  });
  const functions = readList(field(json, 'top', 'list')).map((node) => ({
    name: readString(field(node, 'meta', 'function', 'name')),
    file: readString(field(node, 'meta', 'function', 'filename')),
    binary: readString(field(node, 'meta', 'mapping', 'file')),
  }));
  return functions.filter(({ name }) => name !== '');
}
