// Paints the frames of a graph on a canvas, or on a surface with the same methods.
import {
  chanceStep,
  frameNumber,
  goneStep,
  newStep,
  smallLessStep,
  smallMoreStep,
  stepsMax,
} from '../tree/diff.ts';
import type { Tree } from '../tree/tree.ts';
import { otherHue, type Palette, rootHue } from './colours.ts';
import { type DrawPlan, planDraw, runOfNarrow, type Viewport } from './draw-plan.ts';
import { NameFitter } from './fit-name.ts';
import type { View } from './view.ts';

/** Height of a level in CSS pixels. */
export const rowHeightCss = 20;
/** Parts of a drawing: 0 is the background, 1 the frames, 2 their names. */
export const allParts = 2;
const labelWidthMinCss = 24;
const paddingCss = 4;
/** Smallest width of a frame in a diff that has a sign for growth or loss. */
const signWidthMinCss = 40;
/** Period of stripes on new frames, and of dashes around removed frames. */
const stripesCss = 6;
/** Smallest width of a label that also contains the frame's share. */
const shareRoomCss = 160;
const fontCss = 12;
const fontFamily =
  'ui-monospace, "SF Mono", "Cascadia Mono", Consolas, "DejaVu Sans Mono", monospace';
/** Everything that the drawing depends on. */
export interface Scene {
  readonly tree: Tree;
  readonly view: View;
  readonly palette: Palette;
  /** Hue of each name, or `otherHue`. */
  readonly hueOfName: Int32Array;
  /** Colour step of each row in a diff; undefined without a diff. */
  readonly steps: Int8Array | undefined;
  /** 1 for each name that matches the search; undefined without a search. */
  readonly hit: Uint8Array | undefined;
  /** 1 for each name in the highlighted group; undefined if no group is highlighted. */
  readonly highlightedNames: Uint8Array | undefined;
  /** Zoomed row; its ancestors are drawn faded. */
  readonly zoomRow: number;
  /** True if the root is at the bottom, as in a flame graph. */
  readonly isFlipped: boolean;
  /** Number of levels at the root that are hidden. */
  readonly hiddenDepths: number;
  nameAt(name: number): string;
}

/** Parts of a scene that the colours of frames depend on. */
export type Colouring = Pick<
  Scene,
  'tree' | 'palette' | 'hueOfName' | 'steps' | 'hit' | 'highlightedNames'
>;

/** Diagonal stripes, `width` device pixels wide and the same distance apart. */
export interface Stripes {
  readonly colour: string;
  readonly width: number;
}

/** Methods of a 2D canvas context that the frames are painted with. */
export interface PaintContext {
  readonly canvas: { readonly width: number; readonly height: number };
  fillStyle: string | object;
  strokeStyle: string | object;
  lineWidth: number;
  font: string;
  fontKerning: CanvasFontKerning;
  textBaseline: CanvasTextBaseline;
  setLineDash(segments: number[]): void;
  fillRect(x: number, y: number, width: number, height: number): void;
  strokeRect(x: number, y: number, width: number, height: number): void;
  fillText(text: string, x: number, y: number): void;
  measureText(text: string): { readonly width: number };
}

/** The function part of a name, which is drawn bold. */
interface OwnName {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly colour: string;
}
/** Draws frames at a fixed device pixel ratio. */
export class FramePainter {
  readonly #base: PaintContext;
  /** Height of the graph in device pixels. The canvas may be higher. */
  height: number;
  readonly #ratio: number;
  readonly #fillOf: (stripes: Stripes) => string | object;
  readonly #fitter: NameFitter;

  /** `fillOf` returns the fill style of the context for stripes. */
  constructor(base: PaintContext, ratio: number, fillOf: (stripes: Stripes) => string | object) {
    this.#base = base;
    this.height = base.canvas.height;
    this.#ratio = ratio;
    this.#fillOf = fillOf;
    setFont(base, ratio, 'normal');
    this.#fitter = new NameFitter((text) => base.measureText(text).width);
  }

