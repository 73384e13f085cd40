// Trims a call tree to the rows that are worth showing, breadth first.
import { numberAt, asWords } from '../../base/int64.ts';
import { type ColumnMemory, ownMemory } from '../../model/column-memory.ts';
import { grown } from '../../model/column.ts';
import { selectLargest } from './select-largest.ts';
import type { BaseValues, CallTree, ChildLinks } from './call-tree.ts';

export interface TrimRules {
  /** Parca's rule: a child is kept if its value is above this share of its parent's value; 0..1. */
  readonly nodeTrimFraction: number;
  /** A row is kept if its value is above this share of the root's value; 0..1. */
  readonly rootTrimFraction: number;
  /**
   * Maximum number of rows to keep, the largest first, plus rows equal to the last; absent = all
   * rows.
   */
  readonly rowsMax?: number | undefined;
}

/** Kept rows, breadth first; siblings are in the order of their frames. */
export interface KeptRows {
  readonly length: number;
  /** Tree row of each kept row. */
  readonly row: Int32Array;
  /** Position of each kept row in the order in which rows were chosen, parents first. */
  readonly place: Int32Array;
  /** Kept row of each row's parent; -1 for the root. */
  readonly parent: Int32Array;
  /** The children of kept row r are kept rows `childStart[r] .. childStart[r + 1]`. */
  readonly childStart: Int32Array;
  /** Depth of each row; the root has depth 0. */
  readonly depth: Int32Array;
  /** Sum of the cumulative values of trimmed rows whose parents are kept. */
  readonly trimmed: bigint;
}

/**
 * Keeps the root and, recursively, each child whose cumulative value is above both limits.
 *
 * Rows with value 0 are always trimmed, even if both fractions are 0. In a diff, a row is kept if
 * the value of either side is above the limits, so that rows that exist only in the base remain
 * visible.
 *
 * `target` must have a zero for each tree row; it gets 1 + the index of the kept row, 0 = trimmed.
 */
export function keepRows(
  tree: CallTree,
  rules: TrimRules,
  target: Int32Array,
  memory: ColumnMemory = ownMemory,
): KeptRows {
  target[0] = 1;
  const rows =
    tree.base === undefined
      ? chooseRows(tree, rules, target, memory)
      : chooseDiffRows(tree, tree.base, rules, target, memory);
  return { ...arrange(tree, rows, target, memory), trimmed: sumOfCut(tree, rows) };
}

/**
 * Like `keepRows`, for a part of a tree. Keeps the rows of `path`, and treats the last of them as
 * the root. Reads only the children of kept rows.
 */
export function keepRowsBelow(
  tree: CallTree,
  rules: TrimRules,
  path: readonly number[],
  { first, next }: ChildLinks,
  target: Int32Array,
  memory: ColumnMemory = ownMemory,
): KeptRows {
  const { cumulative, base } = tree;
  const root = path[path.length - 1];
  const isDiff = base !== undefined;
  const isLarge = makeTest(cumulative, isDiff, root, rules);
  const isLargeInBase = isDiff && makeTest(base.cumulative, isDiff, root, rules);
  let kept = new Int32Array(1024);
  let count = 0;
  for (const row of path) {
    kept = grown(kept, count + 1);
    kept[count] = row;
    count += 1;
    target[row] = count;
  }
  for (let at = path.length - 1; at < count; at += 1) {
    const above = kept[at];
    for (let row = first[above]; row !== 0; row = next[row]) {
      if (!isLarge(row, above) && (!isLargeInBase || !isLargeInBase(row, above))) continue;
      if (count === kept.length) kept = grown(kept, count + 1);
      kept[count] = row;
      count += 1;
      target[row] = count;
    }
  }
  const rows = kept.subarray(0, count);
  const trimmed = sumOfCut(tree, rows.subarray(path.length - 1));
  return { ...arrange(tree, rows, target, memory), trimmed };
}

/** Returns a function that is true if a row's value is above both limits. */
function makeTest(
  values: BigInt64Array,
  isMagnitude: boolean,
  root: number,
  { nodeTrimFraction, rootTrimFraction }: TrimRules,
): (row: number, above: number) => boolean {
  const words = asWords(values);
  const valueAt = (row: number): number => {
    const value = numberAt(words, row);
    return isMagnitude ? Math.abs(value) : value;
  };
  const rootLimit = Math.max(0, Math.trunc(valueAt(root) * rootTrimFraction));
  return (row, above) => {
    const value = valueAt(row);
    return value > rootLimit && value > Math.trunc(valueAt(above) * nodeTrimFraction);
  };
}

