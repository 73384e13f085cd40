import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createCollector, createReceiptCollector, smallAllocator } from './memory.ts';

const mebi = 1024 * 1024;

test('dead arrays are collected after enough new ones', async () => {
  const collect = createCollector(16 * mebi);
  const dead = new WeakRef({});
  // A WeakRef keeps its target alive until the end of the current turn of the event loop.
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

test('pieces of bodies return to the system, even if objects between them stay', async () => {
  // The program makes chunks as Node reads them from a socket, each followed by an object that
  // stays.
  const program = `
    const kept = [];
    let pieces = [];
    const before = process.memoryUsage.rss();
    for (let i = 0; i < 1_500; i += 1) {
      pieces.push(new Uint8Array(65_536).fill(1));
      kept.push(new Uint8Array(4_096).fill(1));
    }
    const most = process.memoryUsage.rss() - before;
    pieces = [];
    gc();
    gc();
    const check = () => {
      const left = process.memoryUsage.rss() - before;
      if (left > most / 2 && performance.now() < 5_000) return setTimeout(check, 10);
      console.log(JSON.stringify({ most, left, kept: kept.length }));
    };
    check();`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', '--eval', program],
    // A test runner may have set other values.
    { env: smallAllocator({}) },
  );
  const { most, left } = JSON.parse(stdout) as { readonly most: number; readonly left: number };
  assert.ok(most > 90 * mebi, `${most} bytes at once`);
  assert.ok(left < most / 2, `${left} of ${most} bytes stay`);
});
