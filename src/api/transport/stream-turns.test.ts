import assert from 'node:assert/strict';
import { test } from 'node:test';
import { streamsPerTurnMax } from '../limits.ts';
import { StreamTurns } from './stream-turns.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('a turn begins some streams, connection by connection, and none that is closed', async () => {
  const turns = new StreamTurns();
  const begun: string[] = [];
  const open = (connection: string): object => ({ connection });
  const [many, few] = [open('many'), open('few')];
  const add = (session: object, name: string, closed = false): void => {
    const stream = { session, closed, destroyed: false } as Parameters<typeof turns.add>[0];
    turns.add(stream, () => void begun.push(name));
  };
  for (let i = 0; i < 3 * streamsPerTurnMax; i += 1) add(many, `many ${i}`);
  add(few, 'closed', true);
  add(few, 'few');
  assert.equal(begun.length, streamsPerTurnMax);
  await nextTurn();
  assert.ok(begun.includes('few'), 'the other connection waits');
  assert.ok(begun.indexOf('few') < streamsPerTurnMax + 5, String(begun.indexOf('few')));
  assert.ok(begun.length <= 2 * streamsPerTurnMax, String(begun.length));
  for (let i = 0; i < 6; i += 1) await nextTurn();
  assert.equal(begun.length, 3 * streamsPerTurnMax + 1);
  const own = begun.filter((name) => name.startsWith('many'));
  assert.deepEqual(
    own,
    Array.from({ length: own.length }, (_, i) => `many ${i}`),
  );
});
