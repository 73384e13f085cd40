// Tests the guard. The test sets the free space of the disk.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../base/fake/clock.ts';
import { MemoryFiles } from '../../base/fake/memory-files.ts';
import { silentLogger } from '../../base/logger.ts';
import { seededRandom } from '../../base/random.ts';
import { SpaceGuard } from './space-guard.ts';

const limits = {
  freeDiskBytesMin: 1_000,
  freeDiskShareMin: 0.02,
  diskReserveBytes: 300,
  freeDiskCheckMillis: 5_000,
};
const full = {
  code: 'resource-exhausted',
  message: /cannot store profiles: the disk is full: 999 bytes are free, 1000 are kept free/,
};

class Bench {
  readonly files = new MemoryFiles(seededRandom(1));
  readonly clock = createFakeClock();
  readonly guard = new SpaceGuard({
    path: '/data',
    files: this.files,
    clock: this.clock,
    logger: silentLogger,
    limits,
  });

  constructor() {
    this.files.diskBytes = 10_000;
    this.files.freeBytesLeft = 3_999;
  }

  /** Sets the free bytes, and makes the guard measure. */
  async free(bytes: number): Promise<void> {
    this.files.freeBytesLeft = bytes;
    await this.clock.advance(5_000);
    for (let i = 0; i < 100; i += 1) await Promise.resolve();
  }

  get reserve(): number | undefined {
    return this.files.peek('/data/reserve')?.length;
  }
}

test('below the limit writes are refused until there is room for the reserve again', async () => {
  const bench = new Bench();
  await bench.guard.start();
  bench.guard.assertWritable();
  await bench.free(4_000);
  assert.equal(bench.reserve, undefined);
  await bench.free(3_999);
  assert.equal(bench.reserve, 300);
  await bench.free(1_000);
  bench.guard.assertWritable();
  await bench.free(999);
  assert.throws(() => bench.guard.assertWritable(), full);
  assert.equal(bench.guard.isReadOnly, true);
  assert.equal(bench.reserve, undefined);
  await bench.free(1_299);
  assert.throws(() => bench.guard.assertWritable(), { code: 'resource-exhausted' });
  await bench.free(1_300);
  bench.guard.assertWritable();
  assert.equal(bench.reserve, undefined);
  await bench.free(1_600);
  assert.equal(bench.reserve, 300);
  await bench.guard.close();
  assert.equal(bench.reserve, undefined);
  assert.equal(bench.clock.pendingTimers(), 0);
});

test('a share of a large disk counts for more, a full disk at the start is noticed', async () => {
  const bench = new Bench();
  bench.files.diskBytes = 100_000;
  bench.files.freeBytesLeft = 1_999;
  await bench.guard.start();
  assert.equal(bench.guard.isReadOnly, true);
  await bench.guard.close();
});

test('a disk that refuses a write gets the reserve back at once', async () => {
  const bench = new Bench();
  await bench.guard.start();
  await bench.free(3_999);
  assert.equal(bench.reserve, 300);
  await bench.guard.diskFull();
  assert.equal(bench.reserve, undefined);
  bench.guard.assertWritable();
  await bench.guard.close();
});

test('a reserve of an earlier run is kept, half of one is made again', async () => {
  for (const bytes of [300, 299]) {
    const bench = new Bench();
    const file = await bench.files.open('/data/reserve', { create: true });
    await file.append(new Uint8Array(bytes));
    await file.close();
    await bench.guard.start();
    assert.equal(bench.reserve, bytes === 300 ? 300 : undefined);
    await bench.free(3_999);
    assert.equal(bench.reserve, 300);
    await bench.guard.close();
  }
});

test('a disk that cannot be measured changes nothing, one that is full keeps no reserve', async () => {
  const bench = new Bench();
  await bench.guard.start();
  bench.files.addFault({ call: 'free-bytes', skip: 0, times: 1, errno: 'EIO' });
  bench.files.addFault({ call: 'append', skip: 0, times: 1, errno: 'ENOSPC' });
  await bench.free(3_999);
  assert.equal(bench.reserve, undefined);
  bench.guard.assertWritable();
  await bench.free(3_999);
  assert.equal(bench.reserve, 300);
  await bench.guard.close();
});

test('a disk that refuses a write takes none until it takes as many bytes again', async () => {
  const files = new MemoryFiles(seededRandom(1));
  const clock = createFakeClock();
  const lines: string[] = [];
  const guard = new SpaceGuard({
    path: '/data',
    files,
    clock,
    logger: {
      ...silentLogger,
      error: (line) => void lines.push(`error ${line}`),
      info: (line) => void lines.push(`info ${line}`),
    },
    limits: { ...limits, freeDiskBytesMin: 0, freeDiskShareMin: 0 },
  });
  await guard.start();
  guard.noteRefusal(100_000);
  guard.noteRefusal(50_000);
  assert.equal(guard.isReadOnly, true);
  assert.throws(() => guard.assertWritable(), {
    code: 'resource-exhausted',
    message: /the disk is full: \d+ bytes are free, a write of 100000 was refused/,
  });
  const pass = async (): Promise<void> => {
    await clock.advance(5_000);
    for (let i = 0; i < 100; i += 1) await Promise.resolve();
  };
  files.addFault({ call: 'append', skip: 0, times: 1, errno: 'ENOSPC' });
  await pass();
  assert.equal(guard.isReadOnly, true);
  await pass();
  guard.assertWritable();
  assert.deepEqual(files.paths(), []);
  assert.deepEqual(lines, [
    'error the disk is full: writes are refused',
    'info the disk has room again: writes are taken',
  ]);
  await guard.close();
});
