// Flame graphs: a trimmed call tree in rows from the root down.
import { type ColumnMemory, ownMemory } from '../model/column-memory.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { StringTable } from '../model/string-table.ts';
import { type BaseRatio, subtractBase } from './base-ratio.ts';
import { pickValues } from './frame-sums.ts';
import { type BaseValues, type CallTree, linkChildren, type StackGroup } from './tree/call-tree.ts';
import { describeFrames, type FrameColumns, noValue } from './tree/describe-frames.ts';
import { FrameFacts } from './tree/frame-facts.ts';
import { keepRows, keepRowsBelow, type KeptRows, type TrimRules } from './tree/trim.ts';
import { rowsOfPath } from './tree/zoom-path.ts';

/**
 * Rows from the root down, breadth first: row 0 is the root, the children of row r are rows
 * `childStart[r] .. childStart[r + 1]`, and rows of the same depth are adjacent.
 *
 * Shape: columns have `rowCount` elements, except that `childStart` has one more and the columns in
 * `frames` have one for each frame. A cell is `noValue` if the row has no such fact (root, label
 * rows) or if the frames that are merged into the row differ in it. Strings are indexes into
 * `strings`.
 */
export interface FlameGraph {
  readonly rowCount: number;
  /** True if no stack was selected; the root is then the only row, and has no values. */
  readonly isEmpty: boolean;
  /** Depth of the deepest stack before trimming, including the root. */
  readonly height: number;
  /** Sum of the cumulative values of the topmost trimmed nodes. */
  readonly trimmed: bigint;
  /**
   * Number of frames of the zoom path that exist. Rows 1 .. zoomedFrames are these frames, which
   * have no siblings. Only rows below the last of them are trimmed.
   */
  readonly zoomedFrames: number;
  readonly strings: StringTable;

  /** Facts about each frame, by frame number. */
  readonly frames: FrameColumns;
  /** Frame number of each row: rows with the same facts share a frame. */
  readonly frame: Int32Array;
  readonly parent: Int32Array;
  readonly childStart: Int32Array;
  readonly depth: Int32Array;
  readonly cumulative: BigInt64Array;
  readonly flat: BigInt64Array;
  /** `cumulative` minus the base; undefined without a base. */
  readonly diff: BigInt64Array | undefined;
  /** Unscaled flat values of a diff's base; only with `rowsMax`. */
  readonly baseFlat: BigInt64Array | undefined;
  /** Start of each row of a chart, in nanoseconds since the epoch; 0 = none. */
  readonly startNanos: BigInt64Array | undefined;
  /** Duration of each row of a chart; 0 if unknown. */
  readonly lengthNanos: BigInt64Array | undefined;
  /** Start of each row: the start of its parent plus the values of the siblings before it. */
  readonly valueOffset: BigInt64Array;

  /** 1 for a row of label values, 0 for a frame. */
  readonly labelsOnly: Int8Array;
  readonly labels: readonly LabelColumn[];
}

/** A grouped label, with its value for each label row and the rows below it. */
export interface LabelColumn {
  readonly name: string;
  readonly values: readonly string[];
  /** Index into `values`, or `noValue`. */
  readonly index: Int32Array;
}

export interface FlameGraphOptions extends TrimRules {
  readonly labelNames: readonly string[];
  /** Names on the path to the frame to show, see `rowsOfPath`; empty = no zoom. */
  readonly zoomPath: readonly string[];
  /** True to show also the addresses of frames with symbols, as in a grouping by address. */
  readonly showAddress: boolean;
  /** Factor of a diff's base. */
  readonly ratio: BaseRatio;
}

/**
 * Trims `tree`, which was built from `groups`, and describes the remaining rows. `marks` must have
 * a zero for each row, and is all zeros again afterwards. The graph is valid until `memory` is
 * reused.
 */
export function buildFlameGraph(
  dictionary: Dictionary,
  tree: CallTree,
  groups: readonly StackGroup[],
  options: FlameGraphOptions,
  marks: Int32Array = new Int32Array(tree.length),
  memory: ColumnMemory = ownMemory,
): FlameGraph {
  const { path, kept } = rowsToShow(tree, groups, options, marks, memory);
  const facts = new FrameFacts(dictionary, kept.length, memory);
  facts.collect(tree.sources, tree.parent, marks);
  for (let i = 0; i < kept.length; i += 1) marks[kept.row[i]] = 0;
  // Few rows are distinct: a fleet's 568,000 rows have 60,000 distinct facts, and 20,000 rows of
  // one service have 4,400.
  const { distinct, numbers: frame } = facts.numbered(kept.place, memory);
  return {
    rowCount: kept.length,
    isEmpty: groups.every(
      ({ merged, base }) => merged.stacks.length + (base?.stacks.length ?? 0) === 0,
    ),
    height: tree.depthMax + 1,
    trimmed: kept.trimmed,
    zoomedFrames: path.length - 1,
    strings: dictionary.strings,
    ...readValues(tree, kept, memory),
    startNanos: tree.startNanos && pickValues(tree.startNanos, kept.row),
    lengthNanos: tree.lengthNanos && pickValues(tree.lengthNanos, kept.row),
    diff: tree.base && readDiff(tree, tree.base, kept, options.ratio, memory),
    baseFlat:
      options.rowsMax === undefined ? undefined : tree.base && pickValues(tree.base.flat, kept.row),
    frames: describeFrames(dictionary, distinct, options.showAddress, memory),
    frame,
    ...readLabels(tree, kept, groups, options.labelNames, memory),
  };
}

