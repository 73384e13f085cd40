// Tests of the queue with an in-memory disk, and of the sender that reads the queue.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../base/errors.ts';
import { createFakeClock } from '../base/fake/clock.ts';
import { MemoryFiles } from '../base/fake/memory-files.ts';
import { silentLogger } from '../base/logger.ts';
import { noMetrics } from '../base/metrics.ts';
import { seededRandom } from '../base/random.ts';
import { RequestQueue } from './request-queue.ts';
import { Sender } from './sender.ts';

const directory = '/queue';

function open(files: MemoryFiles, limits: { memory?: number; disk?: number } = {}) {
  return RequestQueue.open({
    files,
    directory,
    logger: silentLogger,
    memoryBytesMax: limits.memory ?? 1_000,
    diskBytesMax: limits.disk ?? 1_000,
  });
}

/** Returns a request of `size` bytes that contains its number. */
function request(number: number, size = 100): Uint8Array {
  return new Uint8Array(size).fill(number);
}

async function drain(queue: RequestQueue): Promise<number[]> {
  const found: number[] = [];
  for (;;) {
    const first = await queue.first();
    if (first === undefined) return found;
    found.push(first.bytes[0]);
    await queue.remove(first);
  }
}

test('requests come in order, from memory and from the disk, and after a restart', async () => {
  const files = new MemoryFiles(seededRandom(1));
  const queue = await open(files);
  queue.push(request(1));
  queue.push(request(2));
  await queue.saveAll();
  queue.push(request(3));
  assert.deepEqual(queue.state(), {
    requests: 3,
    memoryBytes: 100,
    diskBytes: 200,
    droppedRequests: 0,
  });
  await queue.close();
  const again = await open(files);
  again.push(request(4));
  assert.deepEqual(await drain(again), [1, 2, 3, 4]);
  assert.deepEqual(
    await files.listFiles(directory).then((names) => names.filter((name) => /^\d/.test(name))),
    [],
  );
});

test('a full disk is one warning, leaves nothing half written, and is tried again', async () => {
  const files = new MemoryFiles(seededRandom(3));
  const lines: string[] = [];
  const queue = await RequestQueue.open({
    files,
    directory,
    memoryBytesMax: 1_000,
    diskBytesMax: 1_000,
    logger: {
      ...silentLogger,
      warn: (line) => void lines.push(line),
      info: (line) => void lines.push(line),
    },
  });
  queue.push(request(1));
  for (let i = 0; i < 2; i += 1) {
    files.addFault({ call: 'append', skip: 1, times: 1, errno: 'ENOSPC' });
    await queue.saveAll();
    assert.deepEqual(files.paths(), []);
  }
  await queue.saveAll();
  assert.deepEqual(lines, [
    'cannot put a request on the disk',
    'requests are put on the disk again',
  ]);
  assert.deepEqual(await drain(queue), [1]);
});

test('past the limit the oldest requests are dropped, and counted', async () => {
  const files = new MemoryFiles(seededRandom(2));
  const queue = await open(files, { memory: 1_000, disk: 250 });
  for (let i = 1; i <= 5; i += 1) queue.push(request(i));
  await queue.saveAll();
  assert.deepEqual(queue.state(), {
    requests: 2,
    memoryBytes: 0,
    diskBytes: 200,
    droppedRequests: 3,
  });
  assert.deepEqual(await drain(queue), [4, 5]);
});

test('without a disk memory has the limit', async () => {
  const queue = await RequestQueue.open({
    files: new MemoryFiles(seededRandom(3)),
    directory: '',
    logger: silentLogger,
    memoryBytesMax: 150,
    diskBytesMax: 0,
  });
  for (let i = 1; i <= 5; i += 1) queue.push(request(i));
  assert.deepEqual(await drain(queue), [5]);
  assert.equal(queue.state().droppedRequests, 4);
});

