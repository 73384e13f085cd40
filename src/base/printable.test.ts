import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  escapedForLogs,
  isPrintable,
  printable,
  printableLines,
  printableWithColours,
  spacedOut,
} from './printable.ts';

/** Sequences that set a title, write to the clipboard, hide text, or reverse it. */
const hostile: readonly string[] = [
  '\u001b]0;title\u0007',
  '\u001b[2J',
  '\u001bPq',
  '\u009b31m',
  '\u009d52;c;YQ\u009c',
  'a\rb',
  '\u007f',
  '\u0000',
  '\b\b',
  '\u202egpj.exe',
  '\u2066x\u2069',
  '\u061c',
  '\u200e',
  '\ufeff',
  '\u00ad',
  '\u200b',
  '\u{e0041}',
  '\u2028',
  '\u0085',
  '\ufff9',
];

test('nothing that controls a terminal is left', () => {
  const bad = /[\p{Cc}\p{Cf}\u2028]/u;
  for (const text of hostile) {
    assert.equal(isPrintable(text), false, JSON.stringify(text));
    for (const clean of [printable, printableLines, printableWithColours, spacedOut]) {
      assert.doesNotMatch(clean(text), bad, JSON.stringify(text));
    }
    const json = JSON.stringify(text);
    assert.doesNotMatch(escapedForLogs(json), bad);
    assert.equal(JSON.parse(escapedForLogs(json)), text);
  }
});

test('plain text stays', () => {
  const text = 'größe 関数 سلام 👩\u200d💻 a…b';
  for (const clean of [printable, printableLines, printableWithColours, spacedOut]) {
    assert.equal(clean(text), text);
  }
  assert.equal(isPrintable(text), true);
});

test('lines, tabs and the colours of tables stay where they belong', () => {
  const check = (clean: (text: string) => string, want: string): void =>
    assert.equal(clean('\u001b[31ma\tb\u001b[0m\nc\u001b[7m'), want);
  check(printable, '\ufffd[31ma\ufffdb\ufffd[0m\ufffdc\ufffd[7m');
  check(printableLines, '\ufffd[31ma\tb\ufffd[0m\nc\ufffd[7m');
  check(printableWithColours, '\u001b[31ma\tb\u001b[0m\nc\ufffd[7m');
  check(spacedOut, ' [31ma b [0m c [7m');
});
