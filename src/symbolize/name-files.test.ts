import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import type { Clock } from '../base/clock.ts';
import { createFakeClock } from '../base/fake/clock.ts';
import { MemoryFiles } from '../base/fake/memory-files.ts';
import { createPausingClock } from '../base/fake/pausing-clock.ts';
import { createLogger } from '../base/logger.ts';
import { noMetrics } from '../base/metrics.ts';
import { seededRandom } from '../base/random.ts';
import type { SourceFrame } from './interface.ts';
import { NameFiles } from './name-files.ts';

const logger = createLogger({
  level: 'error',
  format: 'logfmt',
  nowMillis: () => 0,
  write: () => undefined,
});
const clock = createFakeClock(1_000);

function open(
  files: MemoryFiles,
  tag = 'simple',
  bytesMax?: number,
  time: Clock = clock,
): Promise<NameFiles> {
  const digest = (text: string): string => hash('sha256', text);
  return NameFiles.open({
    path: '/names',
    files,
    clock: time,
    logger,
    metrics: noMetrics,
    digest,
    tag,
    ...(bytesMax !== undefined && { bytesMax }),
  });
}

function frame(functionName: string, line: number): SourceFrame {
  const systemName = `_Z${functionName}`;
  return { functionName, systemName, fileName: 'ä.c', line, startLine: 1, column: 7 };
}

const inlined = [frame('leaf', 3), frame('caller', 12)];

/** Creates a folder with two batches of the build id "b". */
async function filled(): Promise<MemoryFiles> {
  const files = new MemoryFiles(seededRandom(1));
  const names = await open(files);
  names.add('b', 2, [16, 2 ** 47], [inlined, []], new Set());
  names.add('b', 2, [32], [[frame('main', 1)]], new Set(['no lines']));
  await names.stop();
  return files;
}

const saved = {
  frames: new Map([
    [16, inlined],
    [2 ** 47, []],
    [32, [frame('main', 1)]],
  ]),
  notes: new Set(['no lines']),
};
const none = { frames: new Map(), notes: new Set() };

test('names are there after a restart, only for their build id, generation and tag', async () => {
  const files = await filled();
  assert.deepEqual(await (await open(files)).load('b', 2), saved);
  assert.deepEqual(await (await open(files)).load('b', 3), none);
  assert.deepEqual(await (await open(files)).load('c', 2), none);
  assert.deepEqual(await (await open(files, 'full')).load('b', 2), none);
  assert.deepEqual(files.paths(), [], 'names of another tag are removed');
});

test('very many names are saved in several lines, the last of which has the verdict', async () => {
  const files = new MemoryFiles(seededRandom(1));
  const names = await open(files);
  const addresses = Array.from({ length: 10_000 }, (_, i) => 16 * i);
  const calls = addresses.map((_, i) => (i % 2 === 0 ? inlined : []));
  const verdict = { failed: new Set([1]), reason: 'damaged' };
  names.add('b', 1, addresses, calls, new Set(['no lines']), verdict);
  await names.stop();
  const [path] = files.paths();
  const text = new TextDecoder().decode(await files.read(path));
  assert.ok(text.split('\n').length > 4);
  assert.deepEqual(await (await open(files)).load('b', 1), {
    frames: new Map(addresses.map((address, i) => [address, calls[i]])),
    notes: new Set(['no lines']),
    verdict,
  });
});

test('names of a large file are read line by line, with a pause after each', async () => {
  const files = new MemoryFiles(seededRandom(1));
  const names = await open(files);
  const addresses = Array.from({ length: 20_000 }, (_, i) => 16 * i);
  names.add(
    'b',
    1,
    addresses,
    Array.from({ length: 20_000 }, () => inlined),
    new Set(),
  );
  await names.stop();
  const [path] = files.paths();
  const lines = new TextDecoder().decode(await files.read(path)).split('\n').length - 2;
  const pausing = createPausingClock(clock);
  const loading = (await open(files, 'simple', undefined, pausing.clock)).load('b', 1);
  assert.ok(loading instanceof Promise);
  assert.equal((await loading).frames.size, addresses.length);
  assert.ok(lines > 10);
  assert.equal(pausing.pauses(), lines);
});

test('names of another tag take the place of all names', async () => {
  const files = await filled();
  const names = await open(files);
  names.changeTag('full');
  assert.deepEqual(await names.load('b', 2), none);
  names.add('c', 1, [16], [inlined], new Set());
  await names.stop();
  const again = await open(files, 'full');
  assert.equal(files.paths().length, 1);
  assert.deepEqual((await again.load('c', 1)).frames, new Map([[16, inlined]]));
});

test('names of a better file take the place of those before', async () => {
  const files = await filled();
  const names = await open(files);
  names.add('b', 3, [16], [[frame('better', 5)]], new Set());
  await names.stop();
  const again = await open(files);
  assert.deepEqual((await again.load('b', 3)).frames, new Map([[16, [frame('better', 5)]]]));
  assert.deepEqual(await (await open(files)).load('b', 2), none);
});

test('a file that is cut off or changed anywhere gives no names', async () => {
  const [path] = (await filled()).paths();
  const whole = (await filled()).peek(path) ?? new Uint8Array(0);
  const damage = async (content: Uint8Array, isCut: boolean): Promise<void> => {
    const files = new MemoryFiles(seededRandom(1));
    await files.makeDirectory('/names');
    const file = await files.open(path, { create: true });
    await file.append(content);
    await file.close();
    const names = await open(files);
    const { frames } = await names.load('b', 2);
    await names.stop();
    // A file that ends after a line is valid, because the next line was never written.
    const isWhole = isCut && content.at(-1) === 10;
    assert.equal(files.paths().length, isWhole ? 1 : 0);
    if (!isWhole) assert.equal(frames.size, 0);
    for (const [address, calls] of frames) assert.deepEqual(calls, saved.frames.get(address));
  };
  for (let length = 0; length < whole.length; length += 1) {
    await damage(whole.subarray(0, length), true);
  }
  const random = seededRandom(2);
  for (let round = 0; round < 300; round += 1) {
    const changed = whole.slice();
    const at = random.uint32() % whole.length;
    changed[at] ^= 1 + (random.uint32() % 255);
    await damage(changed, false);
  }
});

test('past the limit, names that were written longest ago go', async () => {
  const files = new MemoryFiles(seededRandom(1));
  const names = await open(files, 'simple', 1_000);
  const add = (buildId: string): void =>
    names.add(buildId, 1, [16], [[frame(buildId.repeat(100), 1)]], new Set());
  for (const buildId of ['a', 'b', 'c']) add(buildId);
  add('b');
  add('d');
  await names.stop();
  const again = await open(files, 'simple', 1_000);
  const kept: string[] = [];
  for (const buildId of ['a', 'b', 'c', 'd']) {
    if ((await again.load(buildId, 1)).frames.size > 0) kept.push(buildId);
  }
  assert.deepEqual(kept, ['d']);
  const bytes = files.paths().reduce((sum, path) => sum + (files.peek(path)?.length ?? 0), 0);
  assert.ok(bytes > 0 && bytes <= 1_000, `${bytes} bytes`);
});