  /** Height of a level in device pixels. */
  get rowHeight(): number {
    return Math.round(rowHeightCss * this.#ratio);
  }

  /**
   * Draws the visible frames; `scrollTop` is the distance of the root from its edge, `parts` the
   * last part that is drawn. Returns where the frames are; undefined if none is drawn.
   */
  paint(scene: Scene, scrollTop: number, parts = allParts): DrawPlan | undefined {
    const context = this.#base;
    const { width, height } = context.canvas;
    const viewport: Viewport = {
      width,
      height: this.height,
      scrollTop: Math.round(scrollTop * this.#ratio),
      rowHeight: this.rowHeight,
      isFlipped: scene.isFlipped,
      labelWidthMin: labelWidthMinCss * this.#ratio,
    };
    context.fillStyle = scene.palette.background;
    context.fillRect(0, 0, width, height);
    if (parts === 0) return undefined;
    const plan = planDraw(scene.tree, scene.view, viewport);
    const ancestors = ancestorRows(scene);
    this.#paintBoxes(scene, plan, ancestors);
    if (scene.steps !== undefined) this.#markOneSided(scene, scene.steps, plan);
    if (parts === allParts) this.#paintLabels(scene, plan, ancestors);
    return plan;
  }

  #paintBoxes(scene: Scene, plan: DrawPlan, ancestors: ReadonlySet<number>): void {
    const byColour = new Map<string, number[]>();
    for (let i = 0; i < plan.boxCount; i++) {
      const colour = chooseFill(scene, plan.boxRow[i], ancestors);
      const boxes = byColour.get(colour);
      if (boxes === undefined) byColour.set(colour, [i]);
      else boxes.push(i);
    }
    const gap = Math.max(1, Math.round(this.#ratio));
    const height = this.rowHeight - gap;
    for (const [colour, boxes] of byColour) {
      this.#base.fillStyle = colour;
      for (const i of boxes) {
        const width = plan.boxWidth[i];
        const inner = width > 3 * gap && plan.boxRow[i] !== runOfNarrow ? width - gap : width;
        this.#base.fillRect(plan.boxX[i], plan.boxY[i], inner, height);
      }
    }
  }

  /**
   * Draws stripes on new frames and on changes that may be chance, and dashed outlines around
   * removed frames.
   */
  #markOneSided({ palette }: Scene, steps: Int8Array, plan: DrawPlan): void {
    const context = this.#base;
    const line = Math.max(1, Math.round(this.#ratio));
    const height = this.rowHeight - line;
    const dash = Math.round((stripesCss * this.#ratio) / 2);
    // Made only for frames that have stripes.
    let stripes: string | object | undefined;
    let chanceStripes: string | object | undefined;
    context.strokeStyle = palette.goneOutline;
    context.lineWidth = line;
    context.setLineDash([dash, dash]);
    for (let i = 0; i < plan.boxCount; i++) {
      const width = plan.boxWidth[i] - line;
      const row = plan.boxRow[i];
      if (row === runOfNarrow || width <= 2 * line) continue;
      if (steps[row] === newStep) {
        stripes ??= this.#fillOf({ colour: palette.newStripe, width: dash });
        context.fillStyle = stripes;
        context.fillRect(plan.boxX[i], plan.boxY[i], width, height);
      } else if (steps[row] === chanceStep) {
        chanceStripes ??= this.#fillOf({ colour: palette.chanceStripe, width: dash });
        context.fillStyle = chanceStripes;
        context.fillRect(plan.boxX[i], plan.boxY[i], width, height);
      } else if (steps[row] === goneStep) {
        const [x, y] = [plan.boxX[i] + line / 2, plan.boxY[i] + line / 2];
        context.strokeRect(x, y, width - line, height - line);
      }
    }
    context.setLineDash([]);
  }

  #paintLabels(scene: Scene, plan: DrawPlan, ancestors: ReadonlySet<number>): void {
    const context = this.#base;
    setFont(context, this.#ratio, 'normal');
    const padding = paddingCss * this.#ratio;
    const middle = Math.round(this.rowHeight / 2);
    const viewWidth = context.canvas.width;
    const own: OwnName[] = [];
    for (const i of plan.labels) {
      const row = plan.boxRow[i];
      const left = Math.max(plan.boxX[i], 0) + padding;
      const right = Math.min(plan.boxX[i] + plan.boxWidth[i], viewWidth) - padding;
      const share = frameNumber(scene.tree, row);
      const shareWidth = this.#fitter.measure(share);
      const hasShare = right - left > shareWidth + shareRoomCss * this.#ratio;
      const sign = right - left < signWidthMinCss * this.#ratio ? '' : chooseSign(scene, row);
      const signWidth = this.#fitter.measure(sign);
      const room = right - left - signWidth - (hasShare ? shareWidth + 2 * padding : 0);
      const text = this.#fitter.fit(scene.nameAt(scene.tree.name[row]), room);
      if (text === '') continue;
      const colour = chooseTextColour(scene, row, ancestors);
      const y = plan.boxY[i] + middle;
      const pieces = this.#fitter.split(text);
      const scopeWidth = this.#fitter.measure(pieces.scope);
      if (scopeWidth > 0) {
        context.fillStyle = colour === scene.palette.text ? scene.palette.scopeText : colour;
        context.fillText(pieces.scope, left + signWidth, y);
      }
      context.fillStyle = colour;
      if (sign !== '') context.fillText(sign, left, y);
      const ownerX = left + signWidth + scopeWidth;
      if (pieces.owner !== '') context.fillText(pieces.owner, ownerX, y);
      own.push({ text: pieces.own, x: ownerX + this.#fitter.measure(pieces.owner), y, colour });
      if (hasShare) context.fillText(share, right - shareWidth, y);
    }
    // Bold text is drawn in a second pass, because changing the font takes as long as drawing a
    // name.
    setFont(context, this.#ratio, 'bold');
    for (const { text, x, y, colour } of own) {
      context.fillStyle = colour;
      context.fillText(text, x, y);
    }
  }
}

/** Both weights have the same character width. */
function setFont(context: PaintContext, ratio: number, weight: 'normal' | 'bold'): void {
  context.font = `${weight} ${fontCss * ratio}px ${fontFamily}`;
  context.fontKerning = 'none';
  context.textBaseline = 'middle';
}
/** Returns the ancestors of the zoomed row. */
function ancestorRows({ tree, zoomRow }: Scene): ReadonlySet<number> {
  const rows = new Set<number>();
  if (zoomRow <= 0) return rows;
  for (let row = tree.parent[zoomRow]; row >= 0; row = tree.parent[row]) rows.add(row);
  return rows;
}
/**
 * Returns a sign for growth or loss, for people who cannot distinguish the colours: a smaller sign
 * for a small change, "" for no change.
 */
function chooseSign({ steps }: Scene, row: number): string {
  const step = steps?.[row] ?? 0;
  if (step === chanceStep) return '~ ';
  if (step === smallMoreStep) return '▵ ';
  if (step === smallLessStep) return '▿ ';
  return step === 0 ? '' : step > 0 ? '▲ ' : '▼ ';
}

/** Returns the colour of a box: of a row, or of merged narrow frames. */
export function chooseFill(scene: Colouring, row: number, ancestors: ReadonlySet<number>): string {
  const { palette, tree } = scene;
  if (row === runOfNarrow) return palette.narrow;
  const name = tree.name[row];
  if (scene.hit !== undefined) return scene.hit[name] === 1 ? palette.match : palette.dimmed;
  if (ancestors.has(row)) return palette.ancestor;
  if (scene.highlightedNames !== undefined && scene.highlightedNames[name] === 0)
    return palette.dimmed;
  if (scene.steps !== undefined) return fillOfStep(palette, scene.steps[row]);
  const hue = row === 0 ? rootHue : scene.hueOfName[name];
  if (hue === rootHue) return palette.root;
  return hue === otherHue ? palette.other : palette.hues[hue];
}

function fillOfStep(palette: Palette, step: number): string {
  if (step === goneStep) return palette.background;
  if (step === chanceStep) return palette.diff[stepsMax];
  if (step === smallLessStep) return palette.smallChange[0];
  if (step === smallMoreStep) return palette.smallChange[1];
  return palette.diff[Math.min(step, stepsMax) + stepsMax];
}

function chooseTextColour(scene: Scene, row: number, ancestors: ReadonlySet<number>): string {
  const { palette, tree } = scene;
  const name = tree.name[row];
  if (scene.hit !== undefined) {
    return scene.hit[name] === 1 ? palette.matchText : palette.dimmedText;
  }
  if (ancestors.has(row)) return palette.ancestorText;
  const dimmed = scene.highlightedNames !== undefined && scene.highlightedNames[name] === 0;
  return dimmed ? palette.dimmedText : palette.text;
}
