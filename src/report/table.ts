// Table of functions: values by function name, with callers and callees.
import type { Dictionary } from '../model/dictionary.ts';
import type { StringTable } from '../model/string-table.ts';
import type { BaseRatio } from './base-ratio.ts';
import { collectEdges } from './call-edges.ts';
import { takeFirst, slotsByFlat } from './top.ts';
import type { CallTree } from './tree/call-tree.ts';
import { describeFrames, type FrameColumns } from './tree/describe-frames.ts';
import { FrameFacts } from './tree/frame-facts.ts';
import { rankKeys } from './tree/frame-keys.ts';
import { FrameSums } from './frame-sums.ts';

/**
 * One row per function name (for a location without lines, one row per location), ordered by name.
 * Nothing is trimmed; a recursive function counts once in `cumulative`.
 *
 * Shape: columns have `rowCount` elements.
 */
export interface Table extends FrameColumns {
  readonly rowCount: number;
  readonly strings: StringTable;
  readonly flat: BigInt64Array;
  readonly cumulative: BigInt64Array;
  /** Flat and cumulative values minus the base; undefined without a base. */
  readonly flatDiff: BigInt64Array | undefined;
  readonly cumulativeDiff: BigInt64Array | undefined;
  readonly callers: RowLists;
  readonly callees: RowLists;
}

/** List i is `rows[starts[i] .. starts[i + 1])`, ascending. */
export interface RowLists {
  readonly starts: Int32Array;
  readonly rows: Int32Array;
}

/**
 * Sums a tree by function name; the tree's keys must be calls of Dictionary.callNodes. If `limit`
 * is not 0, keeps only the rows of a Top with that limit; callers and callees are then the nearest
 * kept rows.
 */
export function buildTable(
  dictionary: Dictionary,
  tree: CallTree,
  ratio: BaseRatio,
  limit: number,
): Table {
  const sums = new FrameSums(tree);
  const slots = shownSlots(tree, sums, limit);
  const rowCount = slots.length;
  // Row of each slot; -1 = the slot has no row.
  const rowOfSlot = new Int32Array(sums.length).fill(-1);
  const flat = new BigInt64Array(rowCount);
  const cumulative = new BigInt64Array(rowCount);
  slots.forEach((slot, row) => {
    rowOfSlot[slot] = row;
    flat[row] = sums.flat[slot];
    cumulative[row] = sums.cumulative[slot];
  });
  const target = sums.target.map((slot) => (slot === 0 ? 0 : rowOfSlot[slot - 1] + 1));
  const facts = new FrameFacts(dictionary, rowCount);
  facts.collect(tree.sources, tree.parent, target, true);
  const { length, caller, callee } = collectEdges(tree, target);
  const callers = caller.subarray(0, length);
  const callees = callee.subarray(0, length);
  return {
    rowCount,
    strings: dictionary.strings,
    flat,
    cumulative,
    flatDiff: sums.subtractBase('flat', slots, ratio),
    cumulativeDiff: sums.subtractBase('cumulative', slots, ratio),
    ...describeFrames(dictionary, facts, false),
    callers: makeLists(callees, callers, rowCount),
    callees: makeLists(callers, callees, rowCount),
  };
}

/** Returns the numbers of the frames with rows, in the order of names. */
function shownSlots(tree: CallTree, sums: FrameSums, limit: number): Uint32Array {
  const ranks = rankKeys(sums.keys.subarray(0, sums.length), tree.frames);
  const slots = new Uint32Array(sums.length);
  for (let slot = 0; slot < sums.length; slot += 1) slots[ranks[slot]] = slot;
  if (limit === 0) return slots;
  const shown = new Set(takeFirst(slotsByFlat(tree, sums), limit));
  return slots.filter((slot) => shown.has(slot));
}

/** Lists the `members` of each row; `owners` has the row of each pair. */
function makeLists(owners: Int32Array, members: Int32Array, rowCount: number): RowLists {
  const starts = new Int32Array(rowCount + 1);
  for (let i = 0; i < owners.length; i += 1) starts[owners[i] + 1] += 1;
  for (let row = 0; row < rowCount; row += 1) starts[row + 1] += starts[row];
  const next = starts.slice(0, rowCount);
  const rows = new Int32Array(owners.length);
  for (let i = 0; i < owners.length; i += 1) {
    rows[next[owners[i]]] = members[i];
    next[owners[i]] += 1;
  }
  for (let row = 0; row < rowCount; row += 1) rows.subarray(starts[row], starts[row + 1]).sort();
  return { starts, rows };
}
