import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Expiring } from './expiring.ts';
import { createFakeClock } from './fake/clock.ts';

test('is renewed a minute before its end, once for all who wait', async () => {
  const clock = createFakeClock();
  const token = new Expiring<number>(clock);
  let count = 0;
  const renew = async () => ({ value: (count += 1), lifeMillis: 300_000 });
  assert.deepEqual(await Promise.all([token.get(renew), token.get(renew)]), [1, 1]);
  await clock.advance(239_000);
  assert.equal(await token.get(renew), 1);
  await clock.advance(1_001);
  assert.equal(await token.get(renew), 2);
  token.forget();
  assert.equal(await token.get(renew), 3);
});

test('a failure is not kept', async () => {
  const token = new Expiring<number>(createFakeClock());
  await assert.rejects(
    token.get(() => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.equal(await token.get(async () => ({ value: 1, lifeMillis: Infinity })), 1);
});
