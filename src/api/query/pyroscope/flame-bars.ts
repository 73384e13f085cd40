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

/** Values of one side. */
interface Side {
  readonly total: BigInt64Array;
  readonly self: BigInt64Array;
  /** Start of each row's bar. */
  readonly start: BigInt64Array;
}

/**
 * Places the bars. Values of frames that were cut from the graph become one bar of each parent, so
 * that its children and itself add up to its total.
 */
export function placeBars(graph: FlameGraph, { total, base }: BarTotals): FlameBars {
  const { rowCount, childStart, depth } = graph;
  const isDiff = base !== undefined;
  const right = sideOf(graph.cumulative, graph.flat, total);
  const left = isDiff ? baseSideOf(graph, base) : undefined;
  const sides = left === undefined ? [right] : [left, right];
  const names = new BarNames(graph);
  const levels = new Levels(graph, sides.length);
  levels.add(
    0,
    sides.map(({ total: totals, self }) => [0n, totals[0], self[0]] as const),
    0,
  );
  for (let row = 0; row < rowCount; row += 1) {
    const below = depth[row] + 1;
    const at = sides.map(({ start }) => start[row]);
    const rest = sides.map(({ total: totals, self }) => totals[row] - self[row]);
    for (let child = childStart[row]; child < childStart[row + 1]; child += 1) {
      const bars = sides.map(({ start, total: totals, self }, side) => {
        start[child] = at[side];
        at[side] += totals[child];
        rest[side] -= totals[child];
        return [start[child], totals[child], self[child]] as const;
      });
      levels.add(below, bars, names.of(child));
    }
    if (rest.every((value) => value <= 0n)) continue;
    const cut = rest.map((value, side) => [at[side], value, value] as const);
    levels.add(below, cut, names.index(cutName));
  }
  return { names: names.all, levels: levels.finish(), maxSelf: levels.maxSelf };
}

function sideOf(cumulative: BigInt64Array, flat: BigInt64Array, total: bigint): Side {
  const totals = cumulative.slice();
  totals[0] = total;
  return { total: totals, self: flat, start: new BigInt64Array(totals.length) };
}

/** Returns the values of the base of a diff whose base is not scaled. */
function baseSideOf({ cumulative, diff, baseFlat }: FlameGraph, total: bigint): Side {
  const totals = cumulative.slice();
  for (let row = 0; row < totals.length; row += 1) totals[row] -= diff?.[row] ?? 0n;
  const self = baseFlat ?? new BigInt64Array(totals.length);
  return sideOf(totals, self, total);
}

/** The names of bars, each once. */
class BarNames {
  readonly all: string[] = ['total'];
  readonly #indexes = new Map<string, number>();
  readonly #graph: FlameGraph;
  /** Index of the name of each frame; 0 = not named yet. */
  readonly #ofFrames: Int32Array;

  constructor(graph: FlameGraph) {
    this.#graph = graph;
    this.#ofFrames = new Int32Array(graph.frames.functionName.length);
  }

  /** Returns the index of a row's name. */
  of(row: number): number {
    const frame = this.#graph.frame[row];
    if (frame < 0) return this.index(unknownName);
    if (this.#ofFrames[frame] === 0) this.#ofFrames[frame] = this.index(this.#nameOf(frame));
    return this.#ofFrames[frame];
  }

  index(name: string): number {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    const index = this.all.length;
    this.#indexes.set(name, index);
    this.all.push(name);
    return index;
  }

  #nameOf(frame: number): string {
    const { frames, strings } = this.#graph;
    const name = frames.functionName[frame];
    if (name > 0) return strings.text(name as StringIndex);
    const file = frames.mappingFile[frame];
    const binary = file > 0 ? baseName(strings.text(file as StringIndex)) : '';
    const high = BigInt(frames.addressHigh[frame]);
    return nameOfAddress((high << 32n) | BigInt(frames.addressLow[frame]), binary);
  }
}

/** Bars of each level, as they are placed. */
class Levels {
  readonly #levels: BigInt64Array[];
  readonly #lengths: Int32Array;
  /** End of the last bar of each level, by side. */
  readonly #ends: BigInt64Array[];
  maxSelf = 0n;

  constructor({ rowCount, depth }: FlameGraph, sideCount: number) {
    const height = rowCount === 0 ? 1 : depth[rowCount - 1] + 2;
    const barCounts = new Int32Array(height);
    // Each row may have a bar of what was cut.
    for (let row = 0; row < rowCount; row += 1) {
      barCounts[depth[row]] += 1;
      barCounts[depth[row] + 1] += 1;
    }
    this.#levels = Array.from(barCounts, (count) => new BigInt64Array(count * (sideCount * 3 + 1)));
    this.#lengths = new Int32Array(height);
    this.#ends = Array.from(barCounts, () => new BigInt64Array(sideCount));
  }

  /** Adds a bar by its start, total and self on each side. */
  add(level: number, sides: readonly (readonly [bigint, bigint, bigint])[], name: number): void {
    const numbers = this.#levels[level];
    const ends = this.#ends[level];
    let at = this.#lengths[level];
    sides.forEach(([start, total, self], side) => {
      numbers[at] = start - ends[side];
      numbers[at + 1] = total;
      numbers[at + 2] = self;
      ends[side] = start + total;
      at += 3;
    });
    numbers[at] = BigInt(name);
    this.#lengths[level] = at + 1;
    for (const [, , self] of sides) if (self > this.maxSelf) this.maxSelf = self;
  }

  finish(): BigInt64Array[] {
    return this.#levels
      .map((numbers, level) => numbers.subarray(0, this.#lengths[level]))
      .filter(({ length }) => length > 0);
  }
}
