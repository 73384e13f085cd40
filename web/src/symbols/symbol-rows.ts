// Builds the rows of the symbols page: the server's files for a build id, and the share of values
// without names.
import { formatPercent } from '../format/numbers.ts';
import type { BuildFacts } from '../rpc/symbols.ts';
import type { FunctionTable } from '../tree/function-table.ts';

export interface SymbolRow extends BuildFacts {
  /** Largest share, over all types, of values at addresses without names, 0 .. 1. */
  readonly hidden: number;
}

/** Values without names in one type. */
export type UnnamedValues = Pick<FunctionTable, 'unnamed' | 'whole'>;

/**
 * Joins the build ids that the server has with the build ids in profiles; those with the largest
 * share of unnamed values come first.
 */
export function symbolRows(
  builds: readonly BuildFacts[],
  tables: readonly UnnamedValues[],
): SymbolRow[] {
  const unnamed = new Map<string, { readonly binary: string; readonly share: number }>();
  for (const { unnamed: list, whole } of tables) {
    for (const { build, binary, self } of list) {
      const share = whole > 0n ? Number(self) / Number(whole) : 0;
      const most = Math.max(share, unnamed.get(build)?.share ?? 0);
      unnamed.set(build, { binary, share: most });
    }
  }
  const known = new Set(builds.map(({ buildId }) => buildId));
  const unlisted = [...unnamed.keys()]
    .filter((buildId) => buildId !== '' && !known.has(buildId))
    .map((buildId): BuildFacts => {
      return { buildId, binary: '', state: 'unasked', reason: '', notes: [], files: [] };
    });
  const rows = [...builds, ...unlisted].map((facts): SymbolRow => {
    const { binary = '', share = 0 } = unnamed.get(facts.buildId) ?? {};
    return { ...facts, binary: binary || facts.binary, hidden: share };
  });
  // Sorting keeps the server's order of equal rows.
  return rows.sort((a, b) => b.hidden - a.hidden);
}

/**
 * Returns a sentence about the names in a profile type; `lacking` is the number of build ids
 * without names.
 */
export function namesSentence({ unnamed, whole }: UnnamedValues, lacking: number): string {
  const hiding = unnamed.filter(({ build, self }) => build !== '' && self > 0n);
  const formatCount = (count: number): string =>
    count === 1 ? 'one build id' : `${count} build ids`;
  if (hiding.length > 0) {
    const self = hiding.reduce((sum, one) => sum + Number(one.self), 0);
    return `${formatPercent(self / Number(whole))} has no names, in ${formatCount(hiding.length)}.`;
  }
  if (lacking === 0) return 'everything has names.';
  return `no time is without names itself; callers lack some, in ${formatCount(lacking)}.`;
}
