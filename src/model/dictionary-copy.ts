// Copies of a dictionary that follow it: what another thread needs to read stacks.
import { ownedCopy, type Owned } from '../base/owned.ts';
import { grown, type ColumnArray } from './column.ts';
import type { Dictionary } from './dictionary.ts';

/** How far a copy is: rows of each table. */
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

/** Rows that a dictionary got since it was copied last, to be transferred to another thread. */
export interface DictionaryRows {
  readonly from: CopiedRows;
  readonly to: CopiedRows;
  /** Elements of each column of `columnsOf`, in its order. */
  readonly columns: readonly Owned<ColumnArray>[];
}

/** A column of a table. */
interface TableColumn {
  readonly elements: ColumnArray;
  /** What its elements are. */
  readonly rows: keyof CopiedRows;
  /** How many more elements than rows there are. */
  readonly more: number;
  /** Puts a longer column in its place. */
  readonly put: (elements: ColumnArray) => void;
}

/** How far a copy is that was not begun. */
export const nothingCopied: CopiedRows = {
  ...{ strings: 0, stringBytes: 0, functions: 0, mappings: 0 },
  ...{ locations: 0, lines: 0, nodes: 0, stacks: 0 },
};

/** The rows behind `from`; undefined when there are none. */
export function rowsSince(dictionary: Dictionary, from: CopiedRows): DictionaryRows | undefined {
  const to = rowsOf(dictionary);
  const names = Object.keys(to) as (keyof CopiedRows)[];
  if (names.every((name) => from[name] === to[name])) return undefined;
  const columns = columnsOf(dictionary).map(({ elements, rows, more }) =>
    ownedCopy(elements, from[rows], to[rows] + more),
  );
  return { from, to, columns };
}

/** Adds rows to a copy, which must be as far as they begin; nothing is interned in it ever. */
export function addRows(copy: Dictionary, { from, to, columns }: DictionaryRows): void {
  columnsOf(copy).forEach(({ elements, rows, more, put }, i) => {
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

function rowsOf(dictionary: Dictionary): CopiedRows {
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

/** All that reports read; hashes and sample labels are of use only where rows are added. */
function columnsOf(dictionary: Dictionary): TableColumn[] {
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
    ...{ elements: table[name], rows, more },
    put: (elements) => {
      table[name] = elements;
    },
  };
}
