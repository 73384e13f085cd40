// Tests of the queue of queries: how many run, in which order others follow, which are refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, errorCode } from '../../base/errors.ts';
import { QueryQueue } from './query-queue.ts';

const { signal } = new AbortController();

/** Takes turns by name and notes those that began; `end` ends one. */
function bench(runningMax: number, waitingMax: number) {
  const turns = new QueryQueue({ runningMax, waitingMax });
  const began: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = async (peer: string, name: string, of: AbortSignal = signal): Promise<void> => {
    try {
      ends.set(name, await turns.take(peer, of));
      began.push(name);
    } catch (error) {
      refused.push(`${name} ${errorCode(error)}`);
    }
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await settled();
  };
  return { turns, began, refused, ask, end };
}

/** Waits until everything that is ready has run. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

test('turns: callers take turns, also when one asks more', async () => {
  const { turns, began, ask, end } = bench(1, 10);
  for (const name of ['a1', 'a2', 'a3']) void ask('a', name);
  for (const name of ['b1', 'b2']) void ask('b', name);
  void ask('c', 'c1');
  await settled();
  assert.deepEqual(began, ['a1']);
  assert.deepEqual([turns.runningCount, turns.waitingCount], [1, 5]);
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name);
  assert.deepEqual(began, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  assert.deepEqual([turns.runningCount, turns.waitingCount], [0, 0]);
});

test('turns: when too many wait, the last of the longest line is refused', async () => {
  const { began, refused, ask, end } = bench(1, 3);
  for (const name of ['a1', 'a2', 'a3', 'a4']) void ask('a', name);
  await settled();
  assert.deepEqual(refused, []);
  void ask('b', 'b1');
  await settled();
  assert.deepEqual(refused, ['a4 resource-exhausted']);
  void ask('a', 'a5');
  await settled();
  assert.deepEqual(refused, ['a4 resource-exhausted', 'a5 resource-exhausted']);
  for (const name of ['a1', 'a2', 'b1']) await end(name);
  assert.deepEqual(began, ['a1', 'a2', 'b1', 'a3']);
});

test('turns: a call cancelled while waiting leaves the line, and fails with the reason', async () => {
  const { turns, began, refused, ask, end } = bench(1, 3);
  void ask('a', 'a1');
  const controller = new AbortController();
  void ask('b', 'b1', controller.signal);
  void ask('c', 'c1');
  await settled();
  controller.abort(new AppError('deadline-exceeded', 'too late'));
  await settled();
  assert.deepEqual(refused, ['b1 deadline-exceeded']);
  await end('a1');
  assert.deepEqual(began, ['a1', 'c1']);
  void ask('d', 'd1', controller.signal);
  await end('c1');
  assert.deepEqual(refused, ['b1 deadline-exceeded', 'd1 deadline-exceeded']);
  assert.equal(turns.runningCount, 0);
});

test('turns: without a limit no query waits', async () => {
  const { turns, ask } = bench(0, 0);
  for (let i = 0; i < 50; i += 1) void ask('a', `a${i}`);
  await settled();
  assert.deepEqual([turns.runningCount, turns.waitingCount], [50, 0]);
});
