// Top table: values by function name, over all callers.
import { numberAt, asWords } from '../base/int64.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { BaseRatio } from './base-ratio.ts';
import { type FlatPart, sumFlatParts } from './flat-parts.ts';
import type { CallTree, StackGroup } from './tree/call-tree.ts';
import { differs, FrameFacts } from './tree/frame-facts.ts';
import { rankKeys } from './tree/frame-keys.ts';
import type { ShownFrames } from './tree/shown-frames.ts';
import { FrameSums, pickValues } from './frame-sums.ts';

/**
 * One row per function name (for a location without lines, one row per location), by descending
 * flat value and then by name.
 *
 * A recursive function counts once in `cumulative`; inlined functions are treated like other
 * functions. Columns with facts about frames are 0 if the frames of a row differ.
 */
export interface Top {
  readonly rowCount: number;
  /** Number of functions, including functions without a row. */
  readonly functionCount: number;
  readonly dictionary: Dictionary;
  readonly flat: BigInt64Array;
  readonly cumulative: BigInt64Array;
  /** Flat and cumulative values minus the base; undefined without a base. */
  readonly flatDiff: BigInt64Array | undefined;
  readonly cumulativeDiff: BigInt64Array | undefined;
  /** StringIndex of the function's name; 0 for a row without lines. */
  readonly name: Int32Array;
  /** LocationIndex. */
  readonly location: Int32Array;
  /** MappingIndex. */
  readonly mapping: Int32Array;
  /** FunctionIndex. */
  readonly function: Int32Array;
  /** Line in the source file. */
  readonly line: Int32Array;
  /** 1 for each row whose frames are in several files or binaries. */
  readonly isMixed: Uint8Array;
  /** Flat values of mixed rows by file and binary; undefined if they were not requested. */
  readonly parts?: ReadonlyMap<number, readonly FlatPart[]>;
}

/** Functions to list: the largest by some measure. */
export interface TopLimit {
  readonly count: number;
  readonly by: 'flat' | 'cumulative';
}

/**
 * Sums a tree by function name; the tree's keys must be calls of Dictionary.callNodes. Keeps the
 * first `limit` rows (0 = all), and of these only the largest by `listed`.
 */
export function buildTop(
  dictionary: Dictionary,
  tree: CallTree,
  ratio: BaseRatio,
  limit: number,
  listed?: TopLimit,
): Top {
  const sums = new FrameSums(tree);
  const all = takeFirst(slotsByFlat(tree, sums), limit);
  const order = listed === undefined ? all : selectLargest(all, sums, listed);
  return { ...describeTop(dictionary, tree, sums, order, ratio), functionCount: all.length };
}

/** Returns the largest slots; `slots` must be in the order of flat values. */
function selectLargest(slots: Uint32Array, sums: FrameSums, { count, by }: TopLimit): Uint32Array {
  if (by === 'flat') return slots.subarray(0, count);
  const { cumulative } = sums;
  const order = slots.slice().sort((a, b) => {
    return cumulative[a] === cumulative[b] ? 0 : cumulative[a] > cumulative[b] ? -1 : 1;
  });
  return order.subarray(0, count);
}

/** Makes a table of the frames in `order`. */
export function describeTop(
  dictionary: Dictionary,
  tree: CallTree,
  sums: FrameSums,
  order: Uint32Array,
  ratio: BaseRatio,
): Top {
  const facts = new FrameFacts(dictionary, sums.length);
  facts.collect(tree.sources, tree.parent, rowTargets(sums, order), true);
  // Int32Array.from with a function takes ten times as long.
  const pick = (of: (slot: number) => number): Int32Array => {
    const column = new Int32Array(order.length);
    for (let i = 0; i < order.length; i += 1) column[i] = of(order[i]);
    return column;
  };
  const unlessDiffers = (slot: number, bit: number, value: number): number =>
    (facts.differs[slot] & bit) === 0 ? value : 0;
  const { locations } = dictionary;
  const lineFact = (slot: number, bit: number, column: Int32Array): number => {
    const line = facts.line[slot];
    return line === -1 ? 0 : unlessDiffers(slot, bit, column[line]);
  };
  return {
    rowCount: order.length,
    functionCount: order.length,
    dictionary,
    flat: pickValues(sums.flat, order),
    cumulative: pickValues(sums.cumulative, order),
    flatDiff: sums.subtractBase('flat', order, ratio),
    cumulativeDiff: sums.subtractBase('cumulative', order, ratio),
    name: pick((slot) => nameOfKey(sums.keys[slot])),
    location: pick((slot) => unlessDiffers(slot, differs.location, facts.location[slot])),
    mapping: pick((slot) =>
      unlessDiffers(slot, differs.mapping, locations.mapping[facts.location[slot]]),
    ),
    function: pick((slot) => lineFact(slot, differs.function, locations.lineFunction)),
    line: pick((slot) => lineFact(slot, differs.line, locations.lineNumber)),
    isMixed: Uint8Array.from(order, (slot) =>
      (facts.differs[slot] & (differs.fileName | differs.mappingFile)) === 0 ? 0 : 1,
    ),
  };
}