/** Chooses the rows to keep, parents first; writes each position plus 1 to `target`. */
function chooseRows(
  { length, parent, cumulative }: CallTree,
  { nodeTrimFraction, rootTrimFraction, rowsMax }: TrimRules,
  target: Int32Array,
  memory: ColumnMemory,
): Int32Array {
  const words = asWords(cumulative);
  const kept = memory.take(Int32Array, length);
  const { least, count: largeCount } = findLargest([cumulative], length, rowsMax, kept, memory);
  const rootLimit = Math.max(least, Math.trunc(numberAt(words, 0) * rootTrimFraction));
  const end = largeCount ?? length;
  let count = 1;
  for (let i = 1; i < end; i += 1) {
    const row = largeCount === undefined ? i : kept[i];
    const value = numberAt(words, row);
    // Most rows fail this test, which reads memory in order.
    if (value <= rootLimit) continue;
    const above = parent[row];
    if (target[above] === 0) continue;
    const isSmall = nodeTrimFraction > 0 && value <= limitBelow(words, above, nodeTrimFraction);
    if (isSmall) continue;
    kept[count] = row;
    count += 1;
    target[row] = count;
  }
  return kept.subarray(0, count);
}

function limitBelow(words: Int32Array, row: number, nodeTrimFraction: number): number {
  return Math.trunc(numberAt(words, row) * nodeTrimFraction);
}

/** Chooses the rows of a diff. A row is kept if its value is large enough on either side. */
function chooseDiffRows(
  { length, parent, cumulative }: CallTree,
  base: BaseValues,
  { nodeTrimFraction, rootTrimFraction, rowsMax }: TrimRules,
  target: Int32Array,
  memory: ColumnMemory,
): Int32Array {
  const kept = memory.take(Int32Array, length);
  const { least } = findLargest([cumulative, base.cumulative], length, rowsMax, kept, memory);
  const mark = memory.mark();
  const a = computeMagnitudes([base.cumulative], length, memory);
  const b = computeMagnitudes([cumulative], length, memory);
  const rootA = Math.trunc(a[0] * rootTrimFraction);
  const rootB = Math.trunc(b[0] * rootTrimFraction);
  let count = 1;
  for (let row = 1; row < length; row += 1) {
    if (a[row] <= rootA && b[row] <= rootB) continue;
    if (a[row] + b[row] <= least) continue;
    const above = parent[row];
    if (target[above] === 0) continue;
    const isKept =
      (a[row] > rootA && a[row] > Math.trunc(a[above] * nodeTrimFraction)) ||
      (b[row] > rootB && b[row] > Math.trunc(b[above] * nodeTrimFraction));
    if (!isKept) continue;
    kept[count] = row;
    count += 1;
    target[row] = count;
  }
  memory.release(mark);
  return kept.subarray(0, count);
}

/** Returns the sum of the magnitudes of each row's one or two values. */
function computeMagnitudes(
  columns: readonly BigInt64Array[],
  length: number,
  memory: ColumnMemory,
): Float64Array {
  const [own, other] = columns.map(asWords);
  const magnitudes = memory.take(Float64Array, length);
  for (let row = 0; row < length; row += 1) magnitudes[row] = magnitudeAt(own, other, row);
  return magnitudes;
}

/** One of this many rows is sampled to estimate the size of the largest rows. */
const rowsPerSample = 16;

/** Largest rows of a tree. */
interface LargestRows {
  /** Smallest magnitude of the largest rows. */
  readonly least: number;
  /** Number of listed rows that may be among the largest; undefined if all rows may be. */
  readonly count: number | undefined;
}

/**
 * Finds the `rowsMax` largest rows, and the rows that equal the last of them. If a sample shows
 * which rows are large, lists the candidates in `rows` in ascending order, including row 0.
 */
function findLargest(
  columns: readonly BigInt64Array[],
  length: number,
  rowsMax: number | undefined,
  rows: Int32Array,
  memory: ColumnMemory,
): LargestRows {
  if (rowsMax === undefined || length <= rowsMax) return { least: 0, count: undefined };
  const [own, other] = columns.map(asWords);
  const mark = memory.mark();
  const sample = memory.take(Float64Array, Math.ceil(length / rowsPerSample));
  for (let i = 0; i < sample.length; i += 1) {
    sample[i] = magnitudeAt(own, other, i * rowsPerSample);
  }
  // The rows of at least this size are about a third more than necessary.
  const rank = Math.ceil((rowsMax / rowsPerSample) * 1.3) + 20;
  const bound = rank > sample.length ? 0 : selectLargest(sample, rank);
  const above = memory.take(Float64Array, rowsMax * 2);
  let aboveCount = 0;
  let equalCount = 0;
  let count = 1;
  for (let row = 0; row < length; row += 1) {
    const value = magnitudeAt(own, other, row);
    if (value < bound) continue;
    if (row > 0) {
      rows[count] = row;
      count += 1;
    }
    if (value === bound) {
      equalCount += 1;
      continue;
    }
    // Writes past the end of the array are ignored.
    above[aboveCount] = value;
    aboveCount += 1;
  }
  const isMisleading = aboveCount + equalCount < rowsMax || aboveCount > above.length;
  const values = isMisleading
    ? computeMagnitudes(columns, length, memory)
    : above.subarray(0, aboveCount);
  const last = values.length < rowsMax ? bound : selectLargest(values, rowsMax);
  memory.release(mark);
  return { least: Math.max(0, last - 1), count: isMisleading ? undefined : count };
}

