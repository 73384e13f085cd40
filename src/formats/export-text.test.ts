import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../base/errors.ts';
import { exactNumbers, ExportText } from './export-text.ts';

const hasCode = (code: string) => (error: unknown) =>
  error instanceof AppError && error.code === code;

test('a text ends at its limit', () => {
  const text = new ExportText(6);
  text.addJsonArray([1, 'x']);
  text.add('\n');
  assert.equal(new TextDecoder().decode(text.finish()), '[1,x]\n');
  assert.throws(() => text.add('y'), hasCode('resource-exhausted'));
  const empty = new ExportText(2);
  empty.addJsonArray([]);
  assert.equal(new TextDecoder().decode(empty.finish()), '[]');
});

test('numbers are exact or refused, whatever the order of their signs', () => {
  assert.deepEqual(
    exactNumbers(BigInt64Array.of(2n ** 53n - 2n, -1n), 'x'),
    [9_007_199_254_740_990, -1],
  );
  const cancelling = BigInt64Array.of(2n ** 62n, -(2n ** 62n));
  assert.throws(() => exactNumbers(cancelling, 'x'), hasCode('out-of-range'));
});
