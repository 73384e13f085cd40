// Finds the runs of both sides of a check, in files or on a server.
import { AppError } from '../../../src/base/errors.ts';
import { invalidFlag } from '../../flag-table.ts';
import type { Options } from '../shared/options.ts';
import { isPathLike, loadFileRuns } from './file-runs.ts';
import { lastGoodQuery } from './last-good.ts';
import type { LoadedRun } from './load-run.ts';
import type { Side, Sides } from './runs.ts';
import { loadServerRuns } from './server-runs.ts';

/**
 * Loads both sides, which are files or queries. `folder` is inside the checkout that has the
 * commits.
 *
 * Errors: AppError 'not-found' for a file, a pattern or a query without profiles,
 * 'invalid-argument' for sides with different types; errors of loadFiles and the engine.
 */
export async function loadSides(options: Options, folder: string): Promise<Sides> {
  const { base, compared, scaling, lastGood } = options.check;
  const [isBaseQuery, isComparedQuery] = await Promise.all([
    areQueries(base),
    areQueries(compared),
  ]);
  if (lastGood !== '' && !isBaseQuery) throw invalidFlag('--last-good needs a query as --base');
  const range = { from: options.from, to: options.to };
  const { baseFrom, baseTo } = options;
  const baseRange = { from: baseFrom || range.from, to: baseTo || range.to };
  let bases = base;
  if (lastGood !== '') {
    bases = [];
    for (const query of base) {
      const asked = { query, ...baseRange };
      bases = [...bases, await lastGoodQuery(options.client, asked, lastGood, folder)];
    }
  }
  const before = isBaseQuery
    ? await loadServerRuns(bases, baseRange, options)
    : await loadFileRuns(bases, options, options.query);
  const query = options.query || fileQuery(before[0].profileType);
  const after = isComparedQuery
    ? await loadServerRuns(compared, range, options)
    : await loadFileRuns(compared, options, query);
  requireSameType(before[0], after[0]);
  const isSplit = [before, after].some((runs) => runs.some(({ isPart }) => isPart));
  const hasTimes = before.some(({ run }) => run.coveredNanos > 0);
  if (scaling === 'time' && !hasTimes) {
    throw invalidFlag('--scale=time is for profiles over a time, and these are not');
  }
  return {
    base: side(bases, before),
    compared: side(compared, after),
    profileType: before[0].profileType,
    unit: before[0].unit,
    isPaired: !isBaseQuery && !isComparedQuery && arePairs(before, after),
    // A server's load differs between parts of the range, so values are scaled to the time that
    // profiles cover.
    scaling: scaling ?? (isSplit && hasTimes ? 'time' : 'none'),
  };
}

/**
 * Returns true if the files of both sides were recorded in turns: `base-07.pb.gz` and
 * `new-07.pb.gz` were then recorded one after the other. The file names must end in numbers from
 * `record`, with each number once, and in the same order on both sides.
 */
function arePairs(before: readonly LoadedRun[], after: readonly LoadedRun[]): boolean {
  const numbers = (runs: readonly LoadedRun[]): (string | undefined)[] =>
    runs.map(({ run }) => /-(\d+)\.pb\.gz$/.exec(run.name)?.[1]);
  const [own, other] = [numbers(before), numbers(after)];
  return (
    own.length === other.length &&
    own.every((number, i) => number !== undefined && number === other[i]) &&
    new Set(own).size === own.length
  );
}

function side(given: readonly string[], loaded: readonly LoadedRun[]): Side {
  return { title: given.join(' '), runs: loaded.map(({ run }) => run) };
}

async function areQueries(given: readonly string[]): Promise<boolean> {
  const are = await Promise.all(given.map(isPathLike));
  if (are.every((one) => !one)) return true;
  if (are.every((one) => one)) return false;
  throw invalidFlag('a side of a check is either files or queries');
}

/** Returns the query for profiles of a type in files, regardless of their names. */
function fileQuery(profileType: string): string {
  return `profile:${sampleTypeOf(profileType)}`;
}

function sampleTypeOf(profileType: string): string {
  return profileType.split(':').slice(1, 3).join(':');
}

function requireSameType(base: LoadedRun, compared: LoadedRun): void {
  const [before, after] = [base, compared].map(({ profileType }) => sampleTypeOf(profileType));
  if (before === after) return;
  const message = `cannot compare ${after} with a base of ${before}: set --query to one type`;
  throw new AppError('invalid-argument', message);
}
