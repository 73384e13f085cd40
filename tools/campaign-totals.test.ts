// The table of totals keeps other commits and replaces the lines of the one that ran.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeTotals } from './campaign-totals.mjs';

const head = `# Totals

About them.

| date | commit |
| --- | --- |
`;

test('lines of a commit are written anew, others stay', () => {
  const rows = [
    { name: 'flips', pieces: 3, results: [{ cycles: 1_000 }, { cycles: 500 }, null] },
    { name: 'kills', pieces: 2, results: [] },
  ];
  const once = mergeTotals(head, { commit: 'aaa', date: '2026-01-01', rows });
  assert.equal(once, `${head}| 2026-01-01 | aaa | flips | 3 of 3 | 1 | 1,500 cycles |\n`);
  assert.equal(mergeTotals(once, { commit: 'aaa', date: '2026-01-01', rows }), once);
  const later = mergeTotals(once, { commit: 'bbb', date: '2026-01-02', rows });
  assert.equal(later, `${once}| 2026-01-02 | bbb | flips | 3 of 3 | 1 | 1,500 cycles |\n`);
});
