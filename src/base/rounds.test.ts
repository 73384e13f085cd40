import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rounds } from './rounds.ts';

test('groups take turns, and so do the groups within each of them', () => {
  const rounds = new Rounds<string>();
  const add = (text: string): void => rounds.add(text.slice(0, -1).split(''), text);
  for (const text of ['ax1', 'ax2', 'ax3', 'ay1', 'ay2', 'bz1', 'bz2']) add(text);
  assert.equal(rounds.size, 7);
  const taken = [rounds.take(), rounds.take()];
  // A group that is added later gets its turn in the same round.
  add('cw1');
  while (rounds.size > 0) taken.push(rounds.take());
  assert.deepEqual(taken, ['ax1', 'bz1', 'ay1', 'bz2', 'cw1', 'ax2', 'ay2', 'ax3']);
  assert.equal(rounds.take(), undefined);
  add('ax1');
  assert.equal(rounds.take(), 'ax1');
});

test('an item that is removed leaves no empty group, and the others keep their turns', () => {
  const rounds = new Rounds<string>();
  const add = (text: string): void => rounds.add(text.slice(0, -1).split(''), text);
  const remove = (text: string): boolean => rounds.remove(text.slice(0, -1).split(''), text);
  for (const text of ['ax1', 'ay1', 'bz1', 'bz2', 'cw1']) add(text);
  assert.deepEqual([remove('ay1'), remove('bz1'), remove('cw1')], [true, true, true]);
  assert.deepEqual([remove('ay1'), remove('bz3'), remove('dv1')], [false, false, false]);
  assert.equal(rounds.size, 2);
  const taken = [rounds.take(), rounds.take(), rounds.take()];
  assert.deepEqual(taken, ['ax1', 'bz2', undefined]);
});
