// Ranges of addresses with code. Where ranges overlap, the range that was added last counts.

/** Ranges, numbered from 0 in the order in which they were added. */
export class CodeRanges {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** Ranges by address, without overlaps; undefined if ranges were added since the last sort. */
  #sorted: SortedRows | undefined;

  /** Adds the addresses from `start` up to, but not including, `end`. */
  add(start: number, end: number): void {
    this.#starts.push(start);
    this.#ends.push(end);
    this.#sorted = undefined;
  }

  start(range: number): number {
    return this.#starts[range];
  }

  end(range: number): number {
    return this.#ends[range];
  }

  /** Returns the number of the range that contains an address; undefined if there is none. */
  find(address: number): number | undefined {
    const sorted = (this.#sorted ??= this.#sort());
    let low = 0;
    let high = sorted.starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sorted.starts[middle] <= address) low = middle + 1;
      else high = middle;
    }
    const row = low - 1;
    return row < 0 || address >= sorted.ends[row] ? undefined : sorted.entries[row];
  }

  /** Sorts the ranges. Where two overlap, the earlier one ends before the later one. */
  #sort(): SortedRows {
    const order = this.#starts.map((_, i) => i);
    order.sort((a, b) => this.#starts[a] - this.#starts[b] || a - b);
    const entries: number[] = [];
    const ends: number[] = [];
    for (const entry of order) {
      let last = entries.length - 1;
      // Drops rows whose memory was later reused for this entry.
      while (
        last >= 0 &&
        this.#starts[entries[last]] >= this.#starts[entry] &&
        entries[last] < entry
      ) {
        entries.pop();
        ends.pop();
        last -= 1;
      }
      if (last >= 0 && ends[last] > this.#starts[entry]) {
        if (entries[last] > entry) continue;
        ends[last] = this.#starts[entry];
      }
      entries.push(entry);
      ends.push(this.#ends[entry]);
    }
    return {
      entries: Uint32Array.from(entries),
      starts: Float64Array.from(entries, (entry) => this.#starts[entry]),
      ends: Float64Array.from(ends),
    };
  }
}

interface SortedRows {
  readonly entries: Uint32Array;
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}