/** Returns the sum of the magnitudes of a row's values. */
function magnitudeAt(own: Int32Array, other: Int32Array | undefined, row: number): number {
  const value = Math.abs(numberAt(own, row));
  return other === undefined ? value : value + Math.abs(numberAt(other, row));
}

/** Returns the value of the first kept row minus the flat values of all kept rows. */
function sumOfCut({ flat, cumulative }: CallTree, kept: Int32Array): bigint {
  const cut = new BigInt64Array(1);
  cut[0] = cumulative[kept[0]];
  for (let i = 0; i < kept.length; i += 1) cut[0] -= flat[kept[i]];
  return cut[0];
}

/** Sorts kept rows into breadth-first order. For `target`, see `keepRows`. */
function arrange(
  tree: CallTree,
  kept: Int32Array,
  target: Int32Array,
  memory: ColumnMemory,
): Omit<KeptRows, 'trimmed'> {
  const { length } = kept;
  const { parent } = tree;
  const row = memory.take(Int32Array, length);
  const rowParent = memory.take(Int32Array, length);
  const childStart = memory.take(Int32Array, length + 1);
  const depth = memory.take(Int32Array, length);
  const place = memory.take(Int32Array, length);
  const mark = memory.mark();
  // From here on, rows are indexes into `kept`. This is a counting sort by parent. Each loop reads
  // memory in one order, so that the processor need not wait for one read before the next.
  const above = memory.take(Int32Array, length);
  for (let i = 1; i < length; i += 1) above[i] = target[parent[kept[i]]] - 1;
  const start = memory.take(Int32Array, length + 1);
  for (let i = 1; i < length; i += 1) start[above[i] + 1] += 1;
  for (let i = 0; i < length; i += 1) start[i + 1] += start[i];
  const next = memory.take(Int32Array, length + 1);
  next.set(start);
  const children = memory.take(Int32Array, length);
  for (let i = 1; i < length; i += 1) {
    children[next[above[i]]] = i;
    next[above[i]] += 1;
  }
  if (tree.startNanos === undefined) sortSiblings(tree, kept, start, children, memory);
  rowParent[0] = -1;
  // First reads the indexes of the children of one level, then the children themselves.
  const first = above;
  let count = 1;
  for (let from = 0, to = count, level = 0; from < to; from = to, to = count, level += 1) {
    depth.fill(level, from, to);
    for (let i = from; i < to; i += 1) {
      first[i] = start[place[i]];
      childStart[i] = start[place[i] + 1];
    }
    for (let i = from; i < to; i += 1) {
      const end = childStart[i];
      childStart[i] = count;
      for (let child = first[i]; child < end; child += 1, count += 1) {
        place[count] = children[child];
        rowParent[count] = i;
      }
    }
  }
  childStart[length] = count;
  for (let i = 0; i < length; i += 1) row[i] = kept[place[i]];
  memory.release(mark);
  return { length, row, place, parent: rowParent, childStart, depth };
}

/** Factor for packing an index and a row into a number; larger than any row. */
const rowEnd = 2 ** 31;

/**
 * Sorts the children of each kept row by frame. Label rows have the key 0, so they come first and
 * keep their order. `start` is like `KeptRows.childStart`. `children` are indexes of `kept`.
 */
function sortSiblings(
  { key, frames }: CallTree,
  kept: Int32Array,
  start: Int32Array,
  children: Int32Array,
  memory: ColumnMemory,
): void {
  const rowCount = children.length;
  const keys = memory.take(Uint32Array, rowCount);
  let count = 0;
  for (let i = 0; i < rowCount; i += 1) {
    // Most rows have no siblings.
    if (start[i + 1] - start[i] < 2) continue;
    for (let at = start[i]; at < start[i + 1]; at += 1, count += 1) {
      keys[count] = key[kept[children[at]]];
    }
  }
  const places = frames.rank(keys.subarray(0, count));
  // Each number contains a rank and a row, so that sorting needs no function calls.
  const placed = memory.take(Float64Array, count);
  let from = 0;
  for (let i = 0; i < rowCount; i += 1) {
    const first = start[i];
    const size = start[i + 1] - first;
    if (size < 2) continue;
    for (let at = 0; at < size; at += 1) {
      placed[from + at] = places[keys[from + at]] * rowEnd + children[first + at];
    }
    sortRange(placed, from, from + size);
    for (let at = 0; at < size; at += 1) children[first + at] = placed[from + at] % rowEnd;
    from += size;
  }
}

/** Size up to which insertion sort is faster than the built-in sort. */
const insertedMax = 12;

/**
 * Sorts elements `from` .. `to` in place. Creating a typed-array view for each small group of
 * siblings would leave much garbage.
 */
function sortRange(values: Float64Array, from: number, to: number): void {
  if (to - from > insertedMax) {
    values.subarray(from, to).sort();
    return;
  }
  for (let i = from + 1; i < to; i += 1) {
    const value = values[i];
    let at = i;
    for (; at > from && values[at - 1] > value; at -= 1) values[at] = values[at - 1];
    values[at] = value;
  }
}
