// From the columns that a builder has filled to a tree of calls.
import { markOutermost } from '../model/call-node-table.ts';
import type { CallTree } from './call-tree.ts';
import type { ShownFrames } from './shown-frames.ts';

/** Columns by row; they may be longer than `length`, or `sourceCount`. See CallTree. */
export interface BuiltColumns {
  readonly length: number;
  readonly parent: Int32Array;
  readonly key: Uint32Array;
  readonly flat: BigInt64Array;
  /** Of a diff. */
  readonly baseFlat: BigInt64Array | undefined;
  readonly depthMax: number;
  readonly labelRows: ReadonlyMap<number, number>;
  /** Tree row and location of each node that rows were merged from. */
  readonly sourceCount: number;
  readonly sourceRow: Int32Array;
  readonly sourceLocation: Int32Array;
}

/** The tree of columns that nobody else writes to any more. */
export function treeOfColumns(columns: BuiltColumns, frames: ShownFrames): CallTree {
  const { length, parent, key, flat, baseFlat, depthMax, labelRows } = columns;
  const { sourceCount, sourceRow, sourceLocation } = columns;
  const cumulative = addUp(flat, parent, length);
  const base = baseFlat && { flat: baseFlat, cumulative: addUp(baseFlat, parent, length) };
  const own = [parent, key, flat, cumulative, base?.flat, base?.cumulative];
  const others = [sourceRow, sourceLocation, frames.lines];
  return {
    ...{ length, parent, key, flat, cumulative, base, depthMax, labelRows },
    frames: frames.keys,
    startNanos: undefined,
    sources: {
      ...{ length: sourceCount, row: sourceRow, location: sourceLocation },
      ...{ touched: undefined, shownLines: frames.lines },
    },
    ownBytes: [...own, ...others].reduce((sum, column) => sum + (column?.byteLength ?? 0), 0),
    outermostRows: () => {
      const marks = new Uint8Array(length);
      markOutermost({ parent, key }, marks, 1, length);
      return marks;
    },
  };
}

/** What every row has with all that it calls: parents precede children. */
export function addUp(flat: BigInt64Array, parent: Int32Array, length: number): BigInt64Array {
  const cumulative = flat.slice(0, length);
  for (let row = length - 1; row > 0; row -= 1) cumulative[parent[row]] += cumulative[row];
  return cumulative;
}
