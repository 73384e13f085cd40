// Loads runs from files, one file per run.
import { glob, stat } from 'node:fs/promises';
import { formatNanos } from '../../../src/api/transport/json/time.ts';
import { AppError } from '../../../src/base/errors.ts';
import { invalidFlag } from '../../flag-table.ts';
import { openLocalServer } from '../local/local-server.ts';
import type { Options } from '../shared/options.ts';
import { type LoadedRun, loadRun } from './load-run.ts';
import { withMatcher } from './queries.ts';

/**
 * Loads the files that match paths and glob patterns. `query` selects the profiles; "" selects the
 * last profile type of the first file.
 *
 * Errors: AppError 'not-found' for a missing file or a pattern without files; errors of loadFiles
 * and the engine.
 */
export async function loadFileRuns(
  patterns: readonly string[],
  options: Options,
  query: string,
): Promise<LoadedRun[]> {
  const paths = await expandAll(patterns);
  const server = await openLocalServer(paths.map((path) => ({ path })));
  try {
    const client = {
      ...options.client,
      url: new URL('http://files.invalid/'),
      fetch: server.fetch,
    };
    const range = { from: formatNanos(server.range.from), to: formatNanos(server.range.to) };
    const asked = query || server.profileType;
    const runs: LoadedRun[] = [];
    for (const path of paths) {
      const own = { query: withMatcher(asked, 'file', path), ...range };
      const run = await loadRun(client, own, path, false);
      if (run === undefined) {
        throw new AppError('invalid-argument', `cannot check the files: ${path} has no ${asked}`);
      }
      runs.push(run);
    }
    return runs;
  } finally {
    await server.close();
  }
}

/** Returns true if an argument is a file or a glob pattern, not a query. */
export async function isPathLike(text: string): Promise<boolean> {
  const found = await stat(text).catch(() => undefined);
  if (found !== undefined) return true;
  return !text.includes('{') && /[*?/]|^[.~]|\.(?:gz|pb|pprof|prof)$/.test(text);
}

/** Returns the files of all patterns sorted by name; each pattern must match a file. */
async function expandAll(patterns: readonly string[]): Promise<string[]> {
  const paths: string[] = [];
  for (const pattern of patterns) {
    const found = await stat(pattern).catch(() => undefined);
    if (found !== undefined) {
      paths.push(pattern);
      continue;
    }
    const matches: string[] = [];
    for await (const path of glob(pattern)) matches.push(path);
    if (matches.length === 0) {
      throw new AppError('not-found', `cannot read ${pattern}: there is no such file`);
    }
    paths.push(...matches.sort());
  }
  const twice = paths.find((path, i) => paths.indexOf(path) !== i);
  if (twice !== undefined) throw invalidFlag(`${twice} is given twice for one side`);
  return paths;
}
