// Finds the frame at a position by binary search within a level.
import { noRow, type Tree } from '../tree/tree.ts';

/** The frame at a point, or several frames if they are narrower than a pixel. */
export interface Hit {
  /** Widest frame at the point. */
  readonly row: number;
  /** Number of frames; 1 if the frame is wide enough. */
  readonly frames: number;
  /** Combined share of the frames in the total. */
  readonly share: number;
}

/** Returns the first row in [start, end) whose `x` is greater than `at`. */
export function upperBound(x: Float64Array, start: number, end: number, at: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (x[middle] > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Finds the frame of a level at `at` (a fraction of the total width); `pixel` is the width of a
 * pixel as a fraction. Returns undefined if there is no frame.
 */
export function hitTest(
  tree: Pick<Tree, 'depthStart' | 'x' | 'width'>,
  depth: number,
  at: number,
  pixel: number,
): Hit | undefined {
  const { depthStart, x, width } = tree;
  if (depth < 0 || depth >= depthStart.length - 1) return undefined;
  const start = depthStart[depth];
  const end = depthStart[depth + 1];
  const row = upperBound(x, start, end, at) - 1;
  if (row >= start && at < x[row] + width[row] && width[row] >= pixel) {
    return { row, frames: 1, share: width[row] };
  }
  return narrowHit(tree, start, end, at, pixel);
}

/** Finds all frames that begin in the pixel around `at`. */
function narrowHit(
  { x, width }: Pick<Tree, 'x' | 'width'>,
  start: number,
  end: number,
  at: number,
  pixel: number,
): Hit | undefined {
  let widest = noRow;
  let frames = 0;
  let share = 0;
  const first = upperBound(x, start, end, at - pixel);
  for (let row = first; row < end && x[row] <= at + pixel / 2; row++) {
    if (width[row] >= pixel) continue;
    frames++;
    share += width[row];
    if (widest === noRow || width[row] > width[widest]) widest = row;
  }
  return widest === noRow ? undefined : { row: widest, frames, share };
}