test('a full disk keeps requests in memory', async () => {
  const files = new MemoryFiles(seededRandom(4));
  const queue = await open(files);
  files.addFault({ call: 'append', skip: 0, times: Infinity, errno: 'ENOSPC' });
  queue.push(request(1));
  await queue.saveAll();
  assert.equal(queue.state().memoryBytes, 100);
  files.clearFaults();
  await queue.saveAll();
  assert.equal(queue.state().diskBytes, 100);
  assert.deepEqual(await drain(queue), [1]);
});

test('a damaged file is dropped, the others are not', async () => {
  const files = new MemoryFiles(seededRandom(5));
  const queue = await open(files);
  for (let i = 1; i <= 3; i += 1) queue.push(request(i));
  await queue.close();
  const [, second] = (await files.listFiles(directory)).filter((name) => name.endsWith('.request'));
  const file = await files.open(`${directory}/${second}`, { create: false });
  await file.truncate(50);
  await file.close();
  const again = await open(files);
  assert.deepEqual(await drain(again), [1, 3]);
  assert.equal(again.state().droppedRequests, 1);
});

/** Returns a server that gives these answers one after the other, and then accepts all requests. */
function fakeServer(answers: readonly (AppError | undefined)[]) {
  const taken: number[] = [];
  let calls = 0;
  return {
    taken,
    calls: () => calls,
    call: async (_method: string, bytes: Uint8Array) => {
      const answer = answers[calls];
      calls += 1;
      if (answer !== undefined) throw answer;
      taken.push(bytes[0]);
      return new Uint8Array(0);
    },
  };
}

function createSender(queue: RequestQueue, server: ReturnType<typeof fakeServer>) {
  const clock = createFakeClock();
  const common = { logger: silentLogger, metrics: noMetrics, random: seededRandom(6) };
  const limits = { callMillisMax: 1_000, metricPrefix: 'parca' };
  return { clock, sender: new Sender({ ...common, server, queue, clock, ...limits }) };
}

test('the sender tries again with the same bytes, and waits longer each time', async () => {
  const files = new MemoryFiles(seededRandom(7));
  const queue = await open(files);
  const away = new AppError('unavailable', 'cannot call WriteRaw: no server');
  const server = fakeServer([away, away, away]);
  const { clock, sender } = createSender(queue, server);
  sender.start();
  queue.push(request(1));
  sender.notify();
  await clock.advance(1);
  assert.deepEqual([server.calls(), sender.state().lastError], [1, away.message]);
  assert.equal(queue.state().diskBytes, 100, 'while the server is away requests are on the disk');
  queue.push(request(2));
  sender.notify();
  await clock.advance(700);
  assert.equal(server.calls(), 2);
  await clock.advance(700);
  assert.equal(server.calls(), 2, 'the second wait is longer');
  await clock.advance(10_000);
  assert.deepEqual(server.taken, [1, 2]);
  assert.deepEqual([sender.state().lastError, sender.state().sentRequests], ['', 2]);
  assert.equal(queue.state().requests, 0);
  await sender.stop(1_000);
});

test('a request that the server refuses for good is dropped', async () => {
  const queue = await open(new MemoryFiles(seededRandom(8)));
  const server = fakeServer([new AppError('invalid-argument', 'invalid profile')]);
  const { clock, sender } = createSender(queue, server);
  queue.push(request(1));
  queue.push(request(2));
  sender.start();
  await clock.advance(1);
  assert.deepEqual(server.taken, [2]);
  assert.equal(sender.state().refusedRequests, 1);
  await sender.stop(1_000);
});

test('a stop sends the remaining requests, and gives up when the server is away', async () => {
  const files = new MemoryFiles(seededRandom(9));
  const queue = await open(files);
  const server = fakeServer([]);
  const { sender } = createSender(queue, server);
  queue.push(request(1));
  queue.push(request(2));
  await sender.stop(1_000);
  assert.deepEqual(server.taken, [1, 2]);
  queue.push(request(3));
  const gone = fakeServer([new AppError('unavailable', 'no server')]);
  await createSender(queue, gone).sender.stop(1_000);
  assert.equal(gone.calls(), 1);
  await queue.close();
  assert.deepEqual(await drain(await open(files)), [3]);
});
