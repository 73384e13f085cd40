import { finishAtOnce } from '../../../base/pacer.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import protobuf from 'protobufjs/minimal.js';
import fc from 'fast-check';
import { parca } from '../../../../proto/gen/profilestore.js';
import { AppError } from '../../../base/errors.ts';
import { inputLimits } from '../../../base/input-limits.ts';
import { unknownFieldsMax } from '../../limits.ts';
import { decodeWriteRaw } from './decode-write-raw.ts';

const { WriteRawRequest } = parca.profilestore.v1alpha1;

const request = WriteRawRequest.encode({
  tenant: 't',
  normalized: true,
  series: [
    {
      labels: { labels: [{ name: 'a', value: 'ü' }, { name: 'b' }] },
      samples: [
        { rawProfile: new Uint8Array([1, 2]), executableInfo: [{ elfType: 3 }] },
        { rawProfile: new Uint8Array([3]) },
      ],
    },
    { samples: [{}] },
    { labels: { labels: [{ name: 'c', value: 'd' }] } },
  ],
}).finish();

test('one upload per sample, with the labels of its series', () => {
  const { uploads, bare } = finishAtOnce(decodeWriteRaw(request));
  const labels = [
    { name: 'a', value: 'ü' },
    { name: 'b', value: '' },
  ];
  assert.deepEqual(
    uploads.map(({ labels: all, profile }) => ({ labels: all, profile: [...profile] })),
    [
      { labels, profile: [1, 2] },
      { labels, profile: [3] },
      { labels: [], profile: [] },
    ],
  );
  assert.ok(uploads.every(({ areFileAddresses }) => areFileAddresses === true));
  assert.deepEqual(bare, [[{ name: 'c', value: 'd' }]]);
});

test('profiles are views of the request', () => {
  assert.equal(finishAtOnce(decodeWriteRaw(request)).uploads[0].profile.buffer, request.buffer);
});

test('labels after samples count too', () => {
  const series = (json: parca.profilestore.v1alpha1.RawProfileSeries.$Properties) =>
    parca.profilestore.v1alpha1.RawProfileSeries.encode(json).finish();
  const both = Buffer.concat([
    series({ samples: [{ rawProfile: new Uint8Array([9]) }] }),
    series({ labels: { labels: [{ name: 'x', value: 'y' }] } }),
  ]);
  const bytes = Buffer.concat([Buffer.from([0x12, both.length]), both]);
  const [upload] = finishAtOnce(decodeWriteRaw(bytes)).uploads;
  assert.deepEqual(upload.labels, [{ name: 'x', value: 'y' }]);
});

test('the error of any damaged request is INVALID_ARGUMENT', () => {
  const check = (bytes: Uint8Array) => {
    try {
      finishAtOnce(decodeWriteRaw(bytes));
    } catch (error) {
      assert.ok(error instanceof AppError && error.code === 'invalid-argument', String(error));
    }
  };
  for (let length = 0; length <= request.length; length += 1) check(request.subarray(0, length));
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), check));
  const flipped = fc.tuple(fc.nat(request.length - 1), fc.nat(255));
  fc.assert(
    fc.property(flipped, ([at, value]) => {
      const bytes = Uint8Array.from(request);
      bytes[at] = value;
      check(bytes);
    }),
  );
});

test('too many series, profiles, labels and unknown fields are refused', () => {
  /**
   * Returns a message in which `count` empty messages are nested in the given fields, outermost
   * first.
   */
  const many = (count: number, ...outer: readonly number[]): Buffer => {
    let bytes = Buffer.alloc(2 * count, Uint8Array.from([8 * (outer.at(-1) ?? 0) + 2, 0]));
    for (const field of outer.slice(0, -1).toReversed()) {
      const head = protobuf.Writer.create()
        .uint32(8 * field + 2)
        .uint32(bytes.length)
        .finish();
      bytes = Buffer.concat([head, bytes]);
    }
    return bytes;
  };
  const over = inputLimits.seriesPerRequest + 1;
  assert.throws(() => finishAtOnce(decodeWriteRaw(many(over, 2))), /more than 10000 series/);
  assert.throws(() => finishAtOnce(decodeWriteRaw(many(over, 2, 2))), /more than 10000 profiles/);
  const labels = 2 * inputLimits.labelsPerSeries + 1;
  assert.throws(
    () => finishAtOnce(decodeWriteRaw(many(labels, 2, 1, 1))),
    /more than 128 labels, the limit is 64/,
  );
  const skipped = unknownFieldsMax + 1;
  for (const path of [[9], [2, 9], [2, 1, 9], [2, 2, 9]]) {
    assert.throws(
      () => finishAtOnce(decodeWriteRaw(many(skipped, ...path))),
      /more than 100000 unknown fields/,
    );
  }
});
