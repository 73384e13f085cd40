// Numbers the stacks of a chunk by frequency, and sorts each profile's rows by that number.
import { grown } from '../../model/column.ts';
import { two32 } from './chunk-format.ts';
import type { ChunkInput } from './chunk-data.ts';
import { type LabelsPlace, labelsPlace } from './stack-dictionary.ts';

/**
 * The rows that are nonzero in at least one value column, sorted by profile and entry. An entry is
 * a distinct stack or, with `labelsPlace.entries`, a distinct pair of stack and sample labels.
 * Frequent entries come first.
 */
export interface SortedRows {
  readonly labelsPlace: LabelsPlace;
  /** StackIndex of each entry and, with `labelsPlace.entries`, SampleLabelsIndex of each entry. */
  readonly stacks: Uint32Array;
  readonly labels: Uint32Array | undefined;
  /** First row of each profile; one element more than there are profiles. */
  readonly rowStart: Uint32Array;
  /** Entry of each row. */
  readonly entries: Uint32Array;
  /** Position of each row in the input. */
  readonly source: Uint32Array;
}

/**
 * Number of frequency classes for each doubling of the number of rows. The entries of a class are
 * sorted by stack.
 */
const classesPerDoubling = 1;

export function sortRows(input: ChunkInput): SortedRows {
  const { profileCount } = input;
  const { rows, rowStart } = keptRows(input);
  const sampleLabels = someLabels(input.sampleLabels, rows);
  let table = new EntryTable();
  const ids = new Uint32Array(rows.length);
  table.assign(rows, input.stacks, sampleLabels, ids);
  let place: LabelsPlace = sampleLabels === undefined ? labelsPlace.none : labelsPlace.entries;
  if (sampleLabels !== undefined && table.length * 2 > rows.length) {
    const ofStacks = new EntryTable();
    const stackIds = new Uint32Array(rows.length);
    ofStacks.assign(rows, input.stacks, undefined, stackIds);
    if (table.length > ofStacks.length * 2) {
      place = labelsPlace.rows;
      table = ofStacks;
      ids.set(stackIds);
    }
  }
  const order = table.byFrequency();
  const rank = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i += 1) rank[order[i]] = i;
  return {
    labelsPlace: place,
    stacks: order.map((entry) => table.stacks[entry]),
    labels: place === labelsPlace.entries ? order.map((entry) => table.labels[entry]) : undefined,
    rowStart,
    ...orderRows(rows, rowStart, profileCount, ids, rank, table.rowCounts),
  };
}

/** Returns the labels; undefined if no row has labels. */
function someLabels(labels: Uint32Array | undefined, rows: Uint32Array): Uint32Array | undefined {
  return labels !== undefined && rows.some((row) => labels[row] !== 0) ? labels : undefined;
}

/** Returns the rows with a nonzero value, and the first such row of each profile. */
function keptRows(input: ChunkInput): { rows: Uint32Array; rowStart: Uint32Array } {
  const { profileCount, values } = input;
  const rowCount = input.rowStart[profileCount];
  const bits = new Int32Array(rowCount);
  for (const valueColumn of values) {
    const words = new Int32Array(valueColumn.buffer, valueColumn.byteOffset, rowCount * 2);
    for (let row = 0; row < rowCount; row += 1) bits[row] |= words[row * 2] | words[row * 2 + 1];
  }
  const rows = new Uint32Array(rowCount);
  const rowStart = new Uint32Array(profileCount + 1);
  let used = 0;
  for (let profile = 0; profile < profileCount; profile += 1) {
    for (let row = input.rowStart[profile]; row < input.rowStart[profile + 1]; row += 1) {
      if (bits[row] === 0) continue;
      rows[used] = row;
      used += 1;
    }
    rowStart[profile + 1] = used;
  }
  return { rows: rows.subarray(0, used), rowStart };
}

