// Command that prints the services that use a function, a package, or names that match a pattern.
import { AppError, errorCode } from '../../src/base/errors.ts';
import { usersMax } from '../../src/base/limits.ts';
import { nearestSentence } from '../../src/base/text/nearest.ts';
import { printable } from '../../src/base/printable.ts';
import { unknownGroup } from '../../src/model/group-names.ts';
import { packageName } from '../../src/model/package-name.ts';
import { parseQuery } from '../../src/promql-like/parse.ts';
import { field, getJson, readList } from './shared/client.ts';
import type { Output } from './shared/command.ts';
import { explainNothing, listFunctions } from './explain-nothing.ts';
import type { Options } from './shared/options.ts';
import { listCpuTypes } from './profile-types.ts';
import type { Terminal } from './shared/terminal.ts';
import {
  type Buckets,
  readUser,
  type User,
  usersJson,
  usersText,
  type UsersAnswer,
} from './users-table.ts';

/** Number of steps of a history. */
const historySteps = 30;

/** Prints the services and versions that use a function, starting with the largest values. */
export async function users(
  [name]: readonly string[],
  options: Options,
  terminal: Terminal,
): Promise<Output> {
  const { query, format, top } = options;
  // Parses the query first, so that mistakes are found before the server is contacted.
  if (query !== '') parseQuery(query);
  const queries = query === '' ? await listCpuTypes(options) : [query];
  const answers = await Promise.all(queries.map((one) => askUsers(one, name, options)));
  const found = answers.filter((one) => one !== undefined);
  if (found.length === 0) {
    throw await explainNothing({ ...options, query: queries.at(0) ?? 'process_cpu' });
  }
  const rows = joinTypes(found.map(({ rows: own }) => own));
  if (rows.length === 0) throw await explainNobody(queries, name, options);
  const shown = rows.slice(0, top.rowsMax || usersMax);
  const hidden = found.reduce((sum, { hiddenCount }) => sum + hiddenCount, 0);
  const answer: UsersAnswer = {
    kind: options.kind,
    name,
    from: options.from,
    to: options.to,
    users: shown,
    hiddenCount: rows.length - shown.length + hidden,
  };
  return format === 'json' ? usersJson(answer) : usersText(answer, terminal);
}

/** Users in one response of the server. */
interface UsersOfQuery {
  readonly rows: readonly User[];
  /** Number of users above the limit of the server. */
  readonly hiddenCount: number;
}

/** Requests the users; undefined if no profiles match the query. */
async function askUsers(
  query: string,
  name: string,
  { client, from, to, kind }: Options,
): Promise<UsersOfQuery | undefined> {
  const buckets = chooseBuckets(Date.parse(from), Date.parse(to));
  const step = `${buckets.stepMillis}ms`;
  const asked = { query, start: from, end: to, step, limit: String(usersMax) };
  try {
    const json = await getJson(client, '/api/v1/users', { ...asked, [kind]: name });
    return {
      rows: readList(field(json, 'users')).map((user) => readUser(user, json, buckets)),
      hiddenCount: Number(field(json, 'more', 'users')),
    };
  } catch (error) {
    if (errorCode(error) === 'not-found') return undefined;
    throw error;
  }
}

/** Returns the buckets of the server's response. Each bucket starts at a multiple of the step. */
function chooseBuckets(from: number, to: number): Buckets {
  const stepMillis = Math.max(1_000, Math.ceil((to - from) / historySteps));
  const fromMillis = Math.floor(from / stepMillis) * stepMillis;
  const count = Math.max(1, Math.ceil((to - fromMillis) / stepMillis));
  return { fromMillis, stepMillis, count };
}

/**
 * Joins the users that were found with several profile types, sorted by rate. If a service was
 * found with several types, only the rows of the first type are kept. This prefers the service's
 * own profiles over the agent's profiles.
 */
function joinTypes(answers: readonly (readonly User[])[]): User[] {
  const known = new Set<string>();
  const rows: User[] = [];
  for (const answer of answers) {
    const own = answer.filter(({ service }) => !known.has(service));
    for (const { service } of own) known.add(service);
    rows.push(...own);
  }
  return rows.toSorted((a, b) => b.rate - a.rate);
}

/** Builds the error 'not-found' for functions that nobody uses, with the nearest names. */
async function explainNobody(
  queries: readonly string[],
  name: string,
  { client, from, to, kind }: Options,
): Promise<AppError> {
  const wanted = `${kind} ${JSON.stringify(name)}`;
  const nobody = (why: string): AppError =>
    new AppError('not-found', printable(`no service uses ${wanted}: ${why}`));
  if (kind === 'pattern') return nobody('no function has a name that it matches');
  const names = new Set<string>();
  for (const query of queries) {
    for (const one of await listFunctions(client, parseQuery(query), from, to)) {
      names.add(kind === 'function' ? one.name : packageName(one.name, one.file, one.binary));
    }
  }
  names.delete(unknownGroup);
  return nobody(nearestSentence(name, [...names]));
}
