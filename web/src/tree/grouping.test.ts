// Tests of grouping functions: names with several files, and changed prefixes of own code.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupNames } from './grouping.ts';
import { noString, type Grouping } from './tree.ts';

const strings = ['/app/cart/send.js', '/app/node_modules/fastify/send.js', '/bin/node'];
const names = ['root', 'send', 'work'];

/** Groups frames of `send` with the given files and values, and one frame of `work`. */
function makeGroups(sends: readonly (readonly [file: number, value: number])[], own?: string[]) {
  const rows = [[0, noString, 0], ...sends.map((send) => [1, ...send]), [2, noString, 1]];
  const values = rows.map(([, , value]) => value);
  const total = values.reduce((sum, value) => sum + value, 0);
  return groupNames(
    {
      count: rows.length,
      name: Uint32Array.from(rows, ([name]) => name),
      file: Uint32Array.from(rows, ([, file]) => file),
      binary: new Uint32Array(rows.length).fill(2),
      width: Float64Array.from(values, (value) => value / total),
      flat: BigInt64Array.from(values, BigInt),
      total: BigInt(total),
    },
    names,
    (index) => strings[index],
    own,
  );
}

const groupOf = ({ ofName, texts }: Grouping, name: string) => texts[ofName[names.indexOf(name)]];
const weights = ({ texts, area, selfShare }: Grouping) =>
  Object.fromEntries(texts.map((text, i) => [text, [area[i], selfShare[i]]]));

test('a function with several files is in the group with its largest part, not its first', () => {
  const first = makeGroups([
    [0, 1],
    [1, 2],
    [0, 1],
    [1, 3],
  ]);
  assert.equal(groupOf(first.kind, 'send'), 'libraries');
  assert.equal(groupOf(first.package, 'send'), 'fastify');
  assert.equal(groupOf(first.binary, 'send'), 'node');
  const last = makeGroups([
    [1, 1],
    [1, 1],
    [0, 5],
  ]);
  assert.equal(groupOf(last.kind, 'send'), 'own code');
  assert.equal(groupOf(last.package, 'send'), 'cart');
});

test('each frame has its weight in its own group', () => {
  const { kind, package: packages } = makeGroups([
    [0, 1],
    [1, 6],
  ]);
  assert.deepEqual(weights(packages), {
    '(unknown)': [0, 0],
    cart: [1 / 8, 1 / 8],
    fastify: [6 / 8, 6 / 8],
    node: [1 / 8, 1 / 8],
  });
  assert.deepEqual(weights(kind), { 'own code': [2 / 8, 2 / 8], libraries: [6 / 8, 6 / 8] });
});

test('what is remembered of an answer is forgotten when the prefixes of own code change', () => {
  const kinds = (own?: string[]) => groupOf(makeGroups([[1, 1]], own).kind, 'send');
  assert.deepEqual(
    [kinds(), kinds(['/app/node_modules/fastify/']), kinds(['/elsewhere/']), kinds()],
    ['libraries', 'own code', 'libraries', 'libraries'],
  );
});
