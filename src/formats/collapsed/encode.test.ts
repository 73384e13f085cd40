import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dictionary } from '../../model/dictionary.ts';
import { readRealProfile } from '../testing/real-profile.ts';
import { createSmallProfile } from '../testing/small-profile.ts';
import { encodeCollapsed } from './encode.ts';

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/**
 * Parses collapsed text, and returns the sum of the values of each stack. As in flamegraph.pl, the
 * value follows the last space.
 */
function readCollapsed(text: string): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const line of text.split('\n').slice(0, -1)) {
    const space = line.lastIndexOf(' ');
    const path = line.slice(0, space);
    sums.set(path, (sums.get(path) ?? 0n) + BigInt(line.slice(space + 1)));
  }
  return sums;
}

test('inlined calls, addresses and odd names are frames; values are exact', () => {
  const { dictionary, inlined, bare, odd } = createSmallProfile();
  const stacks = Uint32Array.of(0, inlined, bare, odd);
  const values = BigInt64Array.of(1n, 2n ** 63n - 1n, -2n, 3n);
  assert.equal(
    decode(encodeCollapsed(dictionary, { stacks, values })),
    [
      '[no stack] 1',
      'main;outer;leaf 9223372036854775807',
      'main;0x4a2f (libc.so.6) -2',
      'main;a:b "c" d e 3',
      '',
    ].join('\n'),
  );
});

test('a stack that sums to nothing has no line', () => {
  const { dictionary, inlined, bare } = createSmallProfile();
  const stacks = Uint32Array.of(inlined, bare);
  const values = BigInt64Array.of(0n, 1n);
  assert.equal(
    decode(encodeCollapsed(dictionary, { stacks, values })),
    'main;0x4a2f (libc.so.6) 1\n',
  );
  const nothing = { stacks: new Uint32Array(0), values: new BigInt64Array(0) };
  assert.equal(encodeCollapsed(new Dictionary([1, 2, 3]), nothing).length, 0);
});

for (const [name, index] of [
  ['go-cpu', 1],
  ['go-heap', 3],
] as const) {
  test(`${name}: every stack has the sum that another reader finds`, () => {
    const { dictionary, merged, sums } = readRealProfile(name, index);
    const read = readCollapsed(decode(encodeCollapsed(dictionary, merged)));
    assert.ok(read.size > 5, `${read.size} stacks`);
    const written = [...sums].map(
      ([path, sum]) => [path.replaceAll(';', ':').replaceAll('\n', ';'), sum] as const,
    );
    assert.deepEqual(read, new Map(written));
  });
}
