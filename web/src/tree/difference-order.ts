// Sorts the functions of a comparison by their change, in the unit of the list.
import type { FunctionTable } from './function-table.ts';

/**
 * Returns the rows of a diff by B minus A, largest rise first. `now` and `before` are weights per
 * unit of each side.
 */
export function orderOfDifference(
  { count, order, self, total }: FunctionTable,
  now: number,
  before: number,
): Uint32Array {
  const difference = Float64Array.from(
    { length: count },
    (_, row) => Number(self[row]) * now - Number(total[row]) * before,
  );
  return order.name.toSorted((a, b) => difference[b] - difference[a]);
}
