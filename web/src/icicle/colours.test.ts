// Tests of the colours by formula: contrast of text, and hues that stay.
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
    }
    assert.ok(contrast(palette.ancestor, palette.ancestorText) >= 4.5);
    assert.ok(contrast(palette.match, palette.matchText) >= 7);
    assert.ok(contrast(palette.dimmed, palette.dimmedText) >= 4.5);
    assert.ok(contrast(palette.cursor, palette.background) >= 4.5);
  }
});

test('the heaviest groups get different hues and keep them', () => {
  const texts = Array.from({ length: 20 }, (_, i) => `module-${i}`);
  const selfShare = Float64Array.from(texts, (_, i) => 1 / (i + 2));
  const grouping = { ofName: new Uint32Array(0), texts, selfShare, area: selfShare };
  const memory: colours.HueMemory = new Map();
  const first = colours.assignHues(grouping, memory, 12);
  const hued = first.filter((hue) => hue !== colours.otherHue);
  assert.equal(hued.length, 11);
  assert.equal(new Set(hued).size, 11);

  const turned = { ...grouping, area: selfShare.toReversed() };
  const second = colours.assignHues(turned, memory, 12);
  for (let i = 9; i < 11; i++) assert.equal(second[i], first[i], texts[i]);
});

test('modules are used when they tell frames apart, packages when they do not', () => {
  const grouping = (texts: string[], shares: number[]) => ({
    ofName: new Uint32Array(0),
    texts,
    selfShare: Float64Array.from(shares),
    area: Float64Array.from(shares),
  });
  assert.equal(colours.autoGrouping(grouping(['api', 'libc'], [0.6, 0.4])), 'module');
  assert.equal(colours.autoGrouping(grouping(['(unknown)', 'api'], [0.1, 0.9])), 'package');
});