/** Marks the shown rows and the rows on the path to them, like keepRows. */
function rowsToShow(
  tree: CallTree,
  groups: readonly StackGroup[],
  options: FlameGraphOptions,
  marks: Int32Array,
  memory: ColumnMemory,
): { readonly path: readonly number[]; readonly kept: KeptRows } {
  const { labelNames, zoomPath } = options;
  if (zoomPath.length === 0) return { path: [0], kept: keepRows(tree, options, marks, memory) };
  const links = linkChildren(tree);
  const path = rowsOfPath(tree, groups, labelNames, zoomPath, links);
  return { path, kept: keepRowsBelow(tree, options, path, links, marks, memory) };
}

function readValues(
  tree: CallTree,
  { length, row, parent, childStart, depth }: KeptRows,
  memory: ColumnMemory,
): Pick<FlameGraph, 'parent' | 'childStart' | 'depth' | 'cumulative' | 'flat' | 'valueOffset'> {
  const cumulative = keptSums(tree, row, childStart, memory);
  const flat = memory.take(BigInt64Array, length);
  const valueOffset = memory.take(BigInt64Array, length);
  for (let i = 0; i < length; i += 1) flat[i] = tree.flat[row[i]];
  for (let i = 1; i < length; i += 1) {
    const isEldest = i === 1 || parent[i] !== parent[i - 1];
    if (isEldest) {
      valueOffset[i] = valueOffset[parent[i]];
    } else {
      valueOffset[i] = valueOffset[i - 1];
      valueOffset[i] += cumulative[i - 1];
    }
  }
  return { parent, childStart, depth, cumulative, flat, valueOffset };
}

function readDiff(
  tree: CallTree,
  base: BaseValues,
  { row, childStart }: KeptRows,
  ratio: BaseRatio,
  memory: ColumnMemory,
): BigInt64Array {
  const [own, other] = [tree, base].map((side) => keptSums(side, row, childStart, memory));
  return subtractBase(own, other, ratio);
}

/** Returns the cumulative values of kept rows; for the root, the sum of its kept children. */
function keptSums(
  { flat, cumulative }: BaseValues,
  row: Int32Array,
  childStart: Int32Array,
  memory: ColumnMemory,
): BigInt64Array {
  const sums = memory.take(BigInt64Array, row.length);
  for (let i = 0; i < row.length; i += 1) sums[i] = cumulative[row[i]];
  sums[0] = flat[0];
  for (let i = childStart[0]; i < childStart[1]; i += 1) sums[0] += sums[i];
  return sums;
}

function readLabels(
  tree: CallTree,
  { length, row, parent }: KeptRows,
  groups: readonly StackGroup[],
  names: readonly string[],
  memory: ColumnMemory,
): Pick<FlameGraph, 'labels' | 'labelsOnly'> {
  const labelsOnly = memory.take(Int8Array, length);
  labelsOnly[0] = noValue;
  if (names.length === 0) return { labelsOnly, labels: [] };
  const group = new Int32Array(length).fill(noValue);
  for (let i = 1; i < length; i += 1) {
    const own = parent[i] === 0 ? tree.labelRows.get(row[i]) : undefined;
    group[i] = own ?? group[parent[i]];
    if (own !== undefined) labelsOnly[i] = 1;
  }
  const labels = names.map((name, at) => labelColumn(name, at, group, groups));
  return { labelsOnly, labels };
}

function labelColumn(
  name: string,
  at: number,
  group: Int32Array,
  groups: readonly StackGroup[],
): LabelColumn {
  const values = [...new Set(groups.map(({ labelValues }) => labelValues[at]))].filter(Boolean);
  const positions = new Map(values.map((value, i) => [value, i]));
  const ofGroup = groups.map(({ labelValues }) => positions.get(labelValues[at]) ?? noValue);
  return { name, values, index: group.map((g) => (g === noValue ? noValue : ofGroup[g])) };
}
