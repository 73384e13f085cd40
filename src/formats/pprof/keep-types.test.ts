import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuProfile, encodeProfile } from '../../../test/support/profiles/pprof-builder.ts';
import { PprofColumns } from './columns.ts';
import { decodePprof } from './decode.ts';
import { countSamples, keepSampleTypes } from './keep-types.ts';

const whole = cpuProfile({
  timeNanos: 1n,
  samples: [
    ['main;a', 3n],
    ['main;b', -5n],
  ],
});
const message = encodeProfile(whole);

function decoded(bytes: Uint8Array): unknown {
  const columns = new PprofColumns();
  decodePprof(bytes, columns);
  const { valueStart, values, sampleCount } = columns;
  return {
    types: columns.sampleTypeCount,
    values: Array.from({ length: sampleCount }, (_, row) => [
      ...values.subarray(valueStart[row], valueStart[row + 1]),
    ]),
  };
}

test('a profile without a sample type equals one that never had the type', () => {
  const counts = keepSampleTypes(message, [{ type: 'samples', unit: 'count' }]);
  const period = 10_000_000n;
  const times = keepSampleTypes(message, [{ type: 'cpu', unit: 'nanoseconds' }]);
  assert.deepEqual(decoded(counts), { types: 1, values: [[3n], [-5n]] });
  assert.deepEqual(decoded(times), { types: 1, values: [[3n * period], [-5n * period]] });
  assert.equal(countSamples(counts), 2);
});

test('a message whose types are all kept is not changed', () => {
  const all = [
    { type: 'cpu', unit: 'nanoseconds' },
    { type: 'samples', unit: 'count' },
  ];
  assert.equal(keepSampleTypes(message, all), message);
  assert.deepEqual(decoded(keepSampleTypes(message, [])), { types: 0, values: [[], []] });
});

test('a damaged message is refused', () => {
  const cut = message.subarray(0, 20);
  assert.throws(() => keepSampleTypes(cut, []), /failed to parse profile/);
});
