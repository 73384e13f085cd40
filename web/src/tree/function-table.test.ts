// Tests of the table of functions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderOfDifference } from './difference-order.ts';
import type { FunctionRows } from './function-rows.ts';
import { buffersOfTable, functionTable } from './function-table.ts';
import { indexOfText, unpackStrings } from './strings.ts';

interface Node {
  readonly name: string;
  readonly flat: bigint;
  readonly cumulative: bigint;
  readonly before: bigint;
}

/**
 * Creates a row of an answer; `before` is the self value of a diff's base, scaled by the server.
 */
function node(name: string, flat: bigint, cumulative: bigint, before = 0n): Node {
  return { name, flat, cumulative, before };
}

function makeTable(list: readonly Node[], totals: Parameters<typeof functionTable>[1]) {
  const rows: FunctionRows = {
    count: list.length,
    names: list.map(({ name }) => name || 'libm.so+0x1f20'),
    hasFunction: Uint8Array.from(list, ({ name }) => (name === '' ? 0 : 1)),
    files: list.map(({ name }) => (name === '' ? '' : 'api.go')),
    binaries: list.map(({ name }) => (name === '' ? '/lib/libm.so' : '/bin/api')),
    builds: list.map(() => 'abc'),
    self: BigInt64Array.from(list, ({ flat }) => flat),
    total: BigInt64Array.from(list, ({ cumulative }) => cumulative),
    parts: list.map(() => ''),
    selfDifference: BigInt64Array.from(list, ({ flat, before }) => flat - before),
  };
  return functionTable(rows, totals);
}

test('the parts of a name in several files are in several packages', () => {
  const parts = [
    '/app/node_modules/fastify/x.js\0/bin/node\x003',
    '/app/src/cart/y.js\0/bin/node\x002',
  ];
  const rows: FunctionRows = {
    count: 2,
    names: ['send', 'main.main'],
    hasFunction: Uint8Array.of(1, 1),
    files: ['', 'main.go'],
    binaries: ['/bin/node', '/bin/shop'],
    builds: ['', ''],
    self: BigInt64Array.of(5n, 5n),
    total: BigInt64Array.of(5n, 5n),
    parts: [parts.join('\0'), ''],
    selfDifference: undefined,
  };
  const { groupShares, mainPlaces } = functionTable(rows, { total: 10n, baseTotal: undefined });
  assert.deepEqual(Object.fromEntries(groupShares.package), { fastify: 0.3, cart: 0.2, main: 0.5 });
  assert.deepEqual(Object.fromEntries(groupShares.binary), { node: 0.5, shop: 0.5 });
  assert.deepEqual(Object.fromEntries(groupShares.kind), { libraries: 0.3, 'own code': 0.7 });
  assert.deepEqual(
    [...mainPlaces],
    [[0, { file: '/app/node_modules/fastify/x.js', binary: '/bin/node' }]],
  );
});

test('functions are columns, with the rows in each order', () => {
  const list = [node('b.Run', 5n, 40n), node('a.Run', 5n, 10n), node('', 30n, 30n)];
  const table = makeTable(list, { total: 40n, baseTotal: undefined });
  const names = unpackStrings(table.names);
  assert.deepEqual(names, ['b.Run', 'a.Run', 'libm.so+0x1f20']);
  const inOrder = (order: Uint32Array): string[] => [...order].map((row) => names[row]);
  assert.deepEqual(inOrder(table.order.self), ['libm.so+0x1f20', 'b.Run', 'a.Run']);
  assert.deepEqual(inOrder(table.order.total), ['b.Run', 'libm.so+0x1f20', 'a.Run']);
  assert.deepEqual(inOrder(table.order.name), ['a.Run', 'b.Run', 'libm.so+0x1f20']);
  // Functions without a file come last; functions with the same file are sorted by name.
  assert.deepEqual(inOrder(table.order.file), ['a.Run', 'b.Run', 'libm.so+0x1f20']);
  assert.deepEqual(inOrder(table.order.binary), ['a.Run', 'b.Run', 'libm.so+0x1f20']);
  assert.deepEqual(
    [...table.groupShares.binary],
    [
      ['api', 0.25],
      ['libm.so', 0.75],
    ],
  );
  assert.deepEqual(unpackStrings(table.files), ['api.go', 'api.go', '']);
  assert.equal(new Set(buffersOfTable(table)).size, buffersOfTable(table).length);
});

test('the base of a diff has its own values, not those that are scaled to the other side', () => {
  const list = [node('a', 6n, 6n, 2n), node('b', 2n, 2n, 6n)];
  const table = makeTable(list, { total: 8n, baseTotal: 80n });
  assert.deepEqual([...table.total], [20n, 60n]);
  assert.deepEqual([table.whole, table.baseWhole], [8n, 80n]);
  assert.deepEqual([...makeTable(list, { total: 8n, baseTotal: 0n }).total], [0n, 0n]);
});

test('functions of a diff are in the order of their change, which depends on the unit', () => {
  // Self values are 6, 2 and 30 now; before, they were 20, 60 and 300 of 800.
  const list = [node('a', 6n, 6n, 2n), node('b', 2n, 2n, 6n), node('c', 30n, 30n, 30n)];
  const table = makeTable(list, { total: 38n, baseTotal: 380n });
  const names = unpackStrings(table.names);
  const inOrder = (now: number, before: number) =>
    [...orderOfDifference(table, now, before)].map((row) => names[row]);
  assert.deepEqual([...table.total], [20n, 60n, 300n]);
  assert.deepEqual(inOrder(1 / 38, 1 / 380), ['a', 'c', 'b']);
  assert.deepEqual(inOrder(1, 1), ['a', 'b', 'c']);
});

test('a text is found without decoding others', () => {
  const { names } = makeTable([node('ab', 1n, 1n), node('añ', 1n, 1n), node('a', 1n, 1n)], {
    total: 3n,
    baseTotal: undefined,
  });
  assert.deepEqual(
    ['añ', 'a', 'b', ''].map((text) => indexOfText(names, text)),
    [1, 2, -1, -1],
  );
});
