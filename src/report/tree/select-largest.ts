// Finds the n-th largest of many numbers without sorting all of them.

/** Rounds after which the remaining values are sorted: a crafted list is never halved. */
const roundsMax = 64;

/**
 * Returns the `rank`-th largest value, 1 for the largest. Values are reordered.
 *
 * Hoare's selection with the middle of three as pivot.
 */
export function selectLargest(values: Float64Array, rank: number): number {
  const target = values.length - rank;
  let low = 0;
  let high = values.length - 1;
  for (let round = 0; low < high; round += 1) {
    if (round === roundsMax) {
      values.subarray(low, high + 1).sort();
      break;
    }
    const pivot = middleValue(values[low], values[(low + high) >> 1], values[high]);
    let left = low;
    let right = high;
    while (left <= right) {
      while (values[left] < pivot) left += 1;
      while (values[right] > pivot) right -= 1;
      if (left > right) break;
      const swapped = values[left];
      values[left] = values[right];
      values[right] = swapped;
      left += 1;
      right -= 1;
    }
    if (target <= right) high = right;
    else if (target >= left) low = left;
    else break;
  }
  return values[target];
}

function middleValue(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
