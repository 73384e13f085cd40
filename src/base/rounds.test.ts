import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rounds } from './rounds.ts';

test('groups take turns, and so do the groups within each of them', () => {
  const rounds = new Rounds<string>();
  const add = (text: string): void => rounds.add(text.slice(0, -1).split(''), text);
  for (const text of ['ax1', 'ax2', 'ax3', 'ay1', 'ay2', 'bz1', 'bz2']) add(text);
  assert.equal(rounds.size, 7);
  const taken = [rounds.take(), rounds.take()];
  // A group that comes later has its turn within the round.
  add('cw1');
  while (rounds.size > 0) taken.push(rounds.take());
  assert.deepEqual(taken, ['ax1', 'bz1', 'ay1', 'bz2', 'cw1', 'ax2', 'ay2', 'ax3']);
  assert.equal(rounds.take(), undefined);
  add('ax1');
  assert.equal(rounds.take(), 'ax1');
});
