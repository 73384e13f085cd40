// Tests of tasks that run one after the other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InTurn } from './in-turn.ts';

test('one task at a time; a failed one does not end the others, an aborted one does not begin', async () => {
  const turns = new InTurn();
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const left = new AbortController();
  const start = (name: string, { signal }: AbortController): Promise<string> =>
    turns.run(() => {
      begun.push(name);
      const end = Promise.withResolvers<string>();
      ends.set(name, end);
      return end.promise;
    }, signal);
  const kept = new AbortController();
  const [first, second, third] = [start('a', kept), start('b', left), start('c', kept)];
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual(begun, ['a']);
  left.abort(new Error('left'));
  ends.get('a')?.reject(new Error('failed'));
  await assert.rejects(first, /failed/);
  await assert.rejects(second, /left/);
  while (begun.length < 2) await Promise.resolve();
  assert.deepEqual(begun, ['a', 'c']);
  ends.get('c')?.resolve('done');
  assert.equal(await third, 'done');
});
