// The table of totals keeps other versions, replaces lines of the one that ran, and is read back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeTotals, readTotals } from './campaign-totals.mjs';

const head = `# Totals

About them.

| date | version |
| --- | --- |
`;

test('lines of a version and campaign are written anew, others stay', () => {
  const flips = { name: 'flips', pieces: 3, results: [{ cycles: 1_000 }, { cycles: 500 }, null] };
  const kills = { name: 'kills', pieces: 2, results: {} };
  const rowsOf = (version: string) => [flips, kills].map((row) => ({ ...row, version }));
  const once = mergeTotals(head, '2026-01-01', rowsOf('aaa'));
  assert.equal(once, `${head}| 2026-01-01 | aaa | flips | 1-3 of 3 | 3 | 1,500 cycles |\n`);
  assert.equal(mergeTotals(once, '2026-01-01', rowsOf('aaa')), once);
  const later = mergeTotals(once, '2026-01-02', rowsOf('bbb'));
  assert.equal(later, `${once}| 2026-01-02 | bbb | flips | 1-3 of 3 | 3 | 1,500 cycles |\n`);
  const killed = { ...kills, version: 'aaa', results: [{ kills: 50 }] };
  const more = mergeTotals(later, '2026-01-03', [killed]);
  assert.equal(more, `${later}| 2026-01-03 | aaa | kills | 1 of 2 | none | 50 kills |\n`);
});

test('what a line tells is gone on with', () => {
  const results = { 0: null, 1: { cycles: 1_000, kills: 7 }, 2: { cycles: 500 }, 6: null, 9: {} };
  const row = { name: 'flips', version: 'aaa', pieces: 10, results };
  const text = mergeTotals(head, '2026-01-01', [row]);
  assert.match(text, /\| 1-3, 7, 10 of 10 \| 1, 7 \| 1,500 cycles, 7 kills \|/);
  const read = readTotals(text, row);
  assert.deepEqual(read, { 0: null, 1: { cycles: 1_500, kills: 7 }, 2: {}, 6: null, 9: {} });
  assert.equal(mergeTotals(text, '2026-01-01', [{ ...row, results: read }]), text);
  assert.deepEqual(readTotals(text, { ...row, version: 'bbb' }), {});
});
