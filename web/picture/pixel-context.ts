// Draws into an array of pixels. Has those methods of a 2D canvas context that the graph's painter
// calls.
import { assert } from '../../src/base/assert.ts';
import type { PaintContext, Stripes } from '../src/canvas/frame-painter.ts';
import type { Glyphs } from './glyphs.ts';

/** Fonts by weight. */
export interface Fonts {
  readonly normal: Glyphs;
  readonly bold: Glyphs;
}

/** Red, green and blue, 0..255. */
type Colour = readonly [number, number, number];

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Within {
  readonly left: number;
  readonly top: number;
  readonly rowPixels: number;
}

/** Draws opaque colours; everything outside the surface is cut off. */
export class PixelContext implements PaintContext {
  readonly canvas: Size;
  /** Red, green and blue of each pixel, row by row. */
  readonly pixels: Uint8Array;
  fillStyle: string | object = '#000000';
  strokeStyle: string | object = '#000000';
  lineWidth = 1;
  font = '12px monospace';
  fontKerning: CanvasFontKerning = 'none';
  /** Text is always drawn around the middle. */
  textBaseline: CanvasTextBaseline = 'middle';
  readonly #fonts: Fonts;
  #dash: readonly number[] = [];
  /** Position of this surface in `pixels`, which may belong to a larger surface. */
  readonly #within: Within;

  constructor({ width, height }: Size, fonts: Fonts, within?: Within & { pixels: Uint8Array }) {
    this.canvas = { width, height };
    this.#fonts = fonts;
    this.pixels = within?.pixels ?? new Uint8Array(width * height * 3);
    this.#within = within ?? { left: 0, top: 0, rowPixels: width };
  }

  /** Returns a surface that draws into a part of this one, in its own coordinates. */
  part({ left, top, width, height }: Size & Omit<Within, 'rowPixels'>): PixelContext {
    const { pixels } = this;
    const within = { pixels, left, top, rowPixels: this.canvas.width };
    return new PixelContext({ width, height }, this.#fonts, within);
  }

  setLineDash(segments: readonly number[]): void {
    this.#dash = segments;
  }

  measureText(text: string): { readonly width: number } {
    const { glyphs, size } = this.#textStyle();
    let width = 0;
    for (const character of text) width += glyphs.advance(character, size);
    return { width };
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const left = Math.max(0, Math.round(x));
    const right = Math.min(this.canvas.width, Math.round(x + width));
    const top = Math.max(0, Math.round(y));
    const bottom = Math.min(this.canvas.height, Math.round(y + height));
    const stripes = this.fillStyle;
    const isStriped = isStripes(stripes);
    const [red, green, blue] = readColour(isStriped ? stripes.colour : stripes);
    const period = isStriped ? 2 * stripes.width : 1;
    const drawn = isStriped ? stripes.width : 1;
    for (let row = top; row < bottom; row++) {
      let at = this.#offset(left, row);
      for (let column = left; column < right; column++, at += 3) {
        if (isStriped && (((column - row) % period) + period) % period >= drawn) continue;
        this.pixels[at] = red;
        this.pixels[at + 1] = green;
        this.pixels[at + 2] = blue;
      }
    }
  }

  /** Draws a frame; its lines are in the middle of the rectangle's edges. */
  strokeRect(x: number, y: number, width: number, height: number): void {
    const before = this.fillStyle;
    this.fillStyle = this.strokeStyle;
    const line = this.lineWidth;
    const [left, top] = [x - line / 2, y - line / 2];
    this.#dashes(width, (from, length) => this.fillRect(left + from, top, length, line));
    this.#dashes(width, (from, length) => this.fillRect(left + from, top + height, length, line));
    this.#dashes(height, (from, length) => this.fillRect(left, top + from, line, length));
    this.#dashes(height, (from, length) => this.fillRect(left + width, top + from, line, length));
    this.fillStyle = before;
  }

  fillText(text: string, x: number, y: number): void {
    const { glyphs, size } = this.#textStyle();
    const colour = readColour(this.fillStyle);
    const baseline = Math.round(y + glyphs.middleToBaseline(size));
    let start = x;
    for (const character of text) {
      const { left, top, width, height, coverage } = glyphs.bitmap(character, size, start);
      for (let row = 0; row < height; row++) {
        for (let column = 0; column < width; column++) {
          const share = coverage[row * width + column] / 255;
          if (share > 0)
            this.#blend(Math.floor(start) + left + column, baseline + top + row, share, colour);
        }
      }
      start += glyphs.advance(character, size);
    }
  }

  #dashes(length: number, draw: (from: number, length: number) => void): void {
    const [drawn, gap] = this.#dash;
    if (drawn === undefined) {
      draw(0, length + this.lineWidth);
      return;
    }
    const period = drawn + (gap ?? drawn);
    for (let from = 0; from < length; from += period) draw(from, Math.min(drawn, length - from));
  }

  #blend(x: number, y: number, share: number, colour: Colour): void {
    if (x < 0 || y < 0 || x >= this.canvas.width || y >= this.canvas.height) return;
    const at = this.#offset(x, y);
    for (let i = 0; i < 3; i++) {
      const below = this.pixels[at + i];
      this.pixels[at + i] = Math.round(below + (colour[i] - below) * share);
    }
  }

  #offset(x: number, y: number): number {
    const { left, top, rowPixels } = this.#within;
    return ((y + top) * rowPixels + x + left) * 3;
  }

  #textStyle(): { readonly glyphs: Glyphs; readonly size: number } {
    const [, weight, size] = /^(bold )?(?:normal )?([\d.]+)px/.exec(this.font) ?? [];
    assert(size !== undefined, 'fonts have a size in pixels');
    return {
      glyphs: weight === undefined ? this.#fonts.normal : this.#fonts.bold,
      size: Number(size),
    };
  }
}

function isStripes(style: string | object): style is Stripes {
  return typeof style === 'object' && 'colour' in style;
}

function readColour(style: string | object): Colour {
  const digits = typeof style === 'string' ? /^#([\dA-F]{6})$/i.exec(style)?.[1] : undefined;
  assert(digits !== undefined, 'palettes have colours of six digits');
  const value = parseInt(digits, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
