// Finds the newest commit of a branch that has profiles on the server.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AppError, errorMessage } from '../../../src/base/errors.ts';
import { parseQuery } from '../../../src/promql-like/parse.ts';
import { printQuery } from '../../../src/promql-like/print.ts';
import { type ClientOptions, field, getJson, readList, readString } from '../shared/client.ts';
import type { RangedQuery } from './load-run.ts';
import { withMatcher } from './queries.ts';

/** Label with the commit of the profiled program. */
const commitLabel = 'commit';

/** Maximum number of commits before the branch point that are checked. */
const commitsMax = 200;

/**
 * Returns the query for the newest commit of `branch` before HEAD that has profiles. If only good
 * commits have profiles, this is the last good commit.
 *
 * Errors: AppError 'failed-precondition' with git's message, 'not-found' if no commit has profiles;
 * errors of getJson.
 */
export async function lastGoodQuery(
  client: ClientOptions,
  { query, from, to }: RangedQuery,
  branch: string,
  folder: string,
): Promise<string> {
  const { operand } = parseQuery(query);
  const answer = await getJson(client, `/api/profiles/labels/${commitLabel}/values`, {
    match: printQuery({ operand, stages: [] }),
    start: from,
    end: to,
  });
  const stored = new Set(readList(field(answer, 'labelValues')).map(readString));
  const start = (await git(folder, 'merge-base', 'HEAD', branch)).trim();
  const listed = await git(
    folder,
    'rev-list',
    '--first-parent',
    `--max-count=${commitsMax}`,
    start,
  );
  const commits = listed.split('\n').filter((line) => line !== '');
  const found = commits.find((commit) => stored.has(commit));
  if (found !== undefined) return withMatcher(query, commitLabel, found);
  const why = `none of the last ${commits.length} commits of ${branch} has profiles of ${query}`;
  throw new AppError('not-found', `cannot find a base: ${why}`);
}

async function git(folder: string, ...args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('git', args, { cwd: folder });
    return stdout;
  } catch (error) {
    const said = field(error, 'stderr');
    const why = readString(said).trim().split('\n').at(-1) || errorMessage(error);
    throw new AppError('failed-precondition', `cannot run git ${args[0]}: ${why}`, {
      cause: error,
    });
  }
}
