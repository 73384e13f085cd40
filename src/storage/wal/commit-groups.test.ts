import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommitGroups } from './commit-groups.ts';
import type { WaitingCommit } from './epoch.ts';

/** Creates a commit of `count` profiles. Each profile takes 1 KB by default. */
function makeCommit(count: number, bytes = 1_024 * count): WaitingCommit {
  const profiles = Array.from({ length: count }, () => ({}));
  return { commit: { profiles, bytes } } as unknown as WaitingCommit;
}

test('small commits wait for one large commit, however many there are', () => {
  const groups = new CommitGroups();
  const [first, second, third] = [makeCommit(10_000), makeCommit(10_000), makeCommit(1, 20 << 20)];
  const small = Array.from({ length: 4 }, () => makeCommit(1));
  const waiting = [first, second, third];
  assert.deepEqual(groups.take(waiting), [first]);
  waiting.push(small[0], small[1]);
  assert.deepEqual(groups.take(waiting), [small[0], small[1]]);
  waiting.push(small[2]);
  // Small commits that keep arriving do not delay large commits.
  assert.deepEqual(groups.take(waiting), [second, small[2]]);
  waiting.push(small[3]);
  assert.deepEqual(groups.take(waiting), [small[3]]);
  assert.deepEqual(groups.take(waiting), [third]);
  assert.deepEqual([waiting.length, groups.take(waiting).length], [0, 0]);
});

test('large commits follow each other where no small one waits', () => {
  const groups = new CommitGroups();
  const waiting = [makeCommit(2_000), makeCommit(3_000)];
  const [first, second] = waiting;
  assert.deepEqual(groups.take(waiting), [first]);
  assert.deepEqual(groups.take(waiting), [second]);
});

test('a group is full by profiles or by bytes, and none overtakes another of its size', () => {
  const check = (all: readonly WaitingCommit[], sizes: readonly number[]): void => {
    const groups = new CommitGroups();
    const waiting = [...all];
    const taken: WaitingCommit[] = [];
    const lengths: number[] = [];
    while (waiting.length > 0) {
      const group = groups.take(waiting);
      lengths.push(group.length);
      taken.push(...group);
    }
    assert.deepEqual(lengths, sizes);
    assert.deepEqual(taken, all);
  };
  check(
    Array.from({ length: 64 }, () => makeCommit(1)),
    [64],
  );
  check([makeCommit(1_000), makeCommit(500), makeCommit(1)], [1, 2]);
  check([makeCommit(1, 3 << 20), makeCommit(1, 3 << 20), makeCommit(1)], [1, 2]);
});
