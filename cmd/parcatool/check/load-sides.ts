// Finds the runs of both sides of a check, in files.
import { glob, stat } from 'node:fs/promises';
import { formatNanos } from '../../../src/api/transport/json/time.ts';
import { AppError } from '../../../src/base/errors.ts';
import { invalidFlag } from '../../flag-table.ts';
import { queryOfSide } from '../local/load-files.ts';
import { openLocalServer } from '../local/local-server.ts';
import {
  type ClientOptions,
  field,
  get,
  getJson,
  readInt64,
  readString,
} from '../shared/client.ts';
import type { Scaling } from '../shared/check-options.ts';
import type { Options } from '../shared/options.ts';
import { readRunValues } from './run-values.ts';
import type { Run, Side, Sides } from './runs.ts';

/** Profiles of one run: the answers to one query. */
export interface RunQuery {
  readonly name: string;
  readonly query: string;
  readonly from: string;
  readonly to: string;
}

/** A run, and what its values are. */
export interface LoadedRun {
  readonly run: Run;
  readonly profileType: string;
  readonly unit: string;
}

/**
 * Loads the files of both sides; each is a run.
 *
 * Errors: AppError 'not-found' for a file that does not exist and a pattern without files; those of
 * loadFiles and the engine.
 */
export async function loadFileSides(
  base: readonly string[],
  compared: readonly string[],
  options: Options,
  scaling: Scaling,
): Promise<Sides> {
  const paths = { base: await expandAll(base), compared: await expandAll(compared) };
  const files = (['base', 'compared'] as const).flatMap((side) =>
    paths[side].map((path) => ({ path, side })),
  );
  const server = await openLocalServer(files);
  try {
    const client = {
      ...options.client,
      url: new URL('http://files.invalid/'),
      fetch: server.fetch,
    };
    const range = { from: formatNanos(server.range.from), to: formatNanos(server.range.to) };
    const query = options.query || server.profileType;
    const loaded: (LoadedRun & { readonly side: 'base' | 'compared' })[] = [];
    for (const { path, side } of files) {
      const asked = { name: path, query: queryOfSide(query, side, path), ...range };
      const found = await loadRun(client, asked);
      if (found === undefined) {
        throw new AppError('invalid-argument', `cannot check the files: ${path} has no ${query}`);
      }
      loaded.push({ side, ...found });
    }
    const sideOf = (side: 'base' | 'compared', given: readonly string[]): Side => ({
      title: given.join(' '),
      runs: loaded.filter((one) => one.side === side).map(({ run }) => run),
    });
    const [{ profileType, unit }] = loaded;
    return {
      base: sideOf('base', base),
      compared: sideOf('compared', compared),
      profileType,
      unit,
      scaling,
    };
  } finally {
    await server.close();
  }
}

/** Loads the values of one run; undefined if the query selects no profiles. */
async function loadRun(
  client: ClientOptions,
  { name, query, from, to }: RunQuery,
): Promise<LoadedRun | undefined> {
  // The first request gives numbers of samples, which the exported profile does not have.
  const head = await getJson(client, '/api/v1/changes', {
    query,
    start: from,
    end: to,
    limit: '1',
  });
  const side = field(head, 'compared');
  if (Number(field(side, 'profiles')) === 0) return undefined;
  const unit = readString(field(head, 'unit'));
  const quiet = { ...client, warn: () => undefined };
  const what = { query, start: from, end: to, format: 'pprof' };
  const values = await readRunValues(await get(quiet, '/api/v1/export', what), unit);
  const snapshots = Math.max(1, Number(field(side, 'snapshots') ?? 1));
  return {
    profileType: readString(field(head, 'profileType')),
    unit,
    run: {
      ...values,
      name,
      samples: Math.round(Number(readInt64(field(side, 'samples'))) / snapshots),
      coveredNanos: Number(readInt64(field(side, 'coveredNanos'))),
    },
  };
}

/** Returns true if an argument is a file or a pattern of files, not a query. */
export async function isPathLike(text: string): Promise<boolean> {
  const found = await stat(text).catch(() => undefined);
  if (found !== undefined) return true;
  return !text.includes('{') && /[*?/]|^[.~]|\.(?:gz|pb|pprof|prof)$/.test(text);
}

/** Returns the files of patterns in the order of their names; each pattern must have some. */
async function expandAll(patterns: readonly string[]): Promise<string[]> {
  const paths: string[] = [];
  for (const pattern of patterns) {
    const found = await stat(pattern).catch(() => undefined);
    if (found !== undefined) {
      paths.push(pattern);
      continue;
    }
    const matches = await collect(glob(pattern));
    if (matches.length === 0) {
      throw new AppError('not-found', `cannot read ${pattern}: there is no such file`);
    }
    paths.push(...matches.sort());
  }
  const twice = paths.find((path, i) => paths.indexOf(path) !== i);
  if (twice !== undefined) throw invalidFlag(`${twice} is given twice for one side`);
  return paths;
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}
