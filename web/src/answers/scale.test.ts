// Tests of the scale of a comparison.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenScale, scaleOf } from './scale.ts';

const rates = { kind: 'cpu', delta: true, sampled: true } as const;
const states = { kind: 'bytes', delta: false, sampled: true } as const;
const diff = 'diff(a, b)';

test('rates begin with load, states with amounts, and a choice beats both', () => {
  assert.equal(chosenScale('auto', rates), 'load');
  assert.equal(chosenScale('auto', states), 'amount');
  for (const measure of [rates, states]) {
    for (const scale of ['load', 'share', 'amount'] as const) {
      assert.equal(chosenScale(scale, measure), scale);
    }
  }
});

test('the base has the total of the other side, or its time, or as many snapshots', () => {
  assert.equal(scaleOf(diff, 'auto', rates), 'load');
  assert.equal(scaleOf(diff, 'share', rates), 'total');
  assert.equal(scaleOf(diff, 'amount', rates), 'seconds');
  assert.equal(scaleOf(diff, 'auto', states), 'snapshots');
  assert.equal(scaleOf(diff, 'share', states), 'total');
  assert.equal(scaleOf('a', 'auto', states), 'total');
});
