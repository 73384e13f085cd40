import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runAs } from './current-caller.ts';
import { Slots } from './slots.ts';

/**
 * Starts work for callers, which ends only when the test ends it, and lists the work that has
 * begun.
 */
function start(slots: Slots) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (caller: string, name: string, signal?: AbortSignal): Promise<unknown> =>
    runAs(caller, () =>
      slots.run(async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
      }, signal),
    );
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { begun, run, end };
}

test('a caller with many tasks delays each other caller by one', async () => {
  const slots = new Slots(1);
  const { begun, run, end } = start(slots);
  const all = [run('10.0.0.1', 'a1')];
  for (const name of ['a2', 'a3', 'a4']) all.push(run('10.0.0.1', name));
  // These are another address of the same network, and a caller that is known by its token.
  all.push(run('10.0.0.2', 'b1'), run('token "ci"', 'c1'), run('token "ci"', 'c2'));
  assert.equal(slots.waitingCount, 6);
  for (let i = 0; i < all.length; i += 1) await end(begun[i]);
  await Promise.all(all);
  assert.deepEqual(begun, ['a1', 'a2', 'c1', 'b1', 'c2', 'a3', 'a4']);
  assert.equal(slots.waitingCount, 0);
});

test('a wait ends with its signal, and its caller keeps the turns of the others', async () => {
  const slots = new Slots(1);
  const { begun, run, end } = start(slots);
  const all = [run('10.0.0.1', 'a1'), run('10.0.0.1', 'a2')];
  const gone = new AbortController();
  const leaving = run('10.9.0.1', 'b1', gone.signal);
  const aborted = assert.rejects(run('10.9.0.1', 'b2', AbortSignal.abort('too late')), /too late/);
  all.push(run('10.9.0.1', 'b3'));
  gone.abort(new Error('the caller has gone'));
  await assert.rejects(leaving, /the caller has gone/);
  await aborted;
  assert.equal(slots.waitingCount, 2);
  for (let i = 0; i < all.length; i += 1) await end(begun[i]);
  await Promise.all(all);
  assert.deepEqual(begun, ['a1', 'a2', 'b3']);
});