/** Adds the flat values of mixed rows by file and binary; `frames` are the frames of the tree. */
export function withParts(top: Top, groups: readonly StackGroup[], frames: ShownFrames): Top {
  // Mixed rows have a name, because a row without lines has one location.
  const rows = new Map<number, number>();
  for (let row = 0; row < top.rowCount; row += 1) {
    if (top.isMixed[row] === 1) rows.set(top.name[row] * 2, row);
  }
  const found = sumFlatParts(top.dictionary, groups, frames, rows.keys());
  return { ...top, parts: new Map(Array.from(rows, ([key, row]) => [row, found.get(key) ?? []])) };
}

/** Returns the target of each tree row; 0 for frames that are not listed. */
function rowTargets({ target, length }: FrameSums, order: Uint32Array): Int32Array {
  if (order.length === length) return target;
  const isListed = new Uint8Array(length + 1);
  for (let i = 0; i < order.length; i += 1) isListed[order[i] + 1] = 1;
  return target.map((slot) => (isListed[slot] === 1 ? slot : 0));
}

/** Returns the first `limit` elements; 0 = all elements. */
export function takeFirst(order: Uint32Array, limit: number): Uint32Array {
  return limit === 0 ? order : order.subarray(0, limit);
}

function nameOfKey(key: number): number {
  return key % 2 === 0 ? key / 2 : 0;
}

/** Returns the frames with a value, by descending flat value, then in the order of frames. */
export function slotsByFlat(tree: CallTree, sums: FrameSums): Uint32Array {
  const { keys, length } = sums;
  const words = asWords(sums.flat);
  const flat = new Float64Array(length);
  const slots = new Uint32Array(length);
  let [count, below] = [0, 0];
  for (const slot of slotsByRank(rankKeys(keys.subarray(0, length), tree.frames))) {
    flat[slot] = numberAt(words, slot);
    if (!sums.hasValue(slot)) continue;
    slots[count] = slot;
    count += 1;
    if (flat[slot] < 0) below += 1;
  }
  // Only functions with a flat value are sorted: most have none, and are already in order.
  const shown = slots.subarray(0, count);
  const others = shown.filter((slot) => flat[slot] !== 0);
  const zeros = shown.filter((slot) => flat[slot] === 0);
  // The sort is stable: equal values keep their order.
  others.sort((a, b) => {
    if (flat[a] !== flat[b]) return flat[b] - flat[a];
    // Different values above 2^53 may be equal as doubles.
    return sums.flat[a] === sums.flat[b] ? 0 : sums.flat[a] > sums.flat[b] ? -1 : 1;
  });
  const aboveCount = others.length - below;
  shown.set(others.subarray(0, aboveCount));
  shown.set(zeros, aboveCount);
  shown.set(others.subarray(aboveCount), aboveCount + zeros.length);
  return shown;
}

/** Returns the slots by rank; slots with equal rank keep their order. */
function slotsByRank(ranks: Uint32Array): Uint32Array {
  const starts = new Uint32Array(ranks.length + 1);
  for (let slot = 0; slot < ranks.length; slot += 1) starts[ranks[slot] + 1] += 1;
  for (let rank = 1; rank < starts.length; rank += 1) starts[rank] += starts[rank - 1];
  const slots = new Uint32Array(ranks.length);
  for (let slot = 0; slot < ranks.length; slot += 1) {
    slots[starts[ranks[slot]]] = slot;
    starts[ranks[slot]] += 1;
  }
  return slots;
}
