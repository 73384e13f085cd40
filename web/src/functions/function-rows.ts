// The rows of the function list: read from the report, filtered and sorted.
import type { TopAnswer } from '../rpc/api.ts';
import { createNameMatcher } from '../tree/search.ts';

export interface ListRow {
  readonly name: string;
  readonly self: bigint;
  /** In a diff, the self value of the base. */
  readonly total: bigint;
}

export type Sort = 'self' | 'total' | 'name';

export function rowsOf({ top, baseTotal }: TopAnswer, isCompared: boolean): ListRow[] {
  // The server scales the base to the other side; here each side has its own values.
  const scaled = top.list.reduce((sum, { flat, flatDiff }) => sum + flat - flatDiff, 0n);
  const before = (value: bigint) => (scaled === 0n ? 0n : (value * baseTotal) / scaled);
  return top.list.map(({ meta, cumulative, flat, flatDiff }) => ({
    name: nodeName(meta),
    self: flat,
    total: isCompared ? before(flat - flatDiff) : cumulative,
  }));
}

function nodeName(meta: TopAnswer['top']['list'][number]['meta']): string {
  const name = meta?.function?.name ?? '';
  if (name !== '') return name;
  const file = meta?.mapping?.file ?? '';
  const address = `0x${BigInt.asUintN(64, meta?.location?.address ?? 0n).toString(16)}`;
  return file === '' ? address : `${file.slice(file.lastIndexOf('/') + 1)}+${address}`;
}

export function filterRows(
  rows: readonly ListRow[],
  search: string,
  mode: 'text' | 'regex' | 'case',
): readonly ListRow[] {
  if (search === '') return rows;
  const matcher = createNameMatcher(search, mode);
  return matcher.ok ? rows.filter(({ name }) => matcher.matches(name)) : rows;
}

export function sortRows(rows: readonly ListRow[], sort: Sort): ListRow[] {
  const byName = (a: ListRow, b: ListRow) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  if (sort === 'name') return [...rows].sort(byName);
  const byValue = (a: ListRow, b: ListRow) => (a[sort] < b[sort] ? 1 : a[sort] > b[sort] ? -1 : 0);
  return [...rows].sort((a, b) => byValue(a, b) || byName(a, b));
}
