// Flame charts: calls of consecutive profiles along a time axis.
import { AppError } from '../base/errors.ts';
import { flameChartRowsMax } from './limits.ts';
import { grown } from '../model/column.ts';
import type { CallTree, TreeSources } from './tree/call-tree.ts';
import type { ProfileTimes } from '../model/profiles/profile-columns.ts';
import type { FrameKeys } from './tree/frame-keys.ts';
import { keepRows, type KeptRows } from './tree/trim.ts';

/** Tree of the selected stacks at one time. */
export interface TimedTree {
  readonly span: ProfileTimes;
  /** Tree with the same frame keys as all other trees of the chart. */
  readonly tree: CallTree;
}

/** Lane of a chart: the profiles with the same values of the grouped labels, or all profiles. */
export interface ChartLane {
  /** Index of the lane's group; -1 if the lane has no label row. */
  readonly group: number;
  /** Trees of the lane in order of time. */
  readonly moments: Iterable<TimedTree>;
}

/** Options for converting values to widths. */
export interface ChartScale {
  /** True if values are nanoseconds, so that a row's value is its duration. */
  readonly isTime: boolean;
  /** Longest gap between two rows of the same frame that are joined into one row. */
  readonly gapNanosMax: number;
}

/**
 * Builds the chart of all lanes. Each tree starts at its time. The calls of a tree are next to each
 * other in order of their names; the flat value of a row comes after its callees. The width of a
 * call is its value. If values are not times, or exceed the duration of the profile (samples of
 * several cores), the calls share the duration instead.
 *
 * If a row continues in the next tree without a gap, both become one row with the sum of their
 * values. Rows without a positive value are omitted.
 *
 * Errors: AppError 'resource-exhausted' above `flameChartRowsMax` rows.
 */
export function buildFlameChart(lanes: readonly ChartLane[], scale: ChartScale): CallTree {
  const chart = new ChartBuilder(scale);
  let like: CallTree | undefined;
  for (const { group, moments } of lanes) {
    chart.beginLane(group);
    for (const { span, tree } of moments) {
      like = tree;
      chart.add(tree, span);
    }
  }
  return chart.finish(like);
}

/** Frames of an empty chart. */
const noFrames: FrameKeys = { frameKey: () => 0, text: () => '', rank: () => new Uint32Array(1) };

/** A chart under construction; see CallTree for the columns. */
class ChartBuilder {
  #length = 1;
  #parent = new Int32Array(1024);
  #key = new Uint32Array(1024);
  #flat = new BigInt64Array(1024);
  #cumulative = new BigInt64Array(1024);
  #startNanos = new BigInt64Array(1024);
  /** End of each row, in nanoseconds since `firstNanos`. */
  #end = new Float64Array(1024);
  #lastChild = new Int32Array(1024);
  #depthMax = 0;
  readonly #labelRows = new Map<number, number>();
  #sourceCount = 0;
  #sourceRow = new Int32Array(1024);
  #sourceLocation = new Int32Array(1024);
  #firstNanos: bigint | undefined;
  /** Label row of the current lane. */
  #lane = 0;
  readonly #scale: ChartScale;

  constructor(scale: ChartScale) {
    this.#scale = scale;
  }

  beginLane(group: number): void {
    this.#lane = 0;
    if (group === -1) return;
    this.#lane = this.#addRow(0, 0);
    this.#labelRows.set(this.#lane, group);
  }

