// Finds the n-th largest of many numbers without sorting all of them.

/**
 * Maximum number of rounds after which the remaining values are sorted, because a crafted list
 * might keep each round from halving them.
 */
const roundsMax = 64;
/** Low bits of the upper half of a double that do not affect its class. */
const lowBits = 15;
/** Number of classes of nonnegative numbers: 32 per power of two. */
const classCount = 1 << (31 - lowBits);
/** Counts of all classes, kept because allocating them for each selection would take longer. */
const counts = new Uint32Array(classCount);

/**
 * Returns the `rank`-th largest value, 1 for the largest. Values must not be negative, and are
 * overwritten.
 *
 * The upper bits of doubles determine their order, except among doubles with equal upper bits.
 * Therefore values are counted by their upper bits, and only the values of one class are compared.
 * Comparing half a million values would take 8 ms; counting them takes 1 ms.
 */
export function selectLargest(values: Float64Array, rank: number): number {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
  counts.fill(0);
  for (let i = 1; i < words.length; i += 2) counts[words[i] >>> lowBits] += 1;
  let wanted = classCount - 1;
  let larger = 0;
  while (larger + counts[wanted] < rank) {
    larger += counts[wanted];
    wanted -= 1;
  }
  let count = 0;
  for (let i = 0; i < values.length; i += 1) {
    if (words[i * 2 + 1] >>> lowBits !== wanted) continue;
    values[count] = values[i];
    count += 1;
  }
  return selectAmong(values.subarray(0, count), rank - larger);
}

/** Returns the value of a rank. Uses quickselect with the median of three as the pivot. */
function selectAmong(values: Float64Array, rank: number): number {
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
