// Ids -> rows. Ids 1..n in order are rows already; any other unique ids go through a map.
import { AppError } from '../../base/errors.ts';
import type { PprofColumns } from './columns.ts';

/** Row of each id of one table; undefined when ids are the rows themselves. */
export type IdRows = ReadonlyMap<number, number> | undefined;

/**
 * Reads a table's own ids.
 *
 * pprof asks for unique ids, Parca for 1..n in order; the looser rule holds here.
 * Errors: AppError 'invalid-argument' "invalid profile: <table> id is not sequential: ..." for an
 * id that is 0 or occurs twice.
 */
export function readIdRows(
  columns: PprofColumns,
  table: 'mapping' | 'function' | 'location',
  ids: Int32Array,
  count: number,
): IdRows {
  let row = 1;
  while (row <= count && ids[row] === row) row += 1;
  if (row > count) return undefined;
  const rows = new Map<number, number>();
  for (row = 1; row <= count; row += 1) {
    const id = ids[row];
    if (id === 0 || rows.has(id)) {
      const why = id === 0 ? 'id 0 means none' : `id ${columns.idText(id)} occurs twice`;
      throw new AppError(
        'invalid-argument',
        `invalid profile: ${table} id is not sequential: ${why}`,
      );
    }
    rows.set(id, row);
  }
  return rows;
}

/** The row of `id` in a table of `count` rows, -1 when no row has it; id 0 is row 0, none. */
export function rowOfId(rows: IdRows, count: number, id: number): number {
  if (id === 0) return 0;
  if (rows !== undefined) return rows.get(id) ?? -1;
  return id > 0 && id <= count ? id : -1;
}
