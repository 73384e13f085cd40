// Loads profile files into a store, with one series per file.
import { AppError, errorCode, errorMessage } from '../../../src/base/errors.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { noMetrics } from '../../../src/base/metrics.ts';
import { createClock } from '../../../src/base/node/clock.ts';
import { createRandom } from '../../../src/base/node/random.ts';
import { createIngester } from '../../../src/ingest/ingester.ts';
import { createMatcher } from '../../../src/model/matcher.ts';
import { formatProfileType } from '../../../src/model/profile-type.ts';
import { parseQuery } from '../../../src/promql-like/parse.ts';
import { printQuery } from '../../../src/promql-like/print.ts';
import { QueryError } from '../../../src/promql-like/query.ts';
import type { Querier, TimeRange } from '../../../src/storage/interface.ts';
import { createMemoryStore } from '../../../src/storage/tools/memory-store.ts';
import { createMergePool } from '../../../src/storage/sum/merge-pool.ts';
import { importLocal } from '../files/import-local.ts';
import { readProfile } from '../files/read-profile.ts';

/** Profile name of all local profiles. */
const profileName = 'profile';
/** Label for the path of the file as given. */
const fileLabel = 'file';
/** Label for the side of a comparison. */
const sideLabel = 'side';

/** A file, and its side in a comparison. */
export interface LocalFile {
  readonly path: string;
  readonly side?: 'base' | 'compared';
}

/** Loaded profiles. */
export interface LoadedFiles {
  readonly querier: Querier;
  close(): Promise<void>;
  /** Range from the first to the last profile. */
  readonly range: TimeRange;
  /** Last type in the first file, which is the default in `go tool pprof`. */
  readonly profileType: string;
}

const allOfTime: TimeRange = { from: -(2n ** 63n), to: 2n ** 63n - 1n };

/**
 * Reads files of all formats that the server accepts, through the server's write path.
 *
 * Errors: AppError 'not-found' for files that cannot be read, 'invalid-argument' for files that are
 * not profiles or have no values; each with the path.
 */
export async function loadFiles(files: readonly LocalFile[]): Promise<LoadedFiles> {
  const store = createMemoryStore(createRandom(), createMergePool());
  const ingester = createIngester({
    storage: store,
    clock: createClock(),
    metrics: noMetrics,
    logger: silentLogger,
  });
  for (const { path, side } of files) {
    const bytes = await readProfile(path);
    const labels = [
      { name: '__name__', value: profileName },
      { name: fileLabel, value: path },
      ...(side === undefined ? [] : [{ name: sideLabel, value: side }]),
    ];
    try {
      const { profiles } = await importLocal(bytes);
      await ingester.write(
        profiles.map((profile) => ({
          labels: [...labels, ...profile.labels],
          profile: profile.pprof,
        })),
      );
    } catch (error) {
      const message = `cannot read ${path}: ${errorMessage(error)}`;
      throw new AppError(errorCode(error), message, { cause: error });
    }
  }
  const { querier } = store;
  const profileType = await defaultType(querier, files);
  const close = (): Promise<void> => store.close();
  return { querier, profileType, range: await findRange(querier), close };
}

/** Returns the default type. Errors: AppError 'invalid-argument' for a file without values. */
async function defaultType(querier: Querier, files: readonly LocalFile[]): Promise<string> {
  let first = '';
  for (const { path } of files) {
    const matchers = [createMatcher(fileLabel, '=', path)];
    const query = { matchers, profileType: undefined, range: allOfTime };
    using selection = await querier.select(query);
    const last = selection.series.at(-1);
    if (last === undefined) {
      throw new AppError('invalid-argument', `cannot read ${path}: it has no values`);
    }
    if (first === '') first = formatProfileType(last.profileType);
  }
  return first;
}

async function findRange(querier: Querier): Promise<TimeRange> {
  using selection = await querier.select({
    matchers: [],
    profileType: undefined,
    range: allOfTime,
  });
  const times = selection.series.map((series) => series.times());
  return times.reduce((range, { from, to }) => ({
    from: from < range.from ? from : range.from,
    to: to > range.to ? to : range.to,
  }));
}

/** Restricts the query `text` to one side. Errors: AppError 'invalid-argument'. */
export function queryOfSide(text: string, side: 'base' | 'compared'): string {
  const { operand, stages } = parseQuery(text);
  if (operand.kind === 'diff') {
    throw new QueryError('the files are compared: expected no diff', text, operand.span);
  }
  const condition = { name: sideLabel, operator: '=', value: side } as const;
  return printQuery({
    operand: { ...operand, matchers: [...operand.matchers, condition] },
    stages,
  });
}
