// Tests of streams by key and by ref, as ingest creates them and as the log defines them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LabelPairs } from '../series/label-pairs.ts';
import { StreamTable } from './stream-table.ts';
import type { StreamKey } from '../series/stream-key.ts';
import { keyOfProfile } from '../testing/fill-head.ts';

function makeKey(i: number): StreamKey {
  const labels = { instance: `i${i}`, job: `job${i % 10}`, ...(i % 3 === 0 ? { zone: 'z' } : {}) };
  return keyOfProfile({
    labels,
    name: `profile${i % 150}`,
    valueColumns: 1 + (i % 2),
    duration: i % 5 === 0 ? 0n : 1n,
    time: 0n,
    rows: [],
  });
}

test('equal keys have one ref, others another; refs count up from 1', () => {
  const streams = new StreamTable(new LabelPairs(1), 2);
  const count = 50_000;
  for (let i = 0; i < count; i += 1) {
    assert.equal(streams.find(makeKey(i)), 0);
    assert.equal(streams.intern(makeKey(i)), i + 1);
    assert.equal(streams.intern(makeKey(i >> 1)), (i >> 1) + 1);
  }
  for (let i = 0; i < count; i += 1) assert.equal(streams.find(makeKey(i)), i + 1);
  for (let i = 0; i < count; i += 997) assert.deepEqual(streams.readKey(i + 1), makeKey(i));
  assert.equal(streams.length, count + 1);
});

test('parts of a key do not stand in for each other', () => {
  const streams = new StreamTable(new LabelPairs(1), 2);
  const base = makeKey(1);
  const [first] = base.sampleTypes;
  const keys: StreamKey[] = [
    base,
    { ...base, delta: !base.delta },
    { ...base, name: 'other' },
    { ...base, periodType: first },
    { ...base, sampleTypes: [first] },
    { ...base, labels: base.labels.slice(1) },
    { ...base, labels: [] },
  ];
  assert.deepEqual(
    keys.map((key) => streams.intern(key)),
    [1, 2, 3, 4, 5, 6, 7],
  );
});

test('definitions of the log keep their refs, and may not contradict each other', () => {
  const streams = new StreamTable(new LabelPairs(1), 2);
  assert.equal(streams.define(3, makeKey(0)), true);
  assert.equal(streams.define(3, makeKey(0)), false);
  assert.equal(streams.define(1, makeKey(1)), true);
  const wrong = [
    [3, makeKey(2)],
    [4, makeKey(0)],
    [0, makeKey(3)],
    [1_100_000, makeKey(4)],
  ] as const;
  for (const [ref, key] of wrong) {
    assert.throws(() => streams.define(ref, key), /contradicts another one/);
  }
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((ref) => streams.isDefined(ref)),
    [false, true, false, true, false],
  );
  assert.equal(streams.intern(makeKey(5)), 4);
  streams.setLoggedSegment(3, 8);
  assert.deepEqual([streams.loggedSegment(3), streams.loggedSegment(4)], [8, 0]);
});
