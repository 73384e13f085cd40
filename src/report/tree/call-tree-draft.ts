// A tree of calls in the making: what it has beside the calls themselves, and how it ends.
import { markOutermost } from '../../model/call-trie.ts';
import { withRoom } from '../../model/column.ts';
import type { CallTree, TreeSources } from './call-tree.ts';
import type { ShownFrames } from './shown-frames.ts';

/** Columns by row, which may be longer than `length`; see CallTree. */
export type DraftCalls = Pick<CallTree, 'length' | 'parent' | 'key'>;

/** See CallTree for the columns. */
export class CallTreeDraft {
  flat = new BigInt64Array(0);
  /** Of a diff's base; empty without one. */
  baseFlat = new BigInt64Array(0);
  depthMax = 0;
  readonly labelRows = new Map<number, number>();
  /** Tree row and location of each node that rows were merged from. */
  sourceCount = 0;
  sourceRow = new Int32Array(0);
  sourceLocation = new Int32Array(0);
  /** Sources beside these, in columns of the dictionary. */
  readonly sourcesInPlace: TreeSources[] = [];

  readonly #isDiff: boolean;

  constructor(isDiff: boolean) {
    this.#isDiff = isDiff;
  }

  /** Makes room for the values of so many rows. */
  reserveValues(rowCount: number): void {
    this.flat = withRoom(this.flat, 0, rowCount);
    if (this.#isDiff) this.baseFlat = withRoom(this.baseFlat, 0, rowCount);
  }

  /** Makes room for so many more sources. */
  reserveSources(count: number): void {
    this.sourceRow = withRoom(this.sourceRow, this.sourceCount, count);
    this.sourceLocation = withRoom(this.sourceLocation, this.sourceCount, count);
  }

  /** The tree of calls that nobody else writes to any more. */
  finish({ length, parent, key }: DraftCalls, frames: ShownFrames): CallTree {
    const { flat, baseFlat, depthMax, labelRows } = this;
    const isDiff = this.#isDiff;
    const { sourceCount, sourceRow, sourceLocation, sourcesInPlace } = this;
    const cumulative = addUp(flat, parent, length);
    const base = isDiff
      ? { flat: baseFlat, cumulative: addUp(baseFlat, parent, length) }
      : undefined;
    const own = [parent, key, flat, cumulative, base?.flat, base?.cumulative];
    const touched = sourcesInPlace.map((sources) => sources.touched);
    const others = [sourceRow, sourceLocation, frames.lines, ...touched];
    return {
      ...{ length, parent, key, flat, cumulative, base, depthMax, labelRows },
      frames: frames.keys,
      startNanos: undefined,
      sources: [
        ...sourcesInPlace,
        {
          ...{ length: sourceCount, row: sourceRow, rowShift: 0, location: sourceLocation },
          ...{ touched: undefined, shownLines: frames.lines },
        },
      ],
      ownBytes: [...own, ...others].reduce((sum, column) => sum + (column?.byteLength ?? 0), 0),
      outermostRows: () => {
        const marks = new Uint8Array(length);
        markOutermost({ parent, key }, marks, 1, length);
        return marks;
      },
    };
  }
}

/** What every row has with all that it calls: parents precede children. */
export function addUp(flat: BigInt64Array, parent: Int32Array, length: number): BigInt64Array {
  const cumulative = flat.slice(0, length);
  for (let row = length - 1; row > 0; row -= 1) cumulative[parent[row]] += cumulative[row];
  return cumulative;
}
