import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteBudget, ByteLease } from './request-body.ts';

test('a lease gives back what it took, once, and takes nothing after', () => {
  const budget = new ByteBudget(10);
  const lease = new ByteLease(budget);
  lease.take(6);
  assert.throws(() => lease.take(5), /hold 6 of 10 bytes/);
  assert.equal(budget.usedBytes, 6);
  lease.release();
  lease.release();
  assert.equal(budget.usedBytes, 0);
  assert.throws(() => lease.take(1), /has ended/);
  assert.equal(budget.usedBytes, 0);
});
