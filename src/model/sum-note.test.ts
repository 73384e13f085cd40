// Tests of sentences about totals that are not amounts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProfileType } from './profile-type.ts';
import { formatAveragesNote, readSumNote, formatSumNote } from './sum-note.ts';

test('sums of states and of counts are told, and read back', () => {
  const added = { profileCount: 12, seriesCount: 1, snapshots: 11.5 };
  const heap = parseProfileType('memory:inuse_space:bytes:space:bytes');
  const states = formatSumNote(heap, added);
  assert.equal(
    states,
    'memory:inuse_space is what there was at a moment, and the total adds up 12 profiles of ' +
      '1 series: divided by 11.5 snapshots, it is an average',
  );
  const counts = formatSumNote(
    parseProfileType('mutex:delay:nanoseconds:contentions:count'),
    added,
  );
  assert.equal(
    counts,
    'mutex:delay counts since each program started, and the total adds up 12 profiles of ' +
      '1 series: for an amount, add | increase',
  );
  assert.deepEqual(
    [states, counts].map((note) => readSumNote(note)),
    ['states', 'counts'],
  );
  assert.equal(formatAveragesNote(states ?? ''), undefined);
  assert.match(formatAveragesNote(counts ?? '') ?? '', /and values are averages of 12 profiles/);
  assert.equal(readSumNote(formatAveragesNote(counts ?? '') ?? ''), 'counts');
  assert.equal(formatAveragesNote('cannot read a block'), 'cannot read a block');
  assert.equal(readSumNote('cannot read a block'), undefined);
});

test('amounts are not worth a word', () => {
  const check = (type: string, profileCount: number): void =>
    assert.equal(
      formatSumNote(parseProfileType(type), { profileCount, seriesCount: 2, snapshots: 1 }),
      undefined,
    );
  check('process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta', 100);
  // There is one profile of each program.
  check('memory:inuse_space:bytes:space:bytes', 2);
  check('mutex:delay:nanoseconds:contentions:count', 2);
});
