// A flame graph as columns: one row per frame, breadth-first, siblings in drawing order.

/** `parent` of the root. */
export const noRow = -1;
/** Value in a string column for "no string". */
export const noString = 0xffffffff;

/** Bits of `flags`. */
export const inlinedFlag = 1;
export const labelFlag = 2;

/**
 * Rows in breadth-first order: rows of the same depth are consecutive and sorted by `x`; the
 * children of a row are consecutive, too. Row 0 is the root.
 *
 * Positions and widths are fractions of the untrimmed total, so that trimmed frames leave a gap and
 * percentages are correct. In a diff, they are fractions of the larger side of each frame, so that
 * removed frames keep their width. Values are exact.
 */
export interface Tree {
  readonly count: number;
  /** First row of each depth, followed by `count`. */
  readonly depthStart: Uint32Array;
  readonly x: Float64Array;
  readonly width: Float64Array;
  /** Share in the total; equal to the width except in a diff. */
  readonly share: Float64Array;
  readonly parent: Int32Array;
  readonly firstChild: Uint32Array;
  readonly childCount: Uint32Array;
  /** Index into `names`; all frames of a function have the same index. */
  readonly name: Uint32Array;
  readonly flags: Uint8Array;
  readonly cumulative: BigInt64Array;
  readonly flat: BigInt64Array;
  /** Cumulative values of a diff's base; `cumulative` and `flat` belong to the other side. */
  readonly base: BigInt64Array | undefined;
  /** Ratio of the base's total to the other side's total in a diff of amounts; otherwise 1. */
  readonly baseFactor: number;
  /** Index into `strings`, or noString. */
  readonly file: Uint32Array;
  readonly binary: Uint32Array;
  readonly buildId: Uint32Array;
  /** 0 = unknown. */
  readonly line: Uint32Array;
  /** Function names without duplicates; files and binaries. */
  readonly names: Strings;
  readonly strings: Strings;
  /** Group of each name in each grouping. */
  readonly groups: Groups;
  readonly total: bigint;
  readonly trimmed: bigint;
}

/** UTF-8 strings, decoded on demand. String i is `bytes[offsets[i] .. offsets[i+1]]`. */
export interface Strings {
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
}

/** Groups for colours: the group of each name, and the name and weight of each group. */
export interface Groups {
  readonly binary: Grouping;
  readonly package: Grouping;
  /** Own code, libraries, runtime and others, see kind.ts. */
  readonly kind: Grouping;
}

export type GroupMode = keyof Groups;

export interface Grouping {
  readonly ofName: Uint32Array;
  readonly texts: readonly string[];
  /** Share of the group's self values in the total. */
  readonly selfShare: Float64Array;
  /** Sum of the widths of the group's frames. */
  readonly area: Float64Array;
}

/** Columns of the server's answer, widened to one type each. */
export interface ServerRows {
  readonly count: number;
  /** Row of the parent; -1 for the root. Parents precede children. */
  readonly parent: Int32Array;
  readonly cumulative: BigInt64Array;
  readonly flat: BigInt64Array;
  /** Cumulative values of a diff's base. */
  readonly base: BigInt64Array | undefined;
  readonly name: Uint32Array;
  readonly flags: Uint8Array;
  readonly file: Uint32Array;
  readonly binary: Uint32Array;
  readonly buildId: Uint32Array;
  readonly line: Uint32Array;
}

/** Order of siblings. */
export type SiblingOrder = 'name' | 'value';

/** The columns that depend on the order of siblings. */
export type LaidOutRows = Pick<
  Tree,
  | 'depthStart'
  | 'x'
  | 'width'
  | 'share'
  | 'parent'
  | 'firstChild'
  | 'childCount'
  | 'name'
  | 'flags'
  | 'cumulative'
  | 'flat'
  | 'base'
  | 'file'
  | 'binary'
  | 'buildId'
  | 'line'
>;

/**
 * Sorts siblings and computes positions without recursion, in linear time except for sorting by
 * value.
 *
 * `nameRank` orders the names. `total` is the value of the complete width, except in a diff.
 * Errors: RangeError if a parent does not precede its child.
 */
export function layOut(
  rows: ServerRows,
  order: SiblingOrder,
  nameRank: Uint32Array,
  total: bigint,
  baseFactor = 1,
): LaidOutRows {
  const { count, parent } = rows;
  for (let row = 1; row < count; row++) {
    if (parent[row] < 0 || parent[row] >= row) throw new RangeError(`row ${row} has no parent`);
  }
  const share = toShares(rows.cumulative, total);
  const width =
    rows.base === undefined ? share : nestedWidths(rows.cumulative, rows.base, parent, baseFactor);
  const sorted = order === 'name' ? sortByRank(rows.name, nameRank) : sortByWidth(width);
  const { childStart, children } = groupByParent(parent, sorted);
  const placed = breadthFirst(count, childStart, children);
  return place(rows, { share, width }, childStart, placed);
}

/**
 * Returns each value as a share of `total`. Reads the halves of each bigint, because converting
 * bigints one by one is slow.
 */
function toShares(values: BigInt64Array, total: bigint): Float64Array {
  const halves = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
  const shares = new Float64Array(values.length);
  const whole = Number(total);
  if (whole <= 0) return shares;
  for (let i = 0; i < shares.length; i++) {
    shares[i] = (halves[2 * i + 1] * 4_294_967_296 + halves[2 * i]) / whole;
  }
  return shares;
}

