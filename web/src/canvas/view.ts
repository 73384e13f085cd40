// Visible part of the graph, and computations for zooming and panning.

/** Fractions of the total width, 0 <= from < to <= 1. */
export interface View {
  readonly from: number;
  readonly to: number;
}

export const wholeView: View = { from: 0, to: 1 };

/** Narrowest view, limited by the precision of doubles. */
const viewWidthMin = 2 ** -40;

/** Returns a view with the given width and start, moved into 0..1. */
export function clampView(from: number, width: number): View {
  const clamped = Math.min(1, Math.max(viewWidthMin, width));
  const start = Math.min(1 - clamped, Math.max(0, from));
  return { from: start, to: start + clamped };
}

/** Scales the view around `at`, a fraction of the view; factors above 1 zoom out. */
export function zoomAround(view: View, at: number, factor: number): View {
  const width = view.to - view.from;
  const center = view.from + at * width;
  const scaled = Math.min(1, Math.max(viewWidthMin, width * factor));
  return clampView(center - at * scaled, scaled);
}

/** Moves the view by a fraction of its width. */
export function panBy(view: View, fraction: number): View {
  const width = view.to - view.from;
  return clampView(view.from + fraction * width, width);
}

/**
 * Returns a view between two views, for animation. The width changes by equal factors, so that
 * zooming looks steady.
 *
 * `t` runs from 0 to 1.
 */
export function between(start: View, end: View, t: number): View {
  if (t >= 1) return end;
  const startWidth = start.to - start.from;
  const endWidth = end.to - end.from;
  const width = startWidth * (endWidth / startWidth) ** t;
  // The edge moves in proportion to the width, so that the target frame grows in place.
  const change = endWidth - startWidth;
  const done = Math.abs(change) < 1e-300 ? t : (width - startWidth) / change;
  return clampView(start.from + (end.from - start.from) * done, width);
}

/** Easing function that starts fast and ends slowly. */
export function easeOut(t: number): number {
  return 1 - (1 - t) ** 3;
}

/** Returns true if two views are equal. */
export function equalViews(a: View, b: View): boolean {
  return a.from === b.from && a.to === b.to;
}