/** Sorts rows by entry, and then by profile with a stable sort. Both are counting sorts. */
function orderRows(
  rows: Uint32Array,
  rowStart: Uint32Array,
  profileCount: number,
  ids: Uint32Array,
  rank: Uint32Array,
  rowCounts: Uint32Array,
): { entries: Uint32Array; source: Uint32Array } {
  const next = new Uint32Array(rank.length + 1);
  for (let id = 0; id < rank.length; id += 1) next[rank[id] + 1] = rowCounts[id];
  for (let i = 1; i < next.length; i += 1) next[i] += next[i - 1];
  const byEntry = new Uint32Array(rows.length);
  const profileByRow = new Uint32Array(rows.length);
  for (let profile = 0; profile < profileCount; profile += 1) {
    for (let row = rowStart[profile]; row < rowStart[profile + 1]; row += 1) {
      const entry = rank[ids[row]];
      const at = next[entry];
      byEntry[at] = row;
      profileByRow[at] = profile;
      next[entry] = at + 1;
    }
  }
  const entries = new Uint32Array(rows.length);
  const source = new Uint32Array(rows.length);
  const place = rowStart.slice();
  for (let i = 0; i < rows.length; i += 1) {
    const row = byEntry[i];
    const at = place[profileByRow[i]];
    place[profileByRow[i]] = at + 1;
    entries[at] = rank[ids[row]];
    source[at] = rows[row];
  }
  return { entries, source };
}

/**
 * Distinct pairs of stack and labels, in the order of first use; a hash table with open addressing.
 */
class EntryTable {
  length = 0;
  stacks = new Uint32Array(64);
  labels = new Uint32Array(64);
  rowCounts = new Uint32Array(64);
  /** Entry + 1; 0 = free. */
  #slots = new Uint32Array(128);

  /** Writes the entry of each row into `ids`. */
  assign(
    rows: Uint32Array,
    stacks: Uint32Array,
    labels: Uint32Array | undefined,
    ids: Uint32Array,
  ): void {
    for (let i = 0; i < rows.length; i += 1) {
      const row = rows[i];
      ids[i] = this.#add(stacks[row], labels === undefined ? 0 : labels[row]);
    }
  }

  /**
   * Returns the entries with the most frequent first. Entries of similar frequency are sorted by
   * stack and labels.
   */
  byFrequency(): Uint32Array {
    const { length, stacks, labels, rowCounts } = this;
    const keys = new Float64Array(length);
    let hasLabels = false;
    for (let i = 0; i < length; i += 1) {
      const frequency = Math.floor(Math.log2(rowCounts[i]) * classesPerDoubling);
      keys[i] = (64 - frequency) * two32 + stacks[i];
      if (labels[i] !== 0) hasLabels = true;
    }
    if (hasLabels) {
      const order = Uint32Array.from(keys.keys());
      return order.sort((a, b) => keys[a] - keys[b] || labels[a] - labels[b]);
    }
    // Sorting numbers without a comparison function is three times as fast.
    return Uint32Array.from(keys.sort(), (key) => this.#find(key % two32));
  }

  /** Returns the entry of a stack. The table must have it, without labels. */
  #find(stack: number): number {
    const { stacks } = this;
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hashRow(stack, 0) & mask;
    while (stacks[slots[slot] - 1] !== stack) slot = (slot + 1) & mask;
    return slots[slot] - 1;
  }

  #add(stack: number, label: number): number {
    const { stacks, labels } = this;
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hashRow(stack, label) & mask;
    for (let entry = slots[slot]; entry !== 0; entry = slots[slot]) {
      if (stacks[entry - 1] === stack && labels[entry - 1] === label) {
        this.rowCounts[entry - 1] += 1;
        return entry - 1;
      }
      slot = (slot + 1) & mask;
    }
    const id = this.length;
    this.length += 1;
    this.stacks = grown(stacks, this.length);
    this.labels = grown(labels, this.length);
    this.rowCounts = grown(this.rowCounts, this.length);
    this.stacks[id] = stack;
    this.labels[id] = label;
    this.rowCounts[id] = 1;
    slots[slot] = this.length;
    if (this.length * 2 > slots.length) this.#growSlots();
    return id;
  }

  #growSlots(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (const entry of this.#slots) {
      if (entry === 0) continue;
      slots[this.#freeSlot(slots, mask, entry - 1)] = entry;
    }
    this.#slots = slots;
  }

  #freeSlot(slots: Uint32Array, mask: number, id: number): number {
    let slot = hashRow(this.stacks[id], this.labels[id]) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    return slot;
  }
}

function hashRow(stack: number, label: number): number {
  const hash = Math.imul(stack, 0x9e37_79b1) ^ Math.imul(label, 0x85eb_ca77);
  return hash ^ (hash >>> 15);
}
