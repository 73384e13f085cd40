import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCollector, createReceiptCollector } from './memory.ts';

const mebi = 1024 * 1024;

test('dead arrays are collected after enough new ones', async () => {
  const collect = createCollector(16 * mebi);
  const dead = new WeakRef({});
  // A WeakRef holds what it refers to until the turn of the event loop is over.
  await new Promise((resolve) => setImmediate(resolve));
  const array = new Uint8Array(16 * mebi);
  collect(0);
  assert.equal(dead.deref(), undefined);
  assert.equal(array.length, 16 * mebi);
});

test('memory sent to a thread counts too', async () => {
  const collect = createCollector(64 * mebi);
  const dead = new WeakRef({});
  await new Promise((resolve) => setImmediate(resolve));
  collect(40 * mebi);
  await new Promise((resolve) => setImmediate(resolve));
  collect(80 * mebi);
  assert.equal(dead.deref(), undefined);
});

test('a collector by received bytes does not count arrays that the thread has made', async () => {
  const collect = createReceiptCollector(16 * mebi);
  const dead = new WeakRef({});
  await new Promise((resolve) => setImmediate(resolve));
  const array = new Uint8Array(16 * mebi);
  collect(8 * mebi);
  assert.notEqual(dead.deref(), undefined);
  await new Promise((resolve) => setImmediate(resolve));
  collect(16 * mebi);
  assert.equal(dead.deref(), undefined);
  assert.equal(array.length, 16 * mebi);
});
