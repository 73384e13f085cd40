// Tests of tries and trees of stacks, both intact and damaged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Profile } from 'pprof-format';
import { AppError } from '../../base/errors.ts';
import { randomBelow, seededRandom } from '../../base/random.ts';
import { plainCounts } from '../reading/imported-profile.ts';
import { decodeStackTree, type StackTreeForm } from './decode-tree.ts';

const context = { timeNanos: 1n, durationNanos: 2n, counts: plainCounts };

/** A node: its name, its flat value, and its children. */
type Node = readonly [name: string, value: number, children?: readonly Node[]];

/** Encodes a node whose numbers are below 128. */
function encode([name, value, children = []]: Node): number[] {
  const bytes = [...Buffer.from(name, 'latin1')];
  return [bytes.length, ...bytes, value, children.length, ...children.flatMap(encode)];
}

function decode(bytes: Uint8Array, form: StackTreeForm): string[] {
  const { pprof } = decodeStackTree(bytes, context, form);
  const { stringTable, function: functions, location, sample } = Profile.decode(pprof);
  return sample.map(({ locationId, value }) => {
    const names = locationId.map((id) => {
      const { functionId } = location[Number(id) - 1].line[0];
      return stringTable.strings[Number(functions[Number(functionId) - 1].name)];
    });
    return `${names.toReversed().join(';')} ${value.join()}`;
  });
}

const utf8 = (text: string): string => Buffer.from(text).toString('latin1');
const tree: Node = [
  '',
  0,
  [
    [
      'main',
      1,
      [
        ['b;c', 2],
        ['ä', 3, [['leaf', 4]]],
      ],
    ],
    ['other', 0, [['x', 5]]],
  ],
];
const accents = utf8('é;ü');
// The two accented characters have the same first byte.
const split: Node = [
  `;${accents.slice(0, 1)}`,
  0,
  [
    [accents.slice(1), 5],
    [utf8('è').slice(1), 6],
  ],
];
const work: Node = [
  ';wo',
  0,
  [
    ['rk', 2, [[';leaf', 3]]],
    ['ke', 4],
  ],
];
const trie: Node = ['', 0, [['main', 1, [work, split]]]];

test('a node of a tree is a frame', () => {
  assert.deepEqual(decode(Uint8Array.from(encode(utf8Names(tree))), 'tree'), [
    'main 1',
    'main;b;c 2',
    'main;ä 3',
    'main;ä;leaf 4',
    'other;x 5',
  ]);
});

function utf8Names([name, value, children = []]: Node): Node {
  return [utf8(name), value, children.map(utf8Names)];
}

test('a node of a trie is a part of a stack', () => {
  assert.deepEqual(decode(Uint8Array.from(encode(trie)), 'trie').toSorted(), [
    'main 1',
    'main;woke 4',
    'main;work 2',
    'main;work;leaf 3',
    'main;è 6',
    'main;é;ü 5',
  ]);
});

test('damage is an error with its offset or another tree, and names are read a bounded time', () => {
  const random = seededRandom(3);
  for (const form of ['tree', 'trie'] as const) {
    const whole = Uint8Array.from(encode(trie));
    for (let length = 0; length < whole.length; length += 1) {
      assert.throws(() => decode(whole.subarray(0, length), form), /cannot read .* at byte \d+$/);
    }
    for (let i = 0; i < 5_000; i += 1) {
      const damaged = whole.slice();
      damaged[randomBelow(random, whole.length)] = randomBelow(random, 256);
      try {
        decode(damaged, form);
      } catch (error) {
        assert.ok(error instanceof AppError, String(error));
      }
    }
  }
  const child = [0, 1, 0];
  const children = 100_000;
  const varint = [(children & 127) | 128, ((children >> 7) & 127) | 128, children >> 14];
  const long = [0x80 | 0x20, 0x80 | 0x4e, 0x0c];
  const name = new Uint8Array(0x20 | (0x4e << 7) | (0x0c << 14)).fill(97);
  const rest = Array.from({ length: children }, () => child).flat();
  const bomb = Buffer.concat([Buffer.from(long), name, Buffer.from([0, ...varint, ...rest])]);
  assert.throws(() => decode(bomb, 'trie'), /its names are too long/);
});
