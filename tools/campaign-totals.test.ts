// The table of totals keeps other commits and replaces the lines of the one that ran.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeTotals } from './campaign-totals.mjs';

const head = `# Totals

About them.

| date | commit |
| --- | --- |
`;

test('lines of a commit and campaign are written anew, others stay', () => {
  const flips = { name: 'flips', pieces: 3, results: [{ cycles: 1_000 }, { cycles: 500 }, null] };
  const kills = { name: 'kills', pieces: 2, results: [] };
  const rowsOf = (commit: string) => [flips, kills].map((row) => ({ ...row, commit }));
  const once = mergeTotals(head, '2026-01-01', rowsOf('aaa'));
  assert.equal(once, `${head}| 2026-01-01 | aaa | flips | 3 of 3 | 1 | 1,500 cycles |\n`);
  assert.equal(mergeTotals(once, '2026-01-01', rowsOf('aaa')), once);
  const later = mergeTotals(once, '2026-01-02', rowsOf('bbb'));
  assert.equal(later, `${once}| 2026-01-02 | bbb | flips | 3 of 3 | 1 | 1,500 cycles |\n`);
  const killed = { ...kills, commit: 'aaa', results: [{ kills: 50 }] };
  const more = mergeTotals(later, '2026-01-03', [killed]);
  assert.equal(more, `${later}| 2026-01-03 | aaa | kills | 1 of 2 | 0 | 50 kills |\n`);
});
