// GET /api/v1/source-links: links from a source file to repositories and editors, made from rules
// and labels.
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import type { SourceLinkRule } from '../../config/source-links.ts';
import type { GoBuild } from '../../model/go-build.ts';
import { parseQuery } from '../../promql-like/parse.ts';
import { printQuery } from '../../promql-like/print.ts';
import type { LabelSets } from '../../query/interface.ts';
import { findLinks } from '../../sources/links/find-links.ts';
import { readParameters, readQueryText, readRange } from '../transport/http/parameters.ts';
import type { InsightCall } from './insight-answers.ts';
import type { InsightPath } from './insight-calls.ts';

/**
 * Facts from which links are made; each function throws AppError 'unavailable' while the server
 * starts.
 */
interface LinkSources {
  readonly rules: () => readonly SourceLinkRule[];
  /** Returns the build information of a program; undefined if it was not uploaded. */
  readonly goBuild: (buildId: string) => GoBuild | undefined;
}

/** Returns the path, with the function that answers its calls. */
export function sourceLinksCall(sources: LinkSources): InsightPath {
  return {
    path: '/api/v1/source-links',
    name: 'SourceLinks',
    answer: (call) => answerSourceLinks(call, sources),
  };
}

/** Answers a call; see docs/api.md. Errors: AppError 'invalid-argument', and the engine's. */
async function answerSourceLinks(
  { url, nowMillis, engine, caller }: InsightCall,
  { rules, goBuild }: LinkSources,
): Promise<object> {
  const given = readParameters(url, ['query', 'start', 'end', 'file', 'build_id']);
  const file = given.get('file') ?? '';
  if (file === '') throw new AppError('invalid-argument', 'file: cannot be blank.');
  const { operand } = parseQuery(readQueryText(given));
  const selector = operand.kind === 'diff' ? operand.compared.selector : operand;
  const match = [printQuery({ operand: selector, stages: [] })];
  const question = { match, profileType: '', range: readRange(given, nowMillis) };
  const { labelSets, missing } = await labelsOf(() => engine.labelSets(question, caller));
  const build = goBuild(given.get('build_id') ?? '');
  return { links: findLinks(rules(), file, labelSets, build), warnings: missing };
}

/**
 * Requests labels. Returns none if there are too many series; then only links without labels are
 * made.
 */
async function labelsOf(ask: () => Promise<LabelSets>): Promise<LabelSets> {
  try {
    return await ask();
  } catch (error) {
    if (errorCode(error) !== 'resource-exhausted') throw error;
    return { labelSets: [], missing: [`links by labels: ${errorMessage(error)}`] };
  }
}
