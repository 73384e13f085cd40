// Turns characters into bitmaps that say how much of each pixel the character covers.
import type { Contour, Glyph, TrueTypeFont } from './true-type.ts';

/** A character at a size. */
export interface GlyphBitmap {
  /** Position of the first column and row, relative to the start of the baseline. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Coverage of each pixel, 0..255, row by row. */
  readonly coverage: Uint8Array;
}

/** Number of positions within a pixel at which characters may begin. */
const phases = 4;
/** Maximum number of bitmaps that are kept. */
const bitmapsMax = 4_096;
/** Number of units per em in the shapes below. */
const shapeUnits = 1_000;

const solid = (points: readonly number[]): readonly Contour[] => [points];
const hollow = (outer: readonly number[], inner: readonly number[]): readonly Contour[] => [
  outer,
  inner,
];

/** Shapes of the graph's signs that monospaced fonts lack; inner outlines run the other way. */
const shapes: ReadonlyMap<number, readonly Contour[]> = new Map([
  [0x25b2, solid([60, 80, 300, 620, 540, 80])],
  [0x25bc, solid([60, 620, 540, 620, 300, 80])],
  [0x25b5, hollow([110, 150, 300, 570, 490, 150], [205, 210, 395, 210, 300, 430])],
  [0x25bf, hollow([110, 570, 490, 570, 300, 150], [205, 510, 300, 290, 395, 510])],
]);

/** Draws the characters of one font, and keeps their bitmaps. */
export class Glyphs {
  readonly #font: TrueTypeFont;
  readonly #bitmaps = new Map<string, GlyphBitmap>();
  readonly #glyphs = new Map<string, Glyph>();

  constructor(font: TrueTypeFont) {
    this.#font = font;
  }

  /** Returns the distance from a character to the next, in pixels. */
  advance(character: string, size: number): number {
    return (this.#glyph(character).advance * size) / this.#font.unitsPerEm;
  }

  /** Returns the distance from the middle of a line to its baseline, in pixels. */
  middleToBaseline(size: number): number {
    const { ascent, descent, unitsPerEm } = this.#font;
    return ((ascent + descent) / 2) * (size / unitsPerEm);
  }

  /** Returns the bitmap of a character that begins at `x`; only the fraction of `x` matters. */
  bitmap(character: string, size: number, x: number): GlyphBitmap {
    const phase = Math.floor((x - Math.floor(x)) * phases);
    const key = `${character}${size}/${phase}`;
    const known = this.#bitmaps.get(key);
    if (known !== undefined) return known;
    if (this.#bitmaps.size >= bitmapsMax) this.#bitmaps.clear();
    const { contours } = this.#glyph(character);
    const bitmap = cover(contours, size / this.#font.unitsPerEm, phase / phases);
    this.#bitmaps.set(key, bitmap);
    return bitmap;
  }

  #glyph(character: string): Glyph {
    const known = this.#glyphs.get(character);
    if (known !== undefined) return known;
    if (this.#glyphs.size >= bitmapsMax) this.#glyphs.clear();
    const glyph = this.#find(character);
    this.#glyphs.set(character, glyph);
    return glyph;
  }

  /** Returns the glyph of the character, of its letter without accents, or the font's box. */
  #find(character: string): Glyph {
    const font = this.#font;
    const code = character.codePointAt(0) ?? 0;
    if (font.has(code)) return font.glyph(code);
    const shape = shapes.get(code);
    const space = font.glyph(0x20);
    if (shape !== undefined) {
      const scale = font.unitsPerEm / shapeUnits;
      return { ...space, contours: shape.map((one) => one.map((at) => at * scale)) };
    }
    if (/\s/u.test(character)) return space;
    const letter = character.normalize('NFD').codePointAt(0) ?? code;
    return font.glyph(letter);
  }
}

/** Computes the coverage of outlines that are moved to the right by a fraction of a pixel. */
function cover(contours: readonly Contour[], scale: number, phase: number): GlyphBitmap {
  const points = contours.flat();
  const xs = points.filter((_, i) => i % 2 === 0).map((x) => x * scale + phase);
  const ys = points.filter((_, i) => i % 2 === 1).map((y) => -y * scale);
  if (xs.length === 0) return { left: 0, top: 0, width: 0, height: 0, coverage: new Uint8Array() };
  const left = Math.floor(Math.min(...xs));
  const top = Math.floor(Math.min(...ys));
  // An edge also changes the pixel on its right.
  const width = Math.ceil(Math.max(...xs)) - left + 2;
  const height = Math.ceil(Math.max(...ys)) - top + 1;
  const changes = new Float32Array(width * height);
  for (const contour of contours) {
    for (let i = 0; i < contour.length; i += 2) {
      const next = (i + 2) % contour.length;
      addEdge(changes, width, {
        fromX: contour[i] * scale + phase - left,
        fromY: -contour[i + 1] * scale - top,
        toX: contour[next] * scale + phase - left,
        toY: -contour[next + 1] * scale - top,
      });
    }
  }
  const coverage = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    let sum = 0;
    for (let at = row * width; at < (row + 1) * width; at++) {
      sum += changes[at];
      coverage[at] = Math.round(Math.min(1, Math.abs(sum)) * 255);
    }
  }
  return { left, top, width, height, coverage };
}

interface Edge {
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
}

/**
 * Adds an edge to `changes`, the differences in coverage between neighbouring pixels: the area on
 * the right of an edge is inside the shape, or outside again. In each row, the change is spread
 * over the pixels that the edge crosses, in proportion to the area on its right.
 */
function addEdge(changes: Float32Array, width: number, edge: Edge): void {
  const { fromX, fromY, toX, toY } = edge;
  if (fromY === toY) return;
  const direction = fromY < toY ? 1 : -1;
  const [startX, startY, endY] = direction === 1 ? [fromX, fromY, toY] : [toX, toY, fromY];
  const slope = (toX - fromX) / (toY - fromY);
  for (let row = Math.floor(startY); row < endY; row++) {
    const [upper, lower] = [Math.max(row, startY), Math.min(row + 1, endY)];
    const [a, b] = [startX + (upper - startY) * slope, startX + (lower - startY) * slope];
    const [low, high] = a < b ? [a, b] : [b, a];
    const height = (lower - upper) * direction;
    const [first, last] = [Math.floor(low), Math.floor(high)];
    let before = 0;
    for (let column = first; column <= last; column++) {
      // Share of the edge that has been crossed at the right border of the pixel, on average.
      const covered = areaOnRight(low, high, column);
      changes[row * width + column] += height * (covered - before);
      before = covered;
    }
    changes[row * width + last + 1] += height * (1 - before);
  }
}

/**
 * Returns the area of a pixel column, 1 wide and 1 high, on the right of an edge that runs from
 * `low` to `high`.
 */
function areaOnRight(low: number, high: number, column: number): number {
  const right = column + 1;
  if (high === low) return Math.min(1, Math.max(0, right - low));
  // Integral over x of the share of the edge on the left of x.
  const integral = (x: number): number => {
    if (x <= low) return 0;
    if (x >= high) return (high - low) / 2 + (x - high);
    return (x - low) ** 2 / (2 * (high - low));
  };
  return integral(right) - integral(column);
}
