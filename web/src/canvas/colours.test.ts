// Tests of computed colours: contrast of text, and stable hues.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as colours from './colours.ts';

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG 2 contrast ratio. */
function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

test('text on every fill has a contrast of at least 4.5', () => {
  for (const palette of [colours.lightPalette, colours.darkPalette]) {
    for (const fill of [...palette.hues, palette.other, palette.root]) {
      assert.ok(contrast(fill, palette.text) >= 5.5, `${palette.text} on ${fill}`);
      assert.ok(contrast(fill, palette.scopeText) >= 4.5, `${palette.scopeText} on ${fill}`);
    }
    assert.ok(contrast(palette.ancestor, palette.ancestorText) >= 4.5);
    assert.ok(contrast(palette.match, palette.matchText) >= 7);
    assert.ok(contrast(palette.dimmed, palette.dimmedText) >= 4.5);
    assert.ok(contrast(palette.cursor, palette.background) >= 4.5);
  }
});

test('the hue of a group follows only from its name', () => {
  const texts = Array.from({ length: 240 }, (_, i) => `module-${i}`);
  const makeGrouping = (names: readonly string[], area: readonly number[]) => ({
    ofName: new Uint32Array(0),
    texts: names,
    selfShare: Float64Array.from(area),
    area: Float64Array.from(area),
  });
  const count = colours.lightPalette.hues.length;
  assert.equal(colours.darkPalette.hues.length, count);
  const all = colours.assignHues(
    makeGrouping(
      texts,
      Array.from(texts, (_, i) => i),
    ),
    count,
  );
  const few = colours.assignHues(makeGrouping(['(unknown)', texts[7], texts[3]], [3, 2, 1]), count);
  assert.deepEqual([...few], [colours.otherHue, all[7], all[3]]);
  assert.equal(new Set(all).size, count, 'all hues are used');
});

test('kinds are used when they tell frames apart, else binaries, else packages', () => {
  const grouping = (texts: string[], shares: number[]) => ({
    ofName: new Uint32Array(0),
    texts,
    selfShare: Float64Array.from(shares),
    area: Float64Array.from(shares),
  });
  const [one, two] = [grouping(['(unknown)', 'a'], [0.1, 0.9]), grouping(['a', 'b'], [0.6, 0.4])];
  const rare = grouping(['a', 'b'], [0.998, 0.002]);
  assert.equal(colours.autoGrouping({ kind: two, binary: two }), 'kind');
  assert.equal(colours.autoGrouping({ kind: rare, binary: two }), 'binary');
  assert.equal(colours.autoGrouping({ kind: one, binary: one }), 'package');
});

test('each kind has a colour of its own', () => {
  const kinds = ['own code', 'libraries', 'runtime', 'kernel', 'garbage collection', 'interpreter'];
  const hues = kinds.map((kind) => colours.hashHue(kind, colours.lightPalette.hues.length));
  assert.equal(new Set(hues).size, kinds.length);
});
