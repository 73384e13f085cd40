// Tests of how a comparison is scaled.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenScale, findScale } from './scale.ts';

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
  assert.equal(findScale(diff, 'auto', rates), 'load');
  assert.equal(findScale(diff, 'share', rates), 'total');
  assert.equal(findScale(diff, 'amount', rates), 'seconds');
  assert.equal(findScale(diff, 'auto', states), 'snapshots');
  assert.equal(findScale(diff, 'share', states), 'total');
  assert.equal(findScale('a', 'auto', states), 'total');
});
