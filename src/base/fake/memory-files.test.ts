// The simulated disk loses, tears and reorders writes, and fails and lies as configured, and keeps
// what was synced.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../random.ts';
import { MemoryFiles } from './memory-files.ts';

const decoder = new TextDecoder();
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function write(files: MemoryFiles, path: string, text: string): Promise<void> {
  const file = await files.open(path, { create: true });
  await file.append(bytes(text));
  await file.sync();
  await file.close();
}

/** Returns the distinct contents that remain after many power losses, sorted. */
async function outcomes(act: (files: MemoryFiles) => Promise<void>): Promise<string[]> {
  const seen = new Set<string>();
  for (let seed = 1; seed <= 1_500; seed += 1) {
    const files = new MemoryFiles(seededRandom(seed));
    await files.makeDirectory('/data');
    await files.syncDirectory('/');
    await act(files);
    files.powerLoss();
    const left = files.paths().map((path) => `${path}=${decoder.decode(files.peek(path))}`);
    seen.add(left.join(' ').replaceAll('\0', '-'));
  }
  return [...seen].sort();
}

test('a synced file keeps its name and content', async () => {
  const left = await outcomes(async (files) => {
    await write(files, '/data/a', 'abc');
    await files.syncDirectory('/data');
  });
  assert.deepEqual(left, ['/data/a=abc']);
});

test('a name that was not synced may be lost; a lost directory loses its files', async () => {
  const left = await outcomes(async (files) => {
    await files.makeDirectory('/data/wal');
    await write(files, '/data/wal/a', 'abc');
    await files.syncDirectory('/data/wal');
  });
  assert.deepEqual(left, ['', '/data/wal/a=abc']);
});

test('content that was not synced is lost in part', async () => {
  const left = await outcomes(async (files) => {
    await write(files, '/data/a', 'abc');
    await files.syncDirectory('/data');
    const file = await files.open('/data/a', { create: false });
    await file.append(bytes('de'));
  });
  const want = ['abc', 'abc-', 'abc--', 'abcd', 'abcde'].map((text) => `/data/a=${text}`);
  assert.deepEqual(left, ['/data/a=abcd-', ...want].sort());
});

test('sectors of appends that were not synced are kept in any order', async () => {
  const sector = (letter: string): string => letter.repeat(512);
  const left = await outcomes(async (files) => {
    const file = await files.open('/data/a', { create: true });
    await files.syncDirectory('/data');
    for (const letter of 'abc') await file.append(bytes(sector(letter)));
  });
  const short = left.map((text) => text.slice('/data/a='.length).replaceAll(/(.)\1{511}/g, '$1'));
  for (const want of ['', 'a', 'ab', 'abc', '-bc', 'a-c', '--c', 'ab-']) {
    assert.ok(short.includes(want), want);
  }
});

test('names change in order or not, a rename as a whole', async () => {
  const left = await outcomes(async (files) => {
    await write(files, '/data/a', '1');
    await write(files, '/data/b', '2');
    await files.syncDirectory('/data');
    await files.rename('/data/a', '/data/c');
    await files.remove('/data/b');
  });
  const want = ['/data/a=1', '/data/a=1 /data/b=2', '/data/b=2 /data/c=1', '/data/c=1'];
  assert.deepEqual(left, want);
});

test('a cut that was not synced comes back', async () => {
  const left = await outcomes(async (files) => {
    await write(files, '/data/a', 'abc');
    await files.syncDirectory('/data');
    const file = await files.open('/data/a', { create: false });
    await file.truncate(1);
    await file.truncate(0);
  });
  assert.deepEqual(left, ['/data/a=', '/data/a=a', '/data/a=abc']);
});

test('a failed sync loses its data though the next one succeeds', async () => {
  const left = await outcomes(async (files) => {
    await write(files, '/data/a', 'abc');
    await files.syncDirectory('/data');
    const file = await files.open('/data/a', { create: false });
    await file.append(bytes('d'));
    files.addFault({ call: 'sync', skip: 0, times: 1, errno: 'EIO' });
    await assert.rejects(file.sync(), { code: 'unavailable' });
    await file.sync();
    const into = new Uint8Array(4);
    await file.read(into, 0);
    assert.equal(decoder.decode(into), 'abcd');
  });
  assert.deepEqual(left, ['/data/a=abc-']);
});

test('bytes that a failed sync lost are durable once they are rewritten and synced', async () => {
  const left = await outcomes(async (files) => {
    const file = await files.open('/data/a', { create: true });
    await files.syncDirectory('/data');
    await file.append(bytes('abcd'));
    files.addFault({ call: 'sync', skip: 0, times: 1, errno: 'EIO' });
    await assert.rejects(file.sync(), { code: 'unavailable' });
    await file.rewrite(1, 3);
    await file.sync();
    await file.rewrite(0, 4);
  });
  assert.deepEqual(left, ['/data/a=-bc-']);
});

test('a disk that lies loses what it said it had', async () => {
  const left = await outcomes(async (files) => {
    files.liesAboutSync = true;
    await write(files, '/data/a', 'a');
    await files.syncDirectory('/data');
  });
  assert.ok(left.includes('') && left.includes('/data/a=') && left.includes('/data/a=a'));
});

test('any call fails by its number, and all are noted', async () => {
  const act = async (files: MemoryFiles): Promise<void> => {
    await files.makeDirectory('/data');
    await write(files, '/data/a', 'abc');
    await files.link('/data/a', '/data/b');
    await files.rename('/data/b', '/data/c');
    await files.read('/data/c');
    await files.list('/data');
    await files.freeBytes('/data');
    await files.syncDirectory('/data');
    await files.remove('/data/c');
  };
  const recorded = new MemoryFiles(seededRandom(1));
  const calls = recorded.faults.startRecording();
  await act(recorded);
  assert.equal(
    calls.map(({ call }) => call).join(' '),
    'make-directory create append sync link rename read list free-bytes sync-directory remove',
  );
  for (const [number, { call }] of calls.entries()) {
    const files = new MemoryFiles(seededRandom(1));
    files.faults.addNumbered({ skip: number, times: 1, errno: 'EIO' });
    const message = new RegExp(`cannot ${call} .*EIO`);
    await assert.rejects(act(files), { code: 'unavailable', message });
  }
});

test('a process that was killed no longer gets answers', async () => {
  const files = new MemoryFiles(seededRandom(1));
  const dead = files.forProcess();
  files.kill();
  const silence = Symbol('silence');
  const turns = async (): Promise<symbol> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    return silence;
  };
  assert.equal(await Promise.race([dead.list('/'), turns()]), silence);
  assert.deepEqual(await files.forProcess().list('/'), []);
});
