// Tests of the number of samples that a value represents.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProfileType } from '../../model/profile-type.ts';
import { countSamples } from './summary.ts';

/** Facts about profiles of one period with 280 rows. */
const summary = {
  times: { profileCount: 1, timeNanos: 0n, durationNanos: 0n, snapshots: 1, period: 32_768n },
  hasOnePeriod: true,
  value: 0n,
  samples: 0n,
  rowCount: 280n,
  isOverTime: false,
  unknown: [],
};

test('a value of the measure of the period has a sample a period, any other a sample a row', () => {
  const check = (type: string, want: bigint) =>
    assert.equal(countSamples(summary, [parseProfileType(type)], 3_276_800n, false), want, type);
  check('process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta', 100n);
  check('memory:inuse_space:bytes:inuse_space:bytes', 100n);
  check('memory:inuse_space:bytes:space:bytes', 100n);
  check('memory:alloc_space:bytes:space:bytes', 100n);
  check('memory:inuse_objects:count:space:bytes', 280n);
  check('mutex:delay:nanoseconds:contentions:count', 280n);
  check('process_cpu:samples:count:cpu:nanoseconds:delta', 3_276_800n);
});
