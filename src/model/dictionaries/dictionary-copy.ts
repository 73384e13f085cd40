// Copies a dictionary to other threads. The copies are extended as the dictionary grows.
import { ownedCopy, type Owned } from '../../base/owned.ts';
import type { ColumnArray } from '../column-memory.ts';
import { grown } from '../column.ts';
import type { Dictionary } from '../dictionary.ts';

/** Number of rows of each table that a copy has. */
export interface CopiedRows {
  readonly strings: number;
  readonly stringBytes: number;
  readonly functions: number;
  readonly mappings: number;
  readonly locations: number;
  readonly lines: number;
  readonly nodes: number;
  readonly stacks: number;
}

/** New rows of a dictionary since it was last copied, to be transferred to another thread. */
export interface DictionaryRows {
  readonly from: CopiedRows;
  readonly to: CopiedRows;
  /** Elements of each column, in the order of `listColumns`. */
  readonly columns: readonly Owned<ColumnArray>[];
}

/** Access to a column of a table. */
interface TableColumn {
  readonly elements: ColumnArray;
  /** Table whose rows the elements belong to. */
  readonly rows: keyof CopiedRows;
  /** Number by which elements exceed rows. */
  readonly more: number;
  /** Replaces the column with a longer one. */
  readonly put: (elements: ColumnArray) => void;
}

/** Row counts of an empty copy. */
export const nothingCopied: CopiedRows = {
  strings: 0,
  stringBytes: 0,
  functions: 0,
  mappings: 0,
  locations: 0,
  lines: 0,
  nodes: 0,
  stacks: 0,
};

/** Returns the rows after `from`; undefined when there are none. */
export function rowsSince(dictionary: Dictionary, from: CopiedRows): DictionaryRows | undefined {
  const to = countRows(dictionary);
  const names = Object.keys(to) as (keyof CopiedRows)[];
  if (names.every((name) => from[name] === to[name])) return undefined;
  const columns = listColumns(dictionary).map(({ elements, rows, more }) =>
    ownedCopy(elements, from[rows], to[rows] + more),
  );
  return { from, to, columns };
}

/** Adds rows to a copy that already has all earlier rows. No rows are interned in a copy. */
export function addRows(copy: Dictionary, { from, to, columns }: DictionaryRows): void {
  listColumns(copy).forEach(({ elements, rows, more, put }, i) => {
    const longer = grown(elements, to[rows] + more);
    (longer as Uint8Array).set(columns[i] as Uint8Array, from[rows]);
    put(longer);
  });
  copy.strings.length = to.strings;
  copy.functions.length = to.functions;
  copy.mappings.length = to.mappings;
  copy.locations.length = to.locations;
  copy.stacks.nodeCount = to.nodes;
  copy.stacks.length = to.stacks;
}

function countRows(dictionary: Dictionary): CopiedRows {
  const { strings, functions, mappings, locations, stacks } = dictionary;
  return {
    strings: strings.length,
    stringBytes: strings.starts[strings.length],
    functions: functions.length,
    mappings: mappings.length,
    locations: locations.length,
    lines: locations.lineCount(),
    nodes: stacks.nodeCount,
    stacks: stacks.length,
  };
}

/** Returns the columns that reports read. Copies do not have hashes and sample labels. */
function listColumns(dictionary: Dictionary): TableColumn[] {
  const { strings, functions, mappings, locations, stacks } = dictionary;
  return [
    column(strings, 'arena', 'stringBytes'),
    column(strings, 'starts', 'strings', 1),
    ...(['name', 'systemName', 'fileName', 'startLine'] as const).map((name) =>
      column(functions, name, 'functions'),
    ),
    ...(['startLow', 'startHigh', 'limitLow', 'limitHigh'] as const).map((name) =>
      column(mappings, name, 'mappings'),
    ),
    ...(['offsetLow', 'offsetHigh', 'fileName', 'buildId'] as const).map((name) =>
      column(mappings, name, 'mappings'),
    ),
    ...(['addressLow', 'addressHigh', 'mapping'] as const).map((name) =>
      column(locations, name, 'locations'),
    ),
    column(locations, 'lineStart', 'locations', 1),
    ...(['lineFunction', 'lineNumber', 'lineColumn'] as const).map((name) =>
      column(locations, name, 'lines'),
    ),
    ...(['nodeParent', 'nodeLocation'] as const).map((name) => column(stacks, name, 'nodes')),
    column(stacks, 'leaf', 'stacks'),
  ];
}

function column<K extends string>(
  table: Record<K, ColumnArray>,
  name: K,
  rows: keyof CopiedRows,
  more = 0,
): TableColumn {
  return {
    elements: table[name],
    rows,
    more,
    put: (elements) => {
      table[name] = elements;
    },
  };
}
