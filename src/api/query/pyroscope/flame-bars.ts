// Flame graphs as levels of bars, the form of Pyroscope's answers.
import { baseName } from '../../../model/file-path.ts';
import type { StringIndex } from '../../../model/rows.ts';
import { nameOfAddress, unknownName } from '../../../formats/frame-names.ts';
import type { FlameGraph } from '../../../report/flame-graph.ts';

/** Bars from the root down, those of a level from left to right. */
export interface FlameBars {
  readonly names: readonly string[];
  /**
   * Numbers of each bar: distance from the end of the bar before it, total, self, name. In a diff:
   * distance, total and self on the left, the same on the right, name.
   */
  readonly levels: readonly BigInt64Array[];
  readonly maxSelf: bigint;
}

/** Totals of a graph: the compared side is the right one. */
export interface BarTotals {
  readonly total: bigint;
  /** Total of the base, in a diff. */
  readonly base?: bigint | undefined;
}

/** Name of a bar for what was cut below its parent. */
const cutName = 'other';

/** Values of one side, by row. */
interface Side {
  readonly total: BigInt64Array;
  readonly self: BigInt64Array;
  /** Start of each row's bar. */
  readonly start: BigInt64Array;
}

/**
 * Places the bars. Values of frames that were cut from the graph become one bar of each parent, so
 * that the parent's own value and its children add up to its total.
 */
export function placeBars(graph: FlameGraph, { total, base }: BarTotals): FlameBars {
  const { rowCount, childStart, depth } = graph;
  const right = toSide(graph.cumulative, graph.flat, total);
  const sides = base === undefined ? [right] : [toBaseSide(graph, base), right];
  const names = new BarNames(graph);
  const levels = new Levels(graph, sides);
  const nameCut = (): number => names.index(cutName);
  levels.add(0, 0, 0);
  for (let row = 0; row < rowCount; row += 1) {
    const below = depth[row] + 1;
    levels.open(row);
    for (let child = childStart[row]; child < childStart[row + 1]; child += 1) {
      levels.addChild(below, child, names.of(child));
    }
    levels.closeWith(below, nameCut);
  }
  return { names: names.all, levels: levels.finish(), maxSelf: levels.maxSelf };
}

function toSide(cumulative: BigInt64Array, flat: BigInt64Array, total: bigint): Side {
  const totals = cumulative.slice();
  totals[0] = total;
  return { total: totals, self: flat, start: new BigInt64Array(totals.length) };
}

/** Returns the values of the base of a diff whose base is not scaled. */
function toBaseSide({ cumulative, diff, baseFlat }: FlameGraph, total: bigint): Side {
  const totals = cumulative.slice();
  if (diff !== undefined) for (let row = 0; row < totals.length; row += 1) totals[row] -= diff[row];
  const self = baseFlat ?? new BigInt64Array(totals.length);
  return toSide(totals, self, total);
}

/** The names of bars, each once. */
class BarNames {
  readonly all: string[] = ['total'];
  readonly #indexes = new Map<string, number>();
  readonly #graph: FlameGraph;
  /** Index of the name of each frame; 0 = not named yet. */
  readonly #ofFrames: Int32Array;
  /** Index of each function's name: frames differ by line, too. */
  readonly #ofFunctions = new Map<number, number>();

  constructor(graph: FlameGraph) {
    this.#graph = graph;
    this.#ofFrames = new Int32Array(graph.frames.functionName.length);
  }

