// Sorted sets of stream refs: what an index keeps for each value, and how sets are combined.

/** A growing set of refs in ascending order. */
export class Postings {
  private refs = new Uint32Array(4);
  private length = 0;

  add(ref: number): void {
    if (this.length === this.refs.length) {
      const bigger = new Uint32Array(this.length * 2);
      bigger.set(this.refs);
      this.refs = bigger;
    }
    let at = this.length;
    // Refs come in ascending order but for streams whose first write was overtaken.
    while (at > 0 && this.refs[at - 1] > ref) at -= 1;
    if (at > 0 && this.refs[at - 1] === ref) return;
    this.refs.copyWithin(at + 1, at, this.length);
    this.refs[at] = ref;
    this.length += 1;
  }

  /** The refs, as a view until the next `add`. */
  view(): Uint32Array {
    return this.refs.subarray(0, this.length);
  }
}

/** All refs of any of the sets. */
export function union(sets: readonly Uint32Array[]): Uint32Array {
  if (sets.length === 1) return sets[0];
  let length = 0;
  for (const set of sets) length += set.length;
  const all = new Uint32Array(length);
  length = 0;
  for (const set of sets) {
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

/** The refs of `set` that are in `other`, or with `keep` false those that are not. */
export function filtered(set: Uint32Array, other: Uint32Array, keep: boolean): Uint32Array {
  const result = new Uint32Array(set.length);
  let kept = 0;
  let from = 0;
  for (const ref of set) {
    from = lowerBound(other, ref, from);
    if ((other[from] === ref) !== keep) continue;
    result[kept] = ref;
    kept += 1;
  }
  return result.subarray(0, kept);
}

/** The first position at or after `from` whose ref is not below `ref`; gallops. */
function lowerBound(set: Uint32Array, ref: number, from: number): number {
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
