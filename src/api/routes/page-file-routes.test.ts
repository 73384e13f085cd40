import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noPageFiles, readOwnCode, readView } from './page-file-routes.ts';

const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const address = 'explore?q=memory{job="a"}&from=now-1h';

test('a view has a name, an address and, if wanted, is a favourite', () => {
  assert.deepEqual(readView(bytes({ name: ' heap ', address })), {
    name: 'heap',
    address,
    isFavourite: false,
  });
  assert.deepEqual(readView(bytes({ name: 'x', address: 'services', isFavourite: true })), {
    name: 'x',
    address: 'services',
    isFavourite: true,
  });
});

for (const [view, why] of [
  [[], /the body is not a JSON object/],
  [{ address }, /name must be a string/],
  [{ name: ' ', address }, /name is missing/],
  [{ name: 'x'.repeat(101), address }, /name has 101 characters, the limit is 100/],
  [{ name: 'x' }, /address must be a string/],
  [{ name: 'x', address: 'javascript:alert(1)' }, /address must be a page and its state/],
  [{ name: 'x', address: '//evil.test/' }, /address must be/],
  [{ name: 'x', address: 'https://evil.test' }, /address must be/],
  [{ name: 'x', address: '../explore' }, /address must be/],
  [{ name: 'x', address: 'explore?q=a b' }, /address must be/],
  [{ name: 'x', address, isFavourite: 1 }, /isFavourite must be a boolean/],
  [{ name: 'x', address, favourite: true }, /unknown field "favourite", the nearest are "isFav/],
] as const) {
  test(`refused view: ${JSON.stringify(view).slice(0, 60)}`, () => {
    assert.throws(() => readView(bytes(view)), why);
  });
}

test('own code is a service and its prefixes, each once', () => {
  assert.deepEqual(readOwnCode(bytes({ service: 'a', prefixes: ['x/', 'x/', 'y/'] })), {
    service: 'a',
    prefixes: ['x/', 'y/'],
  });
});

for (const [entry, why] of [
  [{ prefixes: [] }, /service must be a string/],
  [{ service: 'a' }, /prefixes must be a list of strings/],
  [{ service: 'a', prefixes: [1] }, /prefix must be a string/],
  [{ service: 'a', prefixes: [''] }, /a prefix is empty/],
  [{ service: 'a', prefixes: Array(51).fill('x') }, /it has 51 prefixes, the limit is 50/],
] as const) {
  test(`refused own code: ${JSON.stringify(entry).slice(0, 60)}`, () => {
    assert.throws(() => readOwnCode(bytes(entry)), why);
  });
}

test('what is no JSON, or too long, is refused', () => {
  assert.throws(() => readView(Buffer.from('{')), /cannot save a view: /);
  assert.throws(() => readOwnCode(Buffer.alloc(70_000)), /it has 70000 bytes/);
});

test('a server that keeps nothing has empty lists, and refuses changes', async () => {
  const { views, ownCode } = noPageFiles;
  assert.deepEqual([views.list(), ownCode.list()], [[], []]);
  await assert.rejects(views.remove('0'), { code: 'unimplemented' });
  await assert.rejects(ownCode.set({ service: '', prefixes: [] }), { code: 'unimplemented' });
});
