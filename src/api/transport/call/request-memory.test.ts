import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../base/errors.ts';
import { RequestMemory } from './request-memory.ts';

function memory(): { readonly memory: RequestMemory; readonly refused: unknown[] } {
  const refused: unknown[] = [];
  const limits = { bytesMax: 10, connectionBytesMax: 6 };
  const counter = { add: (_by?: number, labels?: object) => void refused.push(labels) };
  return { memory: new RequestMemory(limits, counter), refused };
}

test('a lease gives back what it took, once, and takes nothing after', () => {
  const all = memory().memory;
  const lease = all.lease({});
  lease.take(6);
  lease.give(2);
  assert.equal(all.usedBytes, 4);
  lease.release();
  lease.release();
  lease.give(3);
  assert.equal(all.usedBytes, 0);
  assert.throws(() => lease.take(1), /has ended/);
  assert.equal(all.usedBytes, 0);
});

test('a connection has a share, and all have a sum; a refusal takes nothing', () => {
  const { memory: all, refused } = memory();
  const [greedy, modest] = [{}, {}];
  all.lease(greedy).take(6);
  assert.throws(() => all.lease(greedy).take(1), /this connection hold 6 of 6 bytes/);
  const lease = all.lease(modest);
  assert.throws(
    () => lease.take(5),
    (error) =>
      error instanceof AppError &&
      error.retryAfterMillis === 1_000 &&
      /in flight hold 6 of 10 bytes/.test(error.message),
  );
  lease.take(4);
  assert.equal(all.usedBytes, 10);
  assert.deepEqual(refused, [{ limit: 'connection' }, { limit: 'all' }]);
});

test('a caller holds no more than is left for others, over all of its connections', () => {
  const refused: unknown[] = [];
  const counter = { add: (_by?: number, labels?: object) => void refused.push(labels) };
  const all = new RequestMemory({ bytesMax: 12, connectionBytesMax: 12 }, counter);
  const greedy = [all.lease({}, 'a'), all.lease({}, 'a')];
  greedy[0].take(4);
  greedy[1].take(2);
  const why = /requests of this caller hold 6 of 6 bytes/;
  assert.throws(() => greedy[1].take(1), why);
  const modest = all.lease({}, 'b');
  modest.take(3);
  assert.throws(() => modest.take(1), /this caller hold 3 of 3 bytes/);
  all.lease({}, 'c').take(1);
  greedy[0].release();
  greedy[0].release();
  modest.take(2);
  assert.equal(all.usedBytes, 8);
  assert.deepEqual(refused, [{ limit: 'caller' }, { limit: 'caller' }]);
});
