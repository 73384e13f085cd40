// Reads the outlines of glyphs from a TrueType font: the tables cmap, glyf, head, hhea, hmtx and
// loca.
//
// Format: https://learn.microsoft.com/typography/opentype/spec/otff
import { assert } from '../../src/base/assert.ts';

/** A closed polygon, as alternating x and y in units of the font; y grows upwards. */
export type Contour = readonly number[];

/** The shape of a character. */
export interface Glyph {
  /** Distance to the next character. */
  readonly advance: number;
  readonly contours: readonly Contour[];
}

/** Number of lines that replace a curve, which is enough for letters of about 14 pixels. */
const linesOfCurve = 4;
/** Greatest nesting depth of glyphs that consist of other glyphs. */
const nestingMax = 4;

/** A font; all positions are in the font's units. */
export class TrueTypeFont {
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  readonly #bytes: DataView;
  readonly #tables = new Map<string, number>();
  readonly #glyphOf: (code: number) => number;
  readonly #metricCount: number;
  readonly #isLongLoca: boolean;

  /** Errors: RangeError if the bytes are not a font. */
  constructor(file: Uint8Array) {
    const bytes = new DataView(file.buffer, file.byteOffset, file.byteLength);
    this.#bytes = bytes;
    const tableCount = bytes.getUint16(4);
    for (let i = 0; i < tableCount; i++) {
      const at = 12 + 16 * i;
      const tag = String.fromCharCode(...file.subarray(at, at + 4));
      this.#tables.set(tag, bytes.getUint32(at + 8));
    }
    const [head, hhea] = [this.#table('head'), this.#table('hhea')];
    this.unitsPerEm = bytes.getUint16(head + 18);
    this.#isLongLoca = bytes.getInt16(head + 50) === 1;
    this.ascent = bytes.getInt16(hhea + 4);
    this.descent = bytes.getInt16(hhea + 6);
    this.#metricCount = bytes.getUint16(hhea + 34);
    this.#glyphOf = readCharacters(bytes, this.#table('cmap'));
  }

  /** Returns true if the font has a glyph for a character. */
  has(code: number): boolean {
    return this.#glyphOf(code) !== 0;
  }

  /** Returns the glyph of a character, or the font's box if the font lacks the character. */
  glyph(code: number): Glyph {
    const glyph = this.#glyphOf(code);
    const metric = Math.min(glyph, this.#metricCount - 1);
    const advance = this.#bytes.getUint16(this.#table('hmtx') + 4 * metric);
    return { advance, contours: this.#contours(glyph, 0) };
  }

  #table(tag: string): number {
    const offset = this.#tables.get(tag);
    if (offset === undefined) throw new RangeError(`the font has no table ${tag}`);
    return offset;
  }

  #contours(glyph: number, depth: number): Contour[] {
    const loca = this.#table('loca');
    const [start, end] = [glyph, glyph + 1].map((one) =>
      this.#isLongLoca
        ? this.#bytes.getUint32(loca + 4 * one)
        : 2 * this.#bytes.getUint16(loca + 2 * one),
    );
    if (start === end) return [];
    const at = this.#table('glyf') + start;
    const contourCount = this.#bytes.getInt16(at);
    if (contourCount >= 0) return readContours(this.#bytes, at + 10, contourCount);
    assert(depth < nestingMax, 'glyphs are not nested deeply');
    return this.#parts(at + 10, depth);
  }

  /** Reads a glyph that consists of other glyphs, which are moved and scaled. */
  #parts(start: number, depth: number): Contour[] {
    const bytes = this.#bytes;
    const contours: Contour[] = [];
    let at = start;
    for (;;) {
      const flags = bytes.getUint16(at);
      const part = bytes.getUint16(at + 2);
      at += 4;
      const isWide = (flags & 1) !== 0;
      const [dx, dy] = isWide
        ? [bytes.getInt16(at), bytes.getInt16(at + 2)]
        : [bytes.getInt8(at), bytes.getInt8(at + 1)];
      at += isWide ? 4 : 2;
      const scales = (flags & 8) !== 0 ? 1 : (flags & 64) !== 0 ? 2 : (flags & 128) !== 0 ? 4 : 0;
      const given = Array.from({ length: scales }, (_, i) => bytes.getInt16(at + 2 * i) / 16_384);
      at += 2 * scales;
      const [xx, xy, yx, yy] =
        scales === 4 ? given : [given[0] ?? 1, 0, 0, given[1] ?? given[0] ?? 1];
      for (const contour of this.#contours(part, depth + 1)) {
        const moved: number[] = [];
        for (let i = 0; i < contour.length; i += 2) {
          const [x, y] = [contour[i], contour[i + 1]];
          moved.push(x * xx + y * yx + dx, x * xy + y * yy + dy);
        }
        contours.push(moved);
      }
      if ((flags & 32) === 0) return contours;
    }
  }
}

/** Reads a cmap subtable in format 4 (BMP); returns a function from characters to glyphs. */
function readCharacters(bytes: DataView, cmap: number): (code: number) => number {
  const subtableCount = bytes.getUint16(cmap + 2);
  const offsets = Array.from({ length: subtableCount }, (_, i) => {
    return cmap + bytes.getUint32(cmap + 8 + 8 * i);
  });
  const at = offsets.find((offset) => bytes.getUint16(offset) === 4);
  if (at === undefined) throw new RangeError('the font has no table of characters in format 4');
  const segmentBytes = bytes.getUint16(at + 6);
  const ends = at + 14;
  const starts = ends + segmentBytes + 2;
  const deltas = starts + segmentBytes;
  const ranges = deltas + segmentBytes;
  return (code) => {
    for (let i = 0; i < segmentBytes; i += 2) {
      if (bytes.getUint16(ends + i) < code) continue;
      const start = bytes.getUint16(starts + i);
      if (start > code) return 0;
      const range = bytes.getUint16(ranges + i);
      const delta = bytes.getUint16(deltas + i);
      if (range === 0) return (code + delta) & 0xffff;
      const glyph = bytes.getUint16(ranges + i + range + 2 * (code - start));
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  };
}

/** A point of an outline. The control points of a curve are not on the curve. */
interface Point {
  readonly x: number;
  readonly y: number;
  readonly isOn: boolean;
}

function readContours(bytes: DataView, start: number, contourCount: number): Contour[] {
  const ends = Array.from({ length: contourCount }, (_, i) => bytes.getUint16(start + 2 * i));
  const pointCount = (ends.at(-1) ?? -1) + 1;
  let at = start + 2 * contourCount;
  at += 2 + bytes.getUint16(at);
  const flags: number[] = [];
  while (flags.length < pointCount) {
    const flag = bytes.getUint8(at++);
    const repeats = (flag & 8) === 0 ? 0 : bytes.getUint8(at++);
    for (let i = 0; i <= repeats; i++) flags.push(flag);
  }
  const axis = (shortBit: number, sameBit: number): number[] => {
    let value = 0;
    return flags.map((flag) => {
      const isSame = (flag & sameBit) !== 0;
      if ((flag & shortBit) !== 0) value += (isSame ? 1 : -1) * bytes.getUint8(at++);
      else if (!isSame) {
        value += bytes.getInt16(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = axis(2, 16);
  const ys = axis(4, 32);
  const points = flags.map((flag, i): Point => ({ x: xs[i], y: ys[i], isOn: (flag & 1) !== 0 }));
  return ends.map((end, i) => flatten(points.slice(i === 0 ? 0 : ends[i - 1] + 1, end + 1)));
}

const middle = (a: Point, b: Point): Point => ({
  x: (a.x + b.x) / 2,
  y: (a.y + b.y) / 2,
  isOn: true,
});

/** Replaces curves with lines. Between two control points, a curve passes through their middle. */
function flatten(points: readonly Point[]): Contour {
  if (points.length < 2) return [];
  const first = points.findIndex(({ isOn }) => isOn);
  const ring = first === -1 ? points : [...points.slice(first), ...points.slice(0, first)];
  let from = first === -1 ? middle(ring[ring.length - 1], ring[0]) : ring[0];
  const flat = [from.x, from.y];
  for (let i = first === -1 ? 0 : 1; i <= ring.length; i++) {
    const point = ring[i % ring.length];
    if (point.isOn) {
      flat.push(point.x, point.y);
      from = point;
      continue;
    }
    if (i === ring.length) break;
    const next = ring[(i + 1) % ring.length];
    const to = next.isOn ? next : middle(point, next);
    for (let step = 1; step <= linesOfCurve; step++) {
      const t = step / linesOfCurve;
      const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
      flat.push(a * from.x + b * point.x + c * to.x, a * from.y + b * point.y + c * to.y);
    }
    from = to;
  }
  return flat;
}
