// Tests of requests that begin in turns: how many begin in a turn, for how long, in which order of
// callers, and which requests are dropped.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Connection } from '../../auth/caller-id.ts';
import { requestsPerTurnMax, requestsPerTurnMillis } from '../../limits.ts';
import { RequestTurns } from './request-turns.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function setUp() {
  let nowMillis = 0;
  const turns = new RequestTurns({ monotonicMillis: () => nowMillis });
  const begun: string[] = [];
  const open = (remoteAddress: string): Connection => ({ remoteAddress }) as Connection;
  const add = (connection: Connection, name: string, millis = 0, isOpen = true): void =>
    turns.add({
      connection,
      isOpen: () => isOpen,
      begin: () => {
        nowMillis += millis;
        begun.push(name);
      },
    });
  return { open, begun, add };
}

test('a turn begins some requests, connection by connection, and none that is closed', async () => {
  const { open, begun, add } = setUp();
  const [many, few] = [open('10.0.0.1'), open('10.0.0.1')];
  for (let i = 0; i < 3 * requestsPerTurnMax; i += 1) add(many, `many ${i}`);
  add(few, 'closed', 0, false);
  add(few, 'few');
  assert.equal(begun.length, requestsPerTurnMax);
  await nextTurn();
  await nextTurn();
  assert.ok(begun.includes('few'), 'the other connection waits');
  assert.ok(begun.indexOf('few') < requestsPerTurnMax + 5, String(begun.indexOf('few')));
  while (begun.length < 3 * requestsPerTurnMax + 1) await nextTurn();
  const own = begun.filter((name) => name.startsWith('many'));
  assert.deepEqual(
    own,
    Array.from({ length: own.length }, (_, i) => `many ${i}`),
  );
  await nextTurn();
  assert.ok(!begun.includes('closed'));
});

test('a turn begins requests for some milliseconds, and one even if it has taken longer', async () => {
  const { open, begun, add } = setUp();
  const connection = open('10.0.0.1');
  const half = requestsPerTurnMillis / 2;
  for (const name of ['a', 'b', 'c', 'd']) add(connection, name, half);
  add(connection, 'long', 10 * requestsPerTurnMillis);
  add(connection, 'last');
  assert.deepEqual(begun, ['a', 'b']);
  while (begun.length < 6) {
    const before = begun.length;
    await nextTurn();
    assert.ok(begun.length - before <= 2, begun.join());
  }
  assert.deepEqual(begun, ['a', 'b', 'c', 'd', 'long', 'last']);
});

test('networks take turns, then their addresses, then connections', async () => {
  const { open, begun, add } = setUp();
  for (let i = 0; i < 200; i += 1) add(open(`10.0.0.${i % 200}`), `flood ${i}`, 1);
  for (let i = 0; i < 9; i += 1) add(open('10.0.1.1'), `near ${i}`, 1);
  add(open('10.9.9.9'), 'other', 1);
  while (begun.length < 210) await nextTurn();
  assert.ok(begun.indexOf('other') < requestsPerTurnMillis + 4, String(begun.indexOf('other')));
  assert.ok(begun.indexOf('near 8') < requestsPerTurnMillis + 30, begun.join());
});
