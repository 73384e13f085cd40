// Tests of the sentence about a selection, which must not sound more certain than the samples
// allow.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMeasure, unknownCoverage } from '../format/measure.ts';
import { functionTable } from '../tree/function-table.ts';
import { noFunctionRows } from '../tree/function-rows.ts';
import { selectionSentence } from './selection-sentence.ts';

const measure = parseMeasure('process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta');

function say(functions: Readonly<Record<string, number>>, samples: number): string {
  const names = Object.keys(functions);
  const self = BigInt64Array.from(Object.values(functions), BigInt);
  const unknown = names.map(() => '');
  const rows = {
    ...noFunctionRows,
    count: names.length,
    names,
    hasFunction: new Uint8Array(names.length).fill(1),
    files: unknown,
    binaries: unknown,
    builds: unknown,
    self,
    total: self.slice(),
  };
  const total = self.reduce((sum, value) => sum + value, 0n);
  const table = functionTable(rows, { total, baseTotal: undefined });
  const parts = selectionSentence(table, { measure, coverage: { ...unknownCoverage, samples } });
  return parts.map(({ text }) => text.replaceAll('\u202f', ' ')).join('');
}

test('what is largest is said as far as samples can tell', () => {
  const shares = { 'a.Decode': 60, 'b.Sort': 30, 'runtime.gcDrain': 10 };
  assert.equal(
    say(shares, 1_000),
    'Most of it, 60.0 % ± 3.0, is a.Decode itself; garbage collection takes 10.0 %.',
  );
  // 24 of 40 samples may still be less than half of the values.
  assert.match(say(shares, 40), /^The largest part, 60\.0 % ± 14\.8, is a\.Decode itself/);
  assert.equal(say(shares, 29), '29 samples: too few to say where it goes.');
  const close = { 'a.A': 22, 'b.B': 20, 'c.C': 20, 'd.D': 38 };
  assert.match(say(close, 10_000), /^The largest part, 38\.0 % ± 1\.0, is d\.D itself\.$/);
  const near = { 'a.A': 26, 'b.B': 25, 'c.C': 25, 'd.D': 24 };
  assert.equal(say(near, 1_000), 'No function stands out: a.A has 26.0 % itself, b.B 25.0 %.');
  assert.equal(say({ 'a.A': 5 }, 500), 'Most of it, 100 % ± 0.4, is a.A itself.');
  assert.equal(say({}, 500), '');
});