  /** Returns the index of a row's name. */
  of(row: number): number {
    const frame = this.#graph.frame[row];
    if (frame < 0) return this.index(unknownName);
    if (this.#ofFrames[frame] === 0) this.#ofFrames[frame] = this.#addFrame(frame);
    return this.#ofFrames[frame];
  }

  #addFrame(frame: number): number {
    const name = this.#graph.frames.functionName[frame];
    if (name <= 0) return this.index(this.#addressName(frame));
    const known = this.#ofFunctions.get(name);
    if (known !== undefined) return known;
    const index = this.index(this.#graph.strings.text(name as StringIndex));
    this.#ofFunctions.set(name, index);
    return index;
  }

  index(name: string): number {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    const index = this.all.length;
    this.#indexes.set(name, index);
    this.all.push(name);
    return index;
  }

  #addressName(frame: number): string {
    const { frames, strings } = this.#graph;
    const file = frames.mappingFile[frame];
    const binary = file > 0 ? baseName(strings.text(file as StringIndex)) : '';
    const high = BigInt(frames.addressHigh[frame]);
    return nameOfAddress((high << 32n) | BigInt(frames.addressLow[frame]), binary);
  }
}

/** Bars of each level, as they are placed. Values stay in arrays: a BigInt of each would be slow. */
class Levels {
  readonly #sides: readonly Side[];
  readonly #levels: BigInt64Array[];
  readonly #lengths: Int32Array;
  /** End of the last bar of each level, by level and side. */
  readonly #ends: BigInt64Array;
  /** End of the last child of the open row, and its value that is left, by side. */
  readonly #at: BigInt64Array;
  readonly #rest: BigInt64Array;
  readonly #maxSelf = new BigInt64Array(1);

  constructor({ rowCount, depth }: FlameGraph, sides: readonly Side[]) {
    this.#sides = sides;
    const height = rowCount === 0 ? 1 : depth[rowCount - 1] + 2;
    const barCounts = new Int32Array(height);
    // Each row may have a bar of what was cut.
    for (let row = 0; row < rowCount; row += 1) {
      barCounts[depth[row]] += 1;
      barCounts[depth[row] + 1] += 1;
    }
    const numbersPerBar = sides.length * 3 + 1;
    this.#levels = Array.from(barCounts, (count) => new BigInt64Array(count * numbersPerBar));
    this.#lengths = new Int32Array(height);
    this.#ends = new BigInt64Array(height * sides.length);
    this.#at = new BigInt64Array(sides.length);
    this.#rest = new BigInt64Array(sides.length);
  }

  get maxSelf(): bigint {
    return this.#maxSelf[0];
  }

  /** Starts to place the children of a row. */
  open(row: number): void {
    for (let side = 0; side < this.#sides.length; side += 1) {
      const { start, total, self } = this.#sides[side];
      this.#at[side] = start[row];
      this.#rest[side] = total[row] - self[row];
    }
  }

  /** Adds a bar for a child of the open row. */
  addChild(level: number, child: number, name: number): void {
    for (let side = 0; side < this.#sides.length; side += 1) {
      const { start, total } = this.#sides[side];
      start[child] = this.#at[side];
      this.#at[side] += total[child];
      this.#rest[side] -= total[child];
    }
    this.add(level, child, name);
  }

  /** Adds a bar for what was cut from the open row, if anything was. */
  closeWith(level: number, name: () => number): void {
    const rest = this.#rest;
    if (rest[0] <= 0n && (rest.length < 2 || rest[1] <= 0n)) return;
    for (let side = 0; side < rest.length; side += 1)
      this.#write(level, side, this.#at, rest, rest, side);
    this.#end(level, name());
  }

  /** Adds the bar of a row. */
  add(level: number, row: number, name: number): void {
    for (let side = 0; side < this.#sides.length; side += 1) {
      const { start, total, self } = this.#sides[side];
      this.#write(level, side, start, total, self, row);
    }
    this.#end(level, name);
  }

  #write(
    level: number,
    side: number,
    start: BigInt64Array,
    total: BigInt64Array,
    self: BigInt64Array,
    i: number,
  ): void {
    const numbers = this.#levels[level];
    const ends = this.#ends;
    const at = this.#lengths[level];
    const end = level * this.#sides.length + side;
    numbers[at] = start[i] - ends[end];
    numbers[at + 1] = total[i];
    numbers[at + 2] = self[i];
    ends[end] = start[i] + total[i];
    if (self[i] > this.#maxSelf[0]) this.#maxSelf[0] = self[i];
    this.#lengths[level] = at + 3;
  }

  #end(level: number, name: number): void {
    this.#levels[level][this.#lengths[level]] = BigInt(name);
    this.#lengths[level] += 1;
  }

  finish(): BigInt64Array[] {
    return this.#levels
      .map((numbers, level) => numbers.subarray(0, this.#lengths[level]))
      .filter(({ length }) => length > 0);
  }
}
