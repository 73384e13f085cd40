// Set operations on postings: sorted lists of stream refs.

/** Above this number, sets are sorted together rather than merged one after the other. */
const mergedSetsMax = 8;

/** Returns the refs that are in any of the sets. */
export function union(sets: readonly Uint32Array[]): Uint32Array {
  const filled = sets.filter(({ length }) => length > 0);
  if (filled.length <= mergedSetsMax) {
    const [first = new Uint32Array(0), ...others] = filled;
    return others.reduce((all, set) => merged(all, set), first);
  }
  let length = 0;
  for (const set of filled) length += set.length;
  const all = new Uint32Array(length);
  length = 0;
  for (const set of filled) {
    all.set(set, length);
    length += set.length;
  }
  all.sort();
  let kept = 0;
  for (let i = 0; i < length; i += 1) {
    if (i > 0 && all[i] === all[i - 1]) continue;
    all[kept] = all[i];
    kept += 1;
  }
  return all.subarray(0, kept);
}

function merged(left: Uint32Array, right: Uint32Array): Uint32Array {
  const result = new Uint32Array(left.length + right.length);
  let kept = 0;
  let i = 0;
  for (const ref of right) {
    for (; i < left.length && left[i] < ref; i += 1) {
      result[kept] = left[i];
      kept += 1;
    }
    if (left[i] === ref) i += 1;
    result[kept] = ref;
    kept += 1;
  }
  result.set(left.subarray(i), kept);
  return result.subarray(0, kept + left.length - i);
}

/** Ratio of sizes from which the larger set is searched by doubling steps. */
const gallopRatioMin = 16;

/** Returns the refs of `set` that are in `other`; with `keep` false, the refs that are not. */
export function filtered(set: Uint32Array, other: Uint32Array, keep: boolean): Uint32Array {
  if (keep && set.length > other.length * gallopRatioMin) return filtered(other, set, true);
  const gallops = other.length > set.length * gallopRatioMin;
  return gallops ? filteredByGallop(set, other, keep) : filteredByStep(set, other, keep);
}

function filteredByStep(set: Uint32Array, other: Uint32Array, keep: boolean): Uint32Array {
  const result = new Uint32Array(set.length);
  const { length } = other;
  let kept = 0;
  let from = 0;
  for (let i = 0; i < set.length; i += 1) {
    const ref = set[i];
    while (from < length && other[from] < ref) from += 1;
    if ((from < length && other[from] === ref) !== keep) continue;
    result[kept] = ref;
    kept += 1;
  }
  return result.subarray(0, kept);
}

function filteredByGallop(set: Uint32Array, other: Uint32Array, keep: boolean): Uint32Array {
  const result = new Uint32Array(set.length);
  let kept = 0;
  let from = 0;
  for (let i = 0; i < set.length; i += 1) {
    const ref = set[i];
    from = lowerBound(other, ref, from);
    if ((from < other.length && other[from] === ref) !== keep) continue;
    result[kept] = ref;
    kept += 1;
  }
  return result.subarray(0, kept);
}

/** Returns the first position from `from` on whose ref is not below `ref`, by doubling steps. */
export function lowerBound(set: Uint32Array, ref: number, from: number): number {
  let step = 1;
  let low = from;
  let high = from;
  while (high < set.length && set[high] < ref) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  high = Math.min(high, set.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (set[middle] < ref) low = middle + 1;
    else high = middle;
  }
  return low;
}
