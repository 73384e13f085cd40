import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteBudget, ByteLease } from './byte-budget.ts';
import { decodeBase64Groups } from '../grpc/grpc-web.ts';
import { methodPath } from './method.ts';
import { parseAddress } from '../port.ts';

test('the method is the end of the path', () => {
  const check = (path: string, want: string) => assert.equal(methodPath(path), want);
  check('/a.B/C', '/a.B/C');
  check('/api/a.B/C', '/a.B/C');
  check('/x/y/api/a.B/C?q=/1/2', '/a.B/C');
  check('/C', '/C');
  check('', '');
});

test('a lease gives back what it took, once, and takes nothing after', () => {
  const budget = new ByteBudget(10);
  const lease = new ByteLease(budget);
  lease.take(6);
  assert.throws(() => lease.take(5), /hold 6 of 10 bytes/);
  assert.equal(budget.usedBytes, 6);
  lease.release();
  lease.release();
  assert.equal(budget.usedBytes, 0);
  assert.throws(() => lease.take(1), /has ended/);
  assert.equal(budget.usedBytes, 0);
});

test('base64 in pieces', () => {
  const text = ['a', 'bc', 'def', '']
    .map((piece) => Buffer.from(piece).toString('base64'))
    .join('');
  assert.equal(decodeBase64Groups(text).toString(), 'abcdef');
});

test('addresses', () => {
  const check = (text: string, host: string | undefined, port: number) =>
    assert.deepEqual(parseAddress(text), { host, port });
  check(':7070', undefined, 7070);
  check('127.0.0.1:0', '127.0.0.1', 0);
  check('localhost:80', 'localhost', 80);
  check('[::1]:7070', '::1', 7070);
  for (const wrong of ['', '7070', 'a:b', ':65536', '::1:80', ':']) {
    assert.throws(() => parseAddress(wrong), /cannot listen on/, wrong);
  }
});
