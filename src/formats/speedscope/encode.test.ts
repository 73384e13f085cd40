import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { readRealProfile } from '../testing/real-profile.ts';
import { createSmallProfile, oddName } from '../testing/small-profile.ts';
import { encodeSpeedscope } from './encode.ts';

interface File {
  readonly shared: { readonly frames: readonly { name: string }[] };
  readonly profiles: readonly { samples: number[][]; weights: number[]; endValue: number }[];
}

function parse(bytes: Uint8Array): File {
  return JSON.parse(new TextDecoder().decode(bytes)) as File;
}

test('the whole file of a small profile', () => {
  const { dictionary, inlined, bare, odd } = createSmallProfile();
  const stacks = Uint32Array.of(0, inlined, bare, odd);
  const values = BigInt64Array.of(1n, 2n, 0n, 9_007_199_254_740_988n);
  const meta = { name: 'cpu', unit: 'nanoseconds' };
  assert.deepEqual(parse(encodeSpeedscope(dictionary, { stacks, values }, meta)), {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    exporter: 'parca',
    name: 'cpu',
    activeProfileIndex: 0,
    profiles: [
      {
        type: 'sampled',
        name: 'cpu',
        unit: 'nanoseconds',
        startValue: 0,
        endValue: 9_007_199_254_740_991,
        samples: [[], [2, 1, 0], [2, 3]],
        weights: [1, 2, 9_007_199_254_740_988],
      },
    ],
    shared: {
      frames: [
        { name: 'leaf', file: 'main.go', line: 20 },
        { name: 'outer', file: 'main.go', line: 10 },
        { name: 'main', file: 'main.go', line: 2 },
        { name: oddName, file: 'main.go', line: 30 },
      ],
    },
  });
});

test('units that speedscope does not know are none; addresses name their binary', () => {
  const { dictionary, bare } = createSmallProfile();
  const merged = { stacks: Uint32Array.of(bare), values: BigInt64Array.of(1n) };
  const bytes = encodeSpeedscope(dictionary, merged, { name: 'goroutine', unit: 'count' });
  const { profiles, shared } = parse(bytes);
  assert.equal(Object.getOwnPropertyDescriptor(profiles[0], 'unit')?.value, 'none');
  assert.deepEqual(shared.frames[0], { name: '0x4a2f (libc.so.6)', file: '/usr/lib/libc.so.6' });
});

test('values that doubles or the viewer cannot hold are refused', () => {
  const { dictionary, inlined, bare } = createSmallProfile();
  const stacks = Uint32Array.of(inlined, bare);
  const check = (values: BigInt64Array, message: RegExp): void =>
    assert.throws(
      () => encodeSpeedscope(dictionary, { stacks, values }, { name: 'x', unit: 'bytes' }),
      (error) =>
        error instanceof AppError && error.code === 'out-of-range' && message.test(error.message),
    );
  check(BigInt64Array.of(2n ** 52n, 2n ** 52n), /add up to 9007199254740992/);
  check(BigInt64Array.of(1n, -7n), /negative value -7/);
});

test('go-cpu: every stack has the sum that another reader finds', () => {
  const { dictionary, merged, sums } = readRealProfile('go-cpu', 1);
  const bytes = encodeSpeedscope(dictionary, merged, { name: 'cpu', unit: 'nanoseconds' });
  const { shared, profiles } = parse(bytes);
  const [{ samples, weights, endValue }] = profiles;
  const read = new Map<string, bigint>();
  samples.forEach((sample, i) => {
    const path = sample.map((frame) => shared.frames[frame].name).join('\n');
    read.set(path, (read.get(path) ?? 0n) + BigInt(weights[i]));
  });
  assert.deepEqual(read, sums);
  assert.equal(endValue, Number([...sums.values()].reduce((a, b) => a + b, 0n)));
});
