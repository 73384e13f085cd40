// Tests of deletions: the streams that they affect, and their file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryFiles } from '../../base/fake/memory-files.ts';
import { seededRandom } from '../../base/random.ts';
import { createLabelSet } from '../../model/labels.ts';
import { createMatcher } from '../../model/matcher.ts';
import {
  deletedRanges,
  readDeletions,
  writeDeletions,
  type Deletion,
  decodeDeletions,
  encodeDeletions,
} from './deletions.ts';
import type { StreamKey } from '../series/stream-key.ts';

const key: StreamKey = {
  labels: createLabelSet([{ name: 'job', value: 'api' }]),
  name: 'memory',
  sampleTypes: [
    { type: 'alloc_space', unit: 'bytes' },
    { type: 'inuse_space', unit: 'bytes' },
  ],
  periodType: { type: 'space', unit: 'bytes' },
  delta: false,
};

const range = { from: -5n, to: 2n ** 62n };
const everything: Deletion = { matchers: [], profileType: undefined, range };

function comparable(deletions: readonly Deletion[]): unknown[] {
  return deletions.map(({ matchers, ...rest }) => ({
    ...rest,
    matchers: matchers.map(({ name, operator, value }) => ({ name, operator, value })),
  }));
}

const deletions: readonly Deletion[] = [
  everything,
  {
    matchers: [
      createMatcher('job', '=~', 'a.*'),
      createMatcher('__name__', '!=', 'x'),
      createMatcher('zone', '!~', 'b|c'),
      createMatcher('é', '=', 'ü'),
    ],
    profileType: 'memory:inuse_space:bytes:space:bytes',
    range: { from: 1n, to: 1n },
  },
];

test('a deletion selects streams by labels, name and type', () => {
  const check = (deletion: Partial<Deletion>, isConcerned: boolean): void => {
    const ranges = deletedRanges([{ ...everything, ...deletion }], key);
    assert.deepEqual(ranges, isConcerned ? [range] : []);
  };
  check({}, true);
  check({ matchers: [createMatcher('job', '=', 'api')] }, true);
  check({ matchers: [createMatcher('job', '=', 'web')] }, false);
  check({ matchers: [createMatcher('zone', '=', '')] }, true);
  check({ matchers: [createMatcher('__name__', '=~', 'mem.*')] }, true);
  check({ matchers: [createMatcher('__name__', '=', 'process_cpu')] }, false);
  check({ profileType: 'memory:inuse_space:bytes:space:bytes' }, true);
  check({ profileType: 'memory:inuse_space:bytes:space:bytes:delta' }, false);
});

test('deletions are read back as they were written', () => {
  assert.deepEqual(comparable(decodeDeletions(encodeDeletions(deletions))), comparable(deletions));
  assert.deepEqual(decodeDeletions(encodeDeletions([])), []);
});

test('every flipped bit and every missing end is noticed', () => {
  const bytes = encodeDeletions(deletions);
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const damaged = bytes.slice();
    damaged[bit >> 3] ^= 1 << (bit & 7);
    assert.throws(() => decodeDeletions(damaged), { code: 'data-loss' });
  }
  for (let length = 0; length < bytes.length; length += 1) {
    assert.throws(() => decodeDeletions(bytes.subarray(0, length)), { code: 'data-loss' });
  }
});

test('a crash while they are written leaves the old deletions or the new ones', async () => {
  for (let calls = 0; calls < 12; calls += 1) {
    for (let seed = 1; seed < 10; seed += 1) {
      const files = new MemoryFiles(seededRandom(seed));
      await files.makeDirectory('/blocks');
      await files.syncDirectory('/');
      await writeDeletions(files, '/blocks/a.block', [everything]);
      files.cutPowerAfter(calls);
      const write = writeDeletions(files, '/blocks/a.block', deletions).then(() => 'written');
      const end = await Promise.race([write, files.untilPowerIsOff()]);
      files.powerLoss();
      const found = await readDeletions(files, '/blocks/a.block');
      const want = end === 'written' || found.length === 2 ? deletions : [everything];
      assert.deepEqual(comparable(found), comparable(want));
    }
  }
});
