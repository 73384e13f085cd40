// Paints the graph on two canvases: frames on the lower one, hover and cursor on the upper one.
import { findDepth } from '../tree/tree.ts';
import type { DrawPlan } from './draw-plan.ts';
import { allParts, FramePainter, type Scene, type Stripes } from './frame-painter.ts';
import type { View } from './view.ts';

/** Content of the upper canvas: hover, cursor, and outlines of frames with the same function. */
export interface Overlay {
  /** Row under the pointer; undefined if there is none. */
  readonly hover: number | undefined;
  /** Row of the keyboard cursor; undefined if the graph is not focused. */
  readonly cursor: number | undefined;
  /** Name whose frames are outlined; undefined if there is none. */
  readonly name: number | undefined;
  /** Range selected by the current drag, if any. */
  readonly range?: View | undefined;
}
/** Draws at a fixed device pixel ratio; a new ratio needs a new painter. */
export class Painter {
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
  readonly #frames: FramePainter;
  readonly #overlay: CanvasRenderingContext2D;
  #plan: DrawPlan | undefined;
  /** True if nothing is drawn on the upper canvas. */
  #isOverlayEmpty = true;

  constructor(base: HTMLCanvasElement, overlay: HTMLCanvasElement, ratio: number) {
    const context = requireContext(base, false);
    this.#frames = new FramePainter(context, ratio, (stripes) => stripePattern(context, stripes));
    this.#overlay = requireContext(overlay, true);
    this.ratio = ratio;
  }

  /** Height of the graph in device pixels. The canvases may be higher. */
  get height(): number {
    return this.#frames.height;
  }

  set height(height: number) {
    this.#frames.height = height;
  }

  /** Draws the visible frames; `scrollTop` is the distance of the root from its edge. */
  paint(scene: Scene, scrollTop: number, parts = allParts): void {
    this.#plan = this.#frames.paint(scene, scrollTop, parts);
  }

  /** Draws hover, cursor and frames with the same function on the upper canvas. */
  paintOverlay(scene: Scene, overlay: Overlay, scrollTop: number): void {
    const context = this.#overlay;
    const isEmpty = Object.values(overlay).every((one) => one === undefined);
    if (isEmpty && this.#isOverlayEmpty) return;
    this.#isOverlayEmpty = isEmpty;
    context.clearRect(0, 0, context.canvas.width, context.canvas.height);
    this.#outlineName(scene, overlay);
    if (overlay.hover !== undefined) {
      context.strokeStyle = scene.palette.outline;
      this.#outline(scene, overlay.hover, scrollTop, 1.5);
    }
    if (overlay.cursor !== undefined) {
      context.strokeStyle = scene.palette.cursor;
      this.#outline(scene, overlay.cursor, scrollTop, 2.5);
    }
    if (overlay.range !== undefined) this.#shade(scene, overlay.range);
  }

  /** Shades the view outside the selected range. */
  #shade({ view, palette }: Scene, range: View): void {
    const context = this.#overlay;
    const { width, height } = context.canvas;
    const scale = width / (view.to - view.from);
    const [left, right] = [range.from, range.to].map((at) => Math.round((at - view.from) * scale));
    context.globalAlpha = 0.6;
    context.fillStyle = palette.background;
    context.fillRect(0, 0, left, height);
    context.fillRect(right, 0, width - right, height);
    context.globalAlpha = 1;
  }

  #outlineName(scene: Scene, overlay: Overlay): void {
    const plan = this.#plan;
    if (plan === undefined || overlay.name === undefined) return;
    const context = this.#overlay;
    const line = Math.max(1, Math.round(this.ratio));
    context.strokeStyle = scene.palette.outline;
    context.lineWidth = line;
    for (let i = 0; i < plan.boxCount; i++) {
      const row = plan.boxRow[i];
      if (row <= 0 || scene.tree.name[row] !== overlay.name || plan.boxWidth[i] < 3) continue;
      const [x, y] = [plan.boxX[i] + line / 2, plan.boxY[i] + line / 2];
      context.strokeRect(x, y, plan.boxWidth[i] - 2 * line, this.#frames.rowHeight - 2 * line);
    }
  }

  #outline(scene: Scene, row: number, scrollTop: number, thickness: number): void {
    const { tree, view } = scene;
    const context = this.#overlay;
    const { width: canvasWidth } = context.canvas;
    const scale = canvasWidth / (view.to - view.from);
    const left = Math.max(-4, (tree.x[row] - view.from) * scale);
    const right = Math.min(canvasWidth + 4, (tree.x[row] + tree.width[row] - view.from) * scale);
    const fromRoot =
      findDepth(tree, row) * this.#frames.rowHeight - Math.round(scrollTop * this.ratio);
    const top = scene.isFlipped ? this.height - this.#frames.rowHeight - fromRoot : fromRoot;
    const line = Math.max(1, Math.round(thickness * this.ratio));
    context.lineWidth = line;
    const width = Math.max(line + 1, right - left - line);
    context.strokeRect(left + line / 2, top + line / 2, width, this.#frames.rowHeight - line - 1);
  }
}
function requireContext(canvas: HTMLCanvasElement, alpha: boolean): CanvasRenderingContext2D {
  const context = canvas.getContext('2d', { alpha });
  if (context === null) throw new Error('this browser has no 2D canvas');
  return context;
}
/** Creates the pattern of stripes. */
function stripePattern(
  context: CanvasRenderingContext2D,
  { colour, width }: Stripes,
): CanvasPattern | string {
  const size = 2 * width;
  const tile = new OffscreenCanvas(size, size);
  const painter = tile.getContext('2d');
  if (painter === null) return colour;
  painter.fillStyle = colour;
  for (let y = 0; y < size; y++) {
    painter.fillRect(y, y, width, 1);
    painter.fillRect(y - size, y, width, 1);
  }
  return context.createPattern(tile, 'repeat') ?? colour;
}
