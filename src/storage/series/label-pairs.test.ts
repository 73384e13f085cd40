import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LabelPairs } from './label-pairs.ts';

test('values are ordered by UTF-16 units, as JavaScript orders strings', () => {
  const values = ['', 'a', 'ab', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '😀', '😁', '😀a', '￿b'];
  const pairs = new LabelPairs(1);
  const rows = values.map((value) => pairs.intern('name', value));
  const sorted = rows.sort((a, b) => pairs.compareValues(a, b)).map((row) => pairs.value(row));
  assert.deepEqual(sorted, [...values].sort());
});

test('the bytes of a value end before the number of its name, however long that is', () => {
  const pairs = new LabelPairs(1);
  for (let i = 0; i < 300; i += 1) {
    const row = pairs.intern(`name-${i}`, 'überall');
    assert.equal(Buffer.from(pairs.valueBytes(row)).toString(), 'überall');
    assert.deepEqual(pairs.label(row), { name: `name-${i}`, value: 'überall' });
    assert.equal(pairs.names[pairs.nameNumber(row)], `name-${i}`);
  }
});

test('a value that is longer than all before is kept whole', () => {
  const pairs = new LabelPairs(1);
  const values = [340, 1_000, 4_096, 65_536].map((length) => 'ö'.repeat(length));
  const rows = ['short', ...values].map((value) => pairs.intern('name', value));
  assert.deepEqual(
    rows.map((row) => pairs.value(row)),
    ['short', ...values],
  );
  assert.deepEqual(
    values.map((value) => pairs.intern('name', value)),
    rows.slice(1),
  );
});