  add(tree: CallTree, { timeNanos, durationNanos }: ProfileTimes): void {
    this.#firstNanos ??= timeNanos;
    const target = new Int32Array(tree.length);
    const kept = keepRows(tree, { nodeTrimFraction: 0, rootTrimFraction: 0 }, target);
    // The difference is exact up to 104 days. Beyond that, errors are too small to be seen.
    const begin = Number(timeNanos - this.#firstNanos);
    const total = rowWidth(kept, tree, 0);
    const lasts = Number(durationNanos);
    const fits = this.#scale.isTime && (lasts === 0 || total <= lasts);
    const stretch = fits ? 1 : total > 0 ? lasts / total : 0;
    const rows = new Int32Array(kept.length);
    // Start of the next child of each kept row, in values from the start of the tree.
    const next = new Float64Array(kept.length);
    rows[0] = this.#lane;
    this.#addValues(this.#lane, tree, 0);
    for (let i = 1; i < kept.length; i += 1) {
      const above = kept.parent[i];
      const from = next[above];
      const width = rowWidth(kept, tree, i);
      next[i] = from;
      next[above] = from + width;
      const start = begin + from * stretch;
      rows[i] = this.#rowAt(rows[above], tree.key[kept.row[i]], start);
      this.#end[rows[i]] = start + width * stretch;
      this.#addValues(rows[i], tree, kept.row[i]);
    }
    if (this.#lane !== 0) this.#cumulative[0] += tree.cumulative[0];
    const laneDepth = this.#lane === 0 ? 0 : 1;
    this.#depthMax = Math.max(this.#depthMax, laneDepth + tree.depthMax);
    const rowOfPlace = new Int32Array(kept.length);
    for (let i = 0; i < kept.length; i += 1) rowOfPlace[kept.place[i]] = rows[i];
    this.#addSources(tree.sources, target, rowOfPlace);
  }

  /** Returns the chart. `like` is one of its trees; undefined for an empty chart. */
  finish(like: CallTree | undefined): CallTree {
    const length = this.#length;
    const parent = this.#parent;
    const key = this.#key;
    const flat = this.#flat;
    const cumulative = this.#cumulative;
    const labelRows = this.#labelRows;
    return {
      length,
      parent,
      key,
      flat,
      cumulative,
      labelRows,
      outermostRows: () => new Uint8Array(length),
      startNanos: this.#startNanos,
      lengthNanos: this.#lengths(),
      frames: like?.frames ?? noFrames,
      depthMax: this.#depthMax,
      base: undefined,
      sources: {
        length: this.#sourceCount,
        row: this.#sourceRow,
        location: this.#sourceLocation,
        touched: undefined,
        shownLines: like?.sources.shownLines,
      },
    };
  }

  #lengths(): BigInt64Array {
    const first = this.#firstNanos ?? 0n;
    return this.#startNanos.map((start, row) =>
      start === 0n ? 0n : first + BigInt(Math.round(this.#end[row])) - start,
    );
  }

  #addValues(row: number, tree: CallTree, from: number): void {
    this.#flat[row] += tree.flat[from];
    this.#cumulative[row] += tree.cumulative[from];
  }

  /** Returns the row that continues at `start`, or a new row. */
  #rowAt(above: number, key: number, start: number): number {
    const last = this.#lastChild[above];
    const goesOn =
      last !== 0 && this.#key[last] === key && start - this.#end[last] <= this.#scale.gapNanosMax;
    if (goesOn) return last;
    const row = this.#addRow(above, key);
    this.#lastChild[above] = row;
    this.#startNanos[row] = (this.#firstNanos ?? 0n) + BigInt(Math.round(start));
    return row;
  }

  #addRow(above: number, key: number): number {
    const row = this.#length;
    if (row > flameChartRowsMax) {
      throw new AppError(
        'resource-exhausted',
        `cannot draw a flame chart of more than ${flameChartRowsMax} rows: ` +
          'ask for less time, or filter its stacks',
      );
    }
    if (row >= this.#parent.length) this.#grow(row + 1);
    this.#parent[row] = above;
    this.#key[row] = key;
    this.#length = row + 1;
    return row;
  }

  #grow(rows: number): void {
    this.#parent = grown(this.#parent, rows);
    this.#key = grown(this.#key, rows);
    this.#flat = grown(this.#flat, rows);
    this.#cumulative = grown(this.#cumulative, rows);
    this.#startNanos = grown(this.#startNanos, rows);
    this.#end = grown(this.#end, rows);
    this.#lastChild = grown(this.#lastChild, rows);
  }

  /** Adds the sources of a tree's rows. */
  #addSources(sources: TreeSources, target: Int32Array, rows: Int32Array): void {
    const { length, row, location, touched } = sources;
    for (let source = 0; source < length; source += 1) {
      if (touched !== undefined && touched[source] === 0) continue;
      const kept = target[row[source]];
      if (kept === 0) continue;
      const at = this.#sourceCount;
      this.#sourceRow = grown(this.#sourceRow, at + 1);
      this.#sourceLocation = grown(this.#sourceLocation, at + 1);
      this.#sourceRow[at] = rows[kept - 1];
      this.#sourceLocation[at] = location[source];
      this.#sourceCount = at + 1;
    }
  }
}

/** Returns the value of a kept row; for the root, the sum of its children and its flat value. */
function rowWidth({ row, childStart }: KeptRows, tree: CallTree, i: number): number {
  if (i > 0) return Number(tree.cumulative[row[i]]);
  let sum = Math.max(0, Number(tree.flat[0]));
  for (let child = childStart[0]; child < childStart[1]; child += 1) {
    sum += Number(tree.cumulative[row[child]]);
  }
  return sum;
}
