// Finds the profiles for a command, which are either on a server or in files.
import { stat } from 'node:fs/promises';
import { formatNanos } from '../../src/api/transport/json/time.ts';
import { AppError } from '../../src/base/errors.ts';
import { parseQuery } from '../../src/promql-like/parse.ts';
import { invalidFlag } from '../flag-table.ts';
import type { ClientOptions } from './shared/client.ts';
import type { LocalServer } from './local/local-server.ts';
import type { Options } from './shared/options.ts';

/** Profiles to request. */
export interface Profiles {
  readonly client: ClientOptions;
  readonly query: string;
  /** Query of the base, which is the first of two arguments; undefined if there is only one. */
  readonly baseQuery: string | undefined;
  /** Arguments as a heading. */
  readonly title: string;
  readonly baseTitle: string | undefined;
  readonly areFiles: boolean;
  /** Range as RFC 3339; for files, from the first to the last profile. */
  readonly from: string;
  readonly to: string;
}

/** Meaning of several arguments: the command merges them, or compares the first with the second. */
export type ArgumentsMeaning = 'merge' | 'compare';

/** Form of an argument that must be a path, even if the file does not exist. */
const pathForm = /^[./~]|\.(gz|pb|pprof|prof)$/;

/**
 * Calls `work` with the profiles that the arguments name. They are files if all arguments are
 * paths; otherwise they are queries.
 *
 * Errors: AppError 'not-found' for missing files, 'invalid-argument' for arguments that do not fit
 * together; errors of `work`.
 */
export async function withProfiles<T>(
  args: readonly string[],
  meaning: ArgumentsMeaning,
  options: Options,
  work: (profiles: Profiles) => Promise<T>,
): Promise<T> {
  if (await areFiles(args, meaning)) return withFiles(args, meaning, options, work);
  if (options.query !== '')
    throw invalidFlag('--query is for files: for a server, the argument is the query');
  // Parses the queries first, so that mistakes are found before the server is contacted.
  for (const text of args) parseQuery(text);
  const { client, from, to } = options;
  const [query, base] = args.length === 2 ? [args[1], args[0]] : [args[0], undefined];
  return work({
    client,
    from,
    to,
    query,
    title: query,
    baseQuery: base,
    baseTitle: base,
    areFiles: false,
  });
}

async function areFiles(args: readonly string[], meaning: ArgumentsMeaning): Promise<boolean> {
  const missing: string[] = [];
  for (const path of args) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() !== true) missing.push(path);
  }
  if (missing.length === 0) return true;
  const mayBeQueries = args.length <= (meaning === 'compare' ? 2 : 1);
  const path = missing.find((one) => pathForm.test(one)) ?? missing[0];
  const isPath = pathForm.test(path) || !mayBeQueries || missing.length < args.length;
  if (!isPath) return false;
  throw new AppError('not-found', `cannot read ${path}: there is no such file`);
}

async function withFiles<T>(
  paths: readonly string[],
  meaning: ArgumentsMeaning,
  options: Options,
  work: (profiles: Profiles) => Promise<T>,
): Promise<T> {
  if (meaning === 'compare' && paths.length !== 2) {
    throw invalidFlag('diff needs two files: the base, and the file to compare with it');
  }
  // Imported here, because a server's results need no decoder, store or engine.
  const { openLocalServer } = await import('./local/local-server.ts');
  const { queryOfSide } = await import('./local/load-files.ts');
  const sides = ['base', 'compared'] as const;
  const files = paths.map((path, i) =>
    meaning === 'compare' ? { path, side: sides[i] } : { path },
  );
  let server: LocalServer | undefined;
  try {
    server = await openLocalServer(files);
    const query = options.query || server.profileType;
    const isCompared = meaning === 'compare';
    return await work({
      client: { ...options.client, url: new URL('http://files.invalid/'), fetch: server.fetch },
      query: isCompared ? queryOfSide(query, 'compared') : query,
      baseQuery: isCompared ? queryOfSide(query, 'base') : undefined,
      title: isCompared ? paths[1] : `${paths.join(' ')}: ${query}`,
      baseTitle: isCompared ? paths[0] : undefined,
      areFiles: true,
      from: formatNanos(server.range.from),
      to: formatNanos(server.range.to),
    });
  } finally {
    await server?.close();
  }
}
