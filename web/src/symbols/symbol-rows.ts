// Makes the rows of the symbols page: what the server has of a build id, and what is hidden without
// names.
import type { BuildFacts } from '../rpc/symbols.ts';
import type { FunctionTable } from '../tree/function-table.ts';

export interface SymbolRow extends BuildFacts {
  /** Path of the binary; "" if no profile of the range has it. */
  readonly binary: string;
  /** Share of all values that addresses without names have, 0 .. 1. */
  readonly hidden: number;
}

/** Joins the build ids of the server and of the profiles; those that hide most come first. */
export function symbolRows(
  builds: readonly BuildFacts[],
  table: Pick<FunctionTable, 'unnamed' | 'whole'> | undefined,
): SymbolRow[] {
  const unnamed = new Map(table?.unnamed.map((one) => [one.build, one]));
  const known = new Set(builds.map(({ buildId }) => buildId));
  const unlisted = [...unnamed.keys()]
    .filter((buildId) => buildId !== '' && !known.has(buildId))
    .map((buildId): BuildFacts => {
      return { buildId, state: 'unasked', reason: '', notes: [], files: [] };
    });
  const whole = Number(table?.whole ?? 0n);
  const rows = [...builds, ...unlisted].map((facts): SymbolRow => {
    const { binary = '', self = 0n } = unnamed.get(facts.buildId) ?? {};
    return { ...facts, binary, hidden: whole > 0 ? Number(self) / whole : 0 };
  });
  // Sorting keeps the order of equal rows, which is the server's.
  return rows.sort((a, b) => b.hidden - a.hidden);
}
