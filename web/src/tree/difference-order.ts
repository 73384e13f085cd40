// The functions of a comparison by how much they changed, in the unit of the list.
import type { FunctionTable } from './function-table.ts';

/**
 * The rows of a diff by B less A, the largest rise first. `now` and `before` are what one unit of a
 * value of each side counts for.
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
