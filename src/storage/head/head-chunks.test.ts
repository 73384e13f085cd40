// Tests that the chunks of a head contain every profile of the range once, in order, with its rows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seededRandom } from '../../base/random.ts';
import { Dictionary } from '../../model/dictionary.ts';
import type { ChunkInput } from '../chunk/chunk-data.ts';
import { HeadChunks } from './head-chunks.ts';
import { Head } from './head.ts';
import {
  applyProfile,
  keyOfProfile,
  type HeadProfile,
  type HeadRow,
} from '../testing/fill-head.ts';

const segmentBytes = 1024;

/** Returns the profiles of a chunk as time, rows and hash. */
function readProfiles(chunk: ChunkInput): Pick<HeadProfile, 'time' | 'rows' | 'hash'>[] {
  return Array.from({ length: chunk.profileCount }, (_, i) => ({
    time: chunk.timeNanos[i],
    hash: BigInt(chunk.contentHash?.[i] ?? 0),
    rows: Array.from({ length: chunk.rowStart[i + 1] - chunk.rowStart[i] }, (_row, j): HeadRow => {
      const row = chunk.rowStart[i] + j;
      const values = chunk.values.map((valueColumn) => valueColumn[row]);
      return [chunk.stacks[row], chunk.sampleLabels?.[row] ?? 0, ...values];
    }),
  }));
}

test('chunks hold every profile of the range once, in order of time', () => {
  const random = seededRandom(5);
  for (let round = 0; round < 30; round += 1) {
    const valueColumns = 1 + randomBelow(random, 3);
    const head = new Head(new Dictionary([1, 2, 3]), segmentBytes);
    const want = Array.from({ length: randomBelow(random, 150) }, (_, i) => ({
      valueColumns,
      time: BigInt(randomBelow(random, 100)),
      hash: BigInt(i),
      rows: randomRows(random, valueColumns, round % 2 === 0),
    }));
    for (const profile of want) assert.equal(applyProfile(head, profile), 'stored');
    const ref = head.internStream(keyOfProfile({ valueColumns, time: 0n, rows: [] }));
    const range = { from: 10n, to: 80n };
    const chunks = new HeadChunks(head);
    const found: ReturnType<typeof readProfiles> = [];
    for (const chunk of chunks.readChunks(ref, range, 40)) {
      const profiles = readProfiles(chunk);
      assert.ok(chunk.stacks.length <= 40, 'a chunk keeps its limit');
      found.push(...profiles);
    }
    const inRange = want
      .filter(({ time }) => time >= range.from && time <= range.to)
      .sort((a, b) => Number(a.time - b.time))
      .map(({ time, rows, hash }) => ({ time, hash, rows }));
    assert.deepEqual(found, inRange);
  }
});

function randomRows(
  random: ReturnType<typeof seededRandom>,
  valueColumns: number,
  isLabelled: boolean,
): HeadRow[] {
  return Array.from({ length: randomBelow(random, 10) }, (_, i): HeadRow => {
    const values = Array.from(
      { length: valueColumns },
      () => BigInt(random.uint32()) - (1n << 31n),
    );
    return [i * 3 + 1, isLabelled ? randomBelow(random, 4) : 0, ...values];
  });
}

test('a head says which streams have profiles, of which times, and what it holds', () => {
  const head = new Head(new Dictionary([1, 2, 3]), segmentBytes);
  const empty = head.internStream(keyOfProfile({ labels: { job: 'none' }, time: 0n, rows: [] }));
  assert.deepEqual([[...head.refs()], head.range], [[], undefined]);
  const profile: HeadProfile = { labels: { job: 'a' }, time: 7n, rows: [[1, 0, 5n]], hash: 9n };
  applyProfile(head, profile);
  applyProfile(head, { ...profile, labels: { job: 'b' }, time: -3n });
  const ref = head.findStream(keyOfProfile(profile));
  assert.deepEqual([...head.refs()], [ref, ref + 1]);
  assert.deepEqual(head.range, { from: -3n, to: 7n });
  assert.deepEqual(head.readKey(ref), keyOfProfile(profile));
  assert.equal(head.findStream(keyOfProfile({ labels: { job: 'c' }, time: 0n, rows: [] })), 0);
  // Only the low half of a hash counts, because blocks store only that half.
  assert.equal(head.holds(ref, 7n, 9n + (1n << 32n)), true);
  assert.equal(head.holds(ref, 7n, 8n), false);
  assert.equal(head.holds(ref, 6n, 9n), false);
  assert.equal(head.holds(empty, 7n, 9n), false);
  assert.equal(applyProfile(head, profile), 'known');
});