/**
 * Returns widths with enough space for all frames, including removed frames: the self value on the
 * larger side plus all widths below it, as a fraction of the root's width.
 */
function nestedWidths(
  compared: BigInt64Array,
  base: BigInt64Array,
  parent: Int32Array,
  baseFactor: number,
): Float64Array {
  const own = Float64Array.from(compared, Number);
  const ownBase = Float64Array.from(base, (value) => Number(value) * baseFactor);
  for (let row = 1; row < parent.length; row++) {
    own[parent[row]] -= Number(compared[row]);
    ownBase[parent[row]] -= Number(base[row]) * baseFactor;
  }
  const width = new Float64Array(parent.length);
  for (let row = parent.length - 1; row >= 0; row--) {
    width[row] += Math.max(own[row], ownBase[row], 0);
    if (row > 0) width[parent[row]] += width[row];
  }
  return width[0] > 0 ? width.map((value) => value / width[0]) : width;
}

/** Returns all rows by the rank of their name, using a counting sort. */
function sortByRank(name: Uint32Array, nameRank: Uint32Array): Uint32Array {
  const start = new Uint32Array(nameRank.length + 1);
  for (let row = 0; row < name.length; row++) start[nameRank[name[row]] + 1]++;
  for (let rank = 1; rank < start.length; rank++) start[rank] += start[rank - 1];
  const sorted = new Uint32Array(name.length);
  for (let row = 0; row < name.length; row++) sorted[start[nameRank[name[row]]]++] = row;
  return sorted;
}

function sortByWidth(width: Float64Array): Uint32Array {
  return Uint32Array.from(width.keys()).sort((a, b) => width[b] - width[a] || a - b);
}

/** Returns the children of each row in the order of `sorted`. */
function groupByParent(
  parent: Int32Array,
  sorted: Uint32Array,
): { readonly childStart: Uint32Array; readonly children: Uint32Array } {
  const count = parent.length;
  const childStart = new Uint32Array(count + 1);
  for (let row = 1; row < count; row++) childStart[parent[row] + 1]++;
  for (let row = 1; row <= count; row++) childStart[row] += childStart[row - 1];
  const next = childStart.slice(0, count);
  const children = new Uint32Array(Math.max(0, count - 1));
  for (let i = 0; i < count; i++) {
    const row = sorted[i];
    if (row !== 0) children[next[parent[row]]++] = row;
  }
  return { childStart, children };
}

/** Returns the server's rows in drawing order, breadth-first over sorted children. */
function breadthFirst(count: number, childStart: Uint32Array, children: Uint32Array): Uint32Array {
  const placed = new Uint32Array(count);
  let end = Math.min(1, count);
  for (let at = 0; at < end; at++) {
    const from = placed[at];
    for (let i = childStart[from]; i < childStart[from + 1]; i++) placed[end++] = children[i];
  }
  return placed;
}

function place(
  rows: ServerRows,
  { share, width: widths }: Pick<LaidOutRows, 'share' | 'width'>,
  childStart: Uint32Array,
  placed: Uint32Array,
): LaidOutRows {
  const { count } = rows;
  const x = new Float64Array(count);
  const width = new Float64Array(count);
  const parent = new Int32Array(count).fill(noRow);
  const firstChild = new Uint32Array(count);
  const childCount = new Uint32Array(count);
  const depths: number[] = [];
  let levelEnd = 0;
  let next = 1;
  for (let at = 0; at < count; at++) {
    if (at === levelEnd) {
      depths.push(at);
      levelEnd = next;
    }
    const from = placed[at];
    width[at] = widths[from];
    firstChild[at] = next;
    childCount[at] = childStart[from + 1] - childStart[from];
    let childX = x[at];
    for (let i = 0; i < childCount[at]; i++) {
      x[next] = childX;
      childX += widths[placed[next]];
      parent[next++] = at;
    }
  }
  return {
    depthStart: Uint32Array.from([...depths, count]),
    x,
    width,
    share: share === widths ? width : Float64Array.from(placed, (row) => share[row]),
    parent,
    firstChild,
    childCount,
    name: placed.map((row) => rows.name[row]),
    flags: Uint8Array.from(placed, (row) => rows.flags[row]),
    cumulative: gather64(rows.cumulative, placed),
    flat: gather64(rows.flat, placed),
    base: rows.base && gather64(rows.base, placed),
    file: placed.map((row) => rows.file[row]),
    binary: placed.map((row) => rows.binary[row]),
    buildId: placed.map((row) => rows.buildId[row]),
    line: placed.map((row) => rows.line[row]),
  };
}

function gather64(values: BigInt64Array, rows: Uint32Array): BigInt64Array {
  const gathered = new BigInt64Array(rows.length);
  for (let i = 0; i < rows.length; i++) gathered[i] = values[rows[i]];
  return gathered;
}

/** Returns the depth of a row by binary search in `depthStart`. */
export function findDepth(tree: Pick<Tree, 'depthStart'>, row: number): number {
  const { depthStart } = tree;
  let low = 0;
  let high = depthStart.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (depthStart[middle] <= row) low = middle;
    else high = middle;
  }
  return low;
}

/** Returns the number of depths, including the root. */
export function depthCount(tree: Pick<Tree, 'depthStart'>): number {
  return tree.depthStart.length - 1;
}

/** Returns the rows from the root to `row`, including both. */
export function pathTo(tree: Pick<Tree, 'parent'>, row: number): number[] {
  const path: number[] = [];
  for (let at = row; at !== noRow; at = tree.parent[at]) path.push(at);
  return path.reverse();
}
