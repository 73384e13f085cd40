// Tests that the pixels of a letter cover the same area as the font's outline of it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { Glyphs } from './glyphs.ts';
import { type Contour, TrueTypeFont } from './true-type.ts';

const path = '@expo-google-fonts/fira-mono/400Regular/FiraMono_400Regular.ttf';
const font = new TrueTypeFont(readFileSync(createRequire(import.meta.url).resolve(path)));
const glyphs = new Glyphs(font);

/** Returns the area of a polygon with its sign, by the shoelace formula. */
function area(contour: Contour): number {
  let sum = 0;
  for (let i = 0; i < contour.length; i += 2) {
    const next = (i + 2) % contour.length;
    sum += contour[i] * contour[next + 1] - contour[next] * contour[i + 1];
  }
  return sum / 2;
}

test('each letter covers the area of its outline, wherever it begins in a pixel', () => {
  const letters = 'ABCgjxyz0123456789@%&~|_.,;:()[]{}<>/*+-=…−×±λЖéÅ';
  for (const size of [12, 24, 30]) {
    for (const letter of letters) {
      const { contours } = font.glyph(letter.codePointAt(0) ?? 0);
      const scale = size / font.unitsPerEm;
      const want = Math.abs(contours.reduce((sum, one) => sum + area(one), 0)) * scale ** 2;
      assert.ok(want > 0, letter);
      for (const x of [0, 0.25, 0.5, 0.75]) {
        const { coverage } = glyphs.bitmap(letter, size, x);
        const got = coverage.reduce((sum, one) => sum + one / 255, 0);
        // Each pixel is rounded.
        assert.ok(Math.abs(got - want) <= 0.01 * coverage.length, `${letter} ${size}: ${got}`);
      }
    }
  }
});

test('all letters are equally wide, so that names can be fitted', () => {
  const widths = new Set(Array.from('iWm…▲▵~é中 ').map((letter) => glyphs.advance(letter, 20)));
  assert.deepEqual([...widths], [12]);
});

test('signs that the font lacks are drawn; letters of other scripts are its box', () => {
  const sum = (letter: string): number =>
    glyphs.bitmap(letter, 24, 0).coverage.reduce((all, one) => all + one, 0);
  assert.ok(!font.has('▵'.codePointAt(0) ?? 0));
  assert.ok(sum('▵') > 0 && sum('▵') < sum('▲'));
  assert.equal(sum('中'), sum('文'));
  assert.equal(sum('\u202f'), 0);
});
