// Set operations on postings: sorted lists of stream refs.

/**
 * Maximum number of sets above which all refs are sorted together, instead of merging set by set.
 */
const mergedSetsMax = 8;
/**
 * Minimum number of refs above which they are sorted with a bit set. For a million refs, this takes
 * 5 ms instead of 80 ms.
 */
const bitsMin = 4096;

/** Returns the refs that are in at least one of the sets. */
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
  return ascending(all);
}

/** Returns the distinct refs in ascending order. May reuse the memory of `refs`. */
export function ascending(refs: Uint32Array): Uint32Array {
  if (isAscending(refs)) return refs;
  if (refs.length >= bitsMin) return ascendingByBits(refs);
  refs.sort();
  let kept = 0;
  for (let i = 0; i < refs.length; i += 1) {
    if (i > 0 && refs[i] === refs[i - 1]) continue;
    refs[kept] = refs[i];
    kept += 1;
  }
  return refs.subarray(0, kept);
}

function isAscending(refs: Uint32Array): boolean {
  for (let i = 1; i < refs.length; i += 1) if (refs[i - 1] >= refs[i]) return false;
  return true;
}

function ascendingByBits(refs: Uint32Array): Uint32Array {
  let last = 0;
  for (const ref of refs) if (ref > last) last = ref;
  const bits = new Int32Array((last >>> 5) + 1);
  for (const ref of refs) bits[ref >>> 5] |= 1 << (ref & 31);
  let kept = 0;
  for (let word = 0; word < bits.length; word += 1) {
    for (let left = bits[word]; left !== 0; left &= left - 1) {
      refs[kept] = word * 32 + (31 - Math.clz32(left & -left));
      kept += 1;
    }
  }
  return refs.subarray(0, kept);
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

/** Ratio of sizes above which the larger set is searched by doubling steps. */
const gallopRatioMin = 16;

/**
 * Returns the refs of `set` that are in `other`; or, if `keep` is false, the refs that are not in
 * `other`.
 */
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

/**
 * Returns the first position, starting at `from`, whose ref is not below `ref`. Searches with
 * doubling steps.
 */
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
