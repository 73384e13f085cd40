// Tests of the protobuf tables: known bytes from the specification, and round trips.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as messages from './messages.gen.ts';
import { toNanos, toTimestamp } from './timestamp.ts';
import { decode, encode, int64, message, repeated, string } from './protobuf.ts';

test('bytes are those of the specification', () => {
  const codec = message({ a: [1, int64], b: [2, string] });
  assert.deepEqual(
    [...encode(codec, { a: 150n, b: 'testing' })],
    [0x08, 0x96, 0x01, 0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67],
  );
});

test('64-bit integers are exact, negative ones included', () => {
  const codec = message({ value: [1, int64] });
  const values = [0n, 1n, -1n, 127n, 128n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)];
  for (const value of values) {
    assert.equal(decode(codec, encode(codec, { value })).value, value);
  }
});

test('a response survives the round trip, unknown fields are skipped', () => {
  const series = {
    labelset: { labels: [{ name: 'job', value: 'a"b,ü' }] },
    samples: [
      {
        timestamp: { seconds: 1_800_000_000n, nanos: 5 },
        value: 10n ** 18n,
        valuePerSecond: 1.25,
        duration: 10_000_000_000n,
        count: 3,
        rate: 0.5,
        coveredNanos: 4_000_000_000n,
      },
    ],
    periodType: { type: 'cpu', unit: 'nanoseconds' },
    sampleType: undefined,
    total: 2n ** 62n,
    average: 0.25,
    coveredNanos: 7n,
    snapshots: 1.5,
  };
  const answer = {
    series: [series, { ...series, samples: [] }],
    warnings: ['a', 'b'],
    profileTypes: ['t'],
  };
  const codec = messages.queryRangeResponse;
  assert.deepEqual(decode(codec, encode(codec, answer)), answer);
  assert.deepEqual(decode(message({}), encode(codec, answer)), {});
});

test('maps keep their keys; empty strings stay elements of a list', () => {
  const list = message({ names: [1, repeated(string)] });
  assert.deepEqual(decode(list, encode(list, { names: ['', 'a', ''] })).names, ['', 'a', '']);
  const targets = { targets: new Map([['api', { targets: [] }]]) };
  const codec = messages.targetsResponse;
  assert.deepEqual(decode(codec, encode(codec, targets)).targets, targets.targets);
});

test('bytes that end inside a field are refused', () => {
  const codec = message({ b: [2, string] });
  assert.throws(() => decode(codec, new Uint8Array([0x12, 0x07, 0x74])), RangeError);
  assert.throws(() => decode(codec, new Uint8Array([0x80])), RangeError);
});

test('timestamps keep nanoseconds before and after the epoch', () => {
  for (const nanos of [0n, 1n, -1n, 1_800_000_000_123_456_789n]) {
    assert.equal(toNanos(toTimestamp(nanos)), nanos);
  }
});
