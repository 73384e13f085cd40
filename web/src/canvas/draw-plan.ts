// Plans a drawing: boxes, merged narrow frames, and labels, as plain numbers.
//
// It does not use a canvas, so it can be tested without one. Frames outside the view are skipped by
// binary search, frames narrower than a device pixel by galloping search.
import type { Tree } from '../tree/tree.ts';
import { upperBound } from './hit-test.ts';
import type { View } from './view.ts';

/** Sizes in device pixels. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
  /** Distance that the root is scrolled out of view. */
  readonly scrollTop: number;
  /** True if the root is at the bottom, and callees are above their callers. */
  readonly isFlipped?: boolean;
  /** Height of a level, including the gap below it. */
  readonly rowHeight: number;
  /** Minimum width of a frame with a label. */
  readonly labelWidthMin: number;
}

/** Boxes in order of depth, then x, in device pixels relative to the viewport. */
export interface DrawPlan {
  readonly boxCount: number;
  /** Row of each box; -1 for merged frames that are narrower than a pixel. */
  readonly boxRow: Int32Array;
  readonly boxX: Float64Array;
  readonly boxY: Float64Array;
  readonly boxWidth: Float64Array;
  /** Indexes of boxes that are wide enough for a label. */
  readonly labels: readonly number[];
}

/** Value in `boxRow` for merged narrow frames. */
export const runOfNarrow = -1;

/**
 * Plans a drawing. Takes linear time in the number of visible frames, and logarithmic time in the
 * number of other frames.
 */
export function planDraw(
  tree: Pick<Tree, 'depthStart' | 'x' | 'width'>,
  view: View,
  viewport: Viewport,
): DrawPlan {
  const boxes = new Boxes();
  const depths = tree.depthStart.length - 1;
  const first = Math.max(0, Math.floor(viewport.scrollTop / viewport.rowHeight));
  const last = Math.min(
    depths - 1,
    Math.floor((viewport.scrollTop + viewport.height) / viewport.rowHeight),
  );
  for (let depth = first; depth <= last; depth++) {
    planDepth(tree, depth, view, viewport, boxes);
  }
  return boxes.finish(viewport.labelWidthMin);
}

function planDepth(
  { depthStart, x, width }: Pick<Tree, 'depthStart' | 'x' | 'width'>,
  depth: number,
  view: View,
  viewport: Viewport,
  boxes: Boxes,
): void {
  const end = depthStart[depth + 1];
  const scale = viewport.width / (view.to - view.from);
  const fromRoot = depth * viewport.rowHeight - viewport.scrollTop;
  const top =
    viewport.isFlipped === true ? viewport.height - viewport.rowHeight - fromRoot : fromRoot;
  const pixel = 1 / scale;
  let row = Math.max(depthStart[depth], upperBound(x, depthStart[depth], end, view.from) - 1);
  while (row < end && x[row] < view.to) {
    const left = (x[row] - view.from) * scale;
    const right = left + width[row] * scale;
    if (right <= 0) {
      row++;
    } else if (width[row] >= pixel) {
      boxes.addFrame(row, Math.round(left), top, Math.round(right));
      row++;
    } else {
      const column = Math.floor(Math.max(0, left));
      boxes.addNarrow(column, top);
      // All frames that begin in this pixel column are already covered.
      row = Math.max(
        row + 1,
        nextWide(x, width, row, end, view.from + (column + 1) / scale, pixel),
      );
    }
  }
}

/** Returns the first row from `edge` on that has its own box, or a row before that row. */
function nextWide(
  x: Float64Array,
  width: Float64Array,
  row: number,
  end: number,
  edge: number,
  pixel: number,
): number {
  let step = 1;
  let low = row;
  while (low + step < end && x[low + step] < edge) {
    low += step;
    step *= 2;
  }
  const next = upperBound(x, low, Math.min(end, low + step + 1), edge - pixel * 1e-9);
  // Only the last frame that begins in the column can be wide, because the others end in it.
  return next - 1 > row && width[next - 1] >= pixel ? next - 1 : next;
}

/** Boxes as columns that can grow. */
class Boxes {
  #count = 0;
  #row = new Int32Array(1_024);
  #x = new Float64Array(1_024);
  #y = new Float64Array(1_024);
  #width = new Float64Array(1_024);

  addFrame(row: number, left: number, top: number, right: number): void {
    this.#add(row, left, top, Math.max(1, right - left));
  }

  /** Adds a box of narrow frames, or extends the previous box if they touch. */
  addNarrow(column: number, top: number): void {
    const last = this.#count - 1;
    const touches =
      last >= 0 &&
      this.#row[last] === runOfNarrow &&
      this.#y[last] === top &&
      this.#x[last] + this.#width[last] >= column;
    if (touches) this.#width[last] = column + 1 - this.#x[last];
    else this.#add(runOfNarrow, column, top, 1);
  }

  #add(row: number, left: number, top: number, width: number): void {
    if (this.#count === this.#row.length) this.#grow();
    this.#row[this.#count] = row;
    this.#x[this.#count] = left;
    this.#y[this.#count] = top;
    this.#width[this.#count++] = width;
  }

  #grow(): void {
    const length = this.#row.length * 2;
    this.#row = resized(new Int32Array(length), this.#row);
    this.#x = resized(new Float64Array(length), this.#x);
    this.#y = resized(new Float64Array(length), this.#y);
    this.#width = resized(new Float64Array(length), this.#width);
  }

  finish(labelWidthMin: number): DrawPlan {
    const labels: number[] = [];
    for (let i = 0; i < this.#count; i++) {
      if (this.#row[i] !== runOfNarrow && this.#width[i] >= labelWidthMin) labels.push(i);
    }
    return {
      boxCount: this.#count,
      boxRow: this.#row,
      boxX: this.#x,
      boxY: this.#y,
      boxWidth: this.#width,
      labels,
    };
  }
}

function resized<T extends Int32Array | Float64Array>(into: T, from: T): T {
  into.set(from);
  return into;
}
