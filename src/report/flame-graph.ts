// Flame graphs: a call tree trimmed to what is worth sending, row by row from the root.
import type { Dictionary } from '../model/dictionary.ts';
import type { StringTable } from '../model/string-table.ts';
import type { CallTree, StackGroup } from './call-tree.ts';
import { differs, FrameFacts } from './frame-facts.ts';
import { keepRows } from './trim.ts';
import type { KeptRows, TrimRules } from './trim.ts';

/** Marks a cell without a value in the columns of FlameGraph. */
export const noValue = -1;

/**
 * Rows from the root down, breadth first: row 0 is the root, the children of row r are rows
 * `childStart[r] .. childStart[r + 1]`, and rows of one depth lie together.
 *
 * Shape: all columns have `rowCount` elements, childStart one more. A cell is `noValue` where the
 * row has no such thing (the root, label rows) or where the frames merged into it disagree.
 * Strings are rows of `strings`.
 */
export interface FlameGraph {
  readonly rowCount: number;
  /** No stack was selected; the root is the only row and has no values. */
  readonly isEmpty: boolean;
  /** Deepest stack before trimming, the root counted. */
  readonly height: number;
  /** Sum of the cumulative values of the topmost nodes that were cut. */
  readonly trimmed: bigint;
  readonly strings: StringTable;

  readonly parent: Int32Array;
  readonly childStart: Int32Array;
  readonly depth: Int32Array;
  readonly cumulative: BigInt64Array;
  readonly flat: BigInt64Array;
  /** Where the row starts: its parent's start plus its kept elder siblings. */
  readonly valueOffset: BigInt64Array;

  /** 1 for a row that stands for label values, 0 for a frame. */
  readonly labelsOnly: Int8Array;
  readonly functionName: Int32Array;
  readonly systemName: Int32Array;
  readonly fileName: Int32Array;
  readonly startLine: Int32Array;
  readonly line: Int32Array;
  /** 1 for an inlined call. */
  readonly inlined: Int8Array;
  readonly mappingFile: Int32Array;
  readonly buildId: Int32Array;
  /** Whether the row has an address, and its words. */
  readonly hasAddress: Uint8Array;
  readonly addressLow: Uint32Array;
  readonly addressHigh: Uint32Array;
  readonly labels: readonly LabelColumn[];
}

/** A grouped label: rows under (and at) a label row have its value. */
export interface LabelColumn {
  readonly name: string;
  readonly values: readonly string[];
  /** Index into `values`, or `noValue`. */
  readonly index: Int32Array;
}

export interface FlameGraphOptions extends TrimRules {
  readonly labelNames: readonly string[];
  /** Shows the address of frames with symbols too; grouping by address needs it. */
  readonly showAddress: boolean;
}

/** Trims `tree` (made of `groups`) and describes what is left. */
export function buildFlameGraph(
  dictionary: Dictionary,
  tree: CallTree,
  groups: readonly StackGroup[],
  options: FlameGraphOptions,
): FlameGraph {
  const kept = keepRows(tree, options);
  const facts = new FrameFacts(dictionary, kept.length);
  facts.collect(tree.sources, tree.parent, kept.target);
  return {
    rowCount: kept.length,
    isEmpty: groups.every((group) => group.merged.stacks.length === 0),
    height: tree.depthMax + 1,
    trimmed: kept.trimmed,
    strings: dictionary.strings,
    ...valuesOf(tree, kept),
    ...describe(dictionary, kept, facts, options.showAddress),
    ...labelsOf(tree, kept, groups, options.labelNames),
  };
}

function valuesOf(
  tree: CallTree,
  { length, row, parent, childStart }: KeptRows,
): Pick<FlameGraph, 'parent' | 'childStart' | 'depth' | 'cumulative' | 'flat' | 'valueOffset'> {
  const depth = new Int32Array(length);
  const cumulative = new BigInt64Array(length);
  const flat = new BigInt64Array(length);
  const valueOffset = new BigInt64Array(length);
  for (let i = 0; i < length; i += 1) {
    cumulative[i] = tree.cumulative[row[i]];
    flat[i] = tree.flat[row[i]];
    if (i > 0) depth[i] = depth[parent[i]] + 1;
  }
  // The root spans what is left of it, so that the widths of its children add up.
  cumulative[0] = flat[0];
  for (let i = childStart[0]; i < childStart[1]; i += 1) cumulative[0] += cumulative[i];
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

type Description = Pick<
  FlameGraph,
  | 'functionName'
  | 'systemName'
  | 'fileName'
  | 'startLine'
  | 'line'
  | 'inlined'
  | 'mappingFile'
  | 'buildId'
  | 'hasAddress'
  | 'addressLow'
  | 'addressHigh'
>;

function describe(
  dictionary: Dictionary,
  kept: KeptRows,
  facts: FrameFacts,
  showAddress: boolean,
): Description {
  const { length } = kept;
  const column = (): Int32Array => new Int32Array(length).fill(noValue);
  const to = {
    functionName: column(),
    systemName: column(),
    fileName: column(),
    startLine: column(),
    line: column(),
    inlined: new Int8Array(length).fill(noValue),
    mappingFile: column(),
    buildId: column(),
    hasAddress: new Uint8Array(length),
    addressLow: new Uint32Array(length),
    addressHigh: new Uint32Array(length),
  };
  const { locations, mappings } = dictionary;
  for (let i = 1; i < length; i += 1) {
    const location = facts.location[i];
    if (location === 0) continue;
    const line = facts.line[i];
    const different = facts.differs[i];
    const mapping = locations.mapping[location];
    if ((different & differs.mappingFile) === 0) to.mappingFile[i] = mappings.fileName[mapping];
    if ((different & differs.buildId) === 0) to.buildId[i] = mappings.buildId[mapping];
    if (line !== -1) describeLine(dictionary, to, i, line, different);
    if ((different & differs.inlined) === 0) to.inlined[i] = facts.isInlined(i) ? 1 : 0;
    // As in Parca, a frame that came with symbols has address 0.
    const isBare = line === -1 || showAddress;
    if (isBare && (different & differs.address) !== 0) continue;
    to.hasAddress[i] = 1;
    if (!isBare) continue;
    to.addressLow[i] = locations.addressLow[location];
    to.addressHigh[i] = locations.addressHigh[location];
  }
  emptyToNoValue(to.mappingFile);
  emptyToNoValue(to.buildId);
  emptyToNoValue(to.systemName);
  emptyToNoValue(to.fileName);
  return to;
}

function describeLine(
  { locations, functions }: Dictionary,
  to: Description,
  i: number,
  line: number,
  different: number,
): void {
  const row = locations.lineFunction[line];
  const name = functions.name[row];
  to.functionName[i] = name === 0 ? functions.systemName[row] : name;
  if ((different & differs.line) === 0) to.line[i] = locations.lineNumber[line];
  if ((different & differs.startLine) === 0) to.startLine[i] = functions.startLine[row];
  if ((different & differs.systemName) === 0) to.systemName[i] = functions.systemName[row];
  if ((different & differs.fileName) === 0) to.fileName[i] = functions.fileName[row];
}

/** An empty string says no more than a missing one. */
function emptyToNoValue(column: Int32Array): void {
  for (let i = 0; i < column.length; i += 1) if (column[i] === 0) column[i] = noValue;
}

function labelsOf(
  tree: CallTree,
  { length, row, parent }: KeptRows,
  groups: readonly StackGroup[],
  names: readonly string[],
): Pick<FlameGraph, 'labels' | 'labelsOnly'> {
  const labelsOnly = new Int8Array(length);
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
