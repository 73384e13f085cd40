// Tests a disk that is really full: writes are refused with a clear error, reads continue, and
// writes succeed again once there is free space.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { seededRandom } from '../../../src/base/random.ts';
import {
  randomProfile,
  readProfiles,
  type ExpectedProfile,
} from '../../../src/storage/fake/workload.ts';
import type { Storage } from '../../../src/storage/interface.ts';
import { openDiskStorage } from '../../support/disk-storage.ts';

/** Limits that keep no space free, so that the disk itself refuses writes. */
const small = { freeDiskBytesMin: 0, freeDiskShareMin: 0, freeDiskCheckMillis: 20 };
const random = seededRandom(5);
let time = 0n;
const full = { code: 'resource-exhausted', message: /cannot store profiles: the disk is full/ };

test('a full disk refuses writes, keeps reads, and recovers without a restart', async () => {
  const mount = fs.mkdtempSync(join(os.tmpdir(), 'full-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', mount]);
  try {
    const path = join(mount, 'data');
    let storage = await openDiskStorage(path, small);
    const want = await write(storage);
    for (let round = 0; round < 3; round += 1) {
      const filler = join(mount, 'filler');
      fillDisk(filler);
      await assert.rejects(writeUntilRefused(storage, want), full);
      await assert.rejects(write(storage), full);
      await checkContent(storage, want);
      // After a restart with a full disk, the stored profiles can be read.
      if (round === 1) {
        await storage.close();
        storage = await openDiskStorage(path, small);
        await checkContent(storage, want);
        await assert.rejects(writeUntilRefused(storage, want), full);
      }
      fs.rmSync(filler);
      await until(() => writes(storage, want));
      for (let i = 0; i < 3; i += 1) want.push(...(await write(storage)));
      await checkContent(storage, want);
    }
    await storage.close();
    storage = await openDiskStorage(path, small);
    await checkContent(storage, want);
    await storage.close();
  } finally {
    execFileSync('umount', [mount]);
    fs.rmSync(mount, { recursive: true, force: true });
  }
});

test('a disk that fills up takes no writes in time, cuts its head, and recovers in seconds', async () => {
  const mount = fs.mkdtempSync(join(os.tmpdir(), 'full-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', mount]);
  try {
    const limits = {
      freeDiskBytesMin: 2 << 20,
      freeDiskShareMin: 0,
      diskReserveBytes: 1 << 20,
      freeDiskCheckMillis: 20,
    };
    const storage = await openDiskStorage(join(mount, 'data'), limits);
    const want = await write(storage);
    const filler = join(mount, 'filler');
    fs.writeFileSync(filler, new Uint8Array(4 << 20));
    await assert.rejects(writeUntilRefused(storage, want), {
      code: 'resource-exhausted',
      message: /the disk is full: \d+ bytes are free, 2097152 are kept free/,
    });
    await checkContent(storage, want);
    fillDisk(filler);
    await assert.rejects(write(storage), full);
    const rotated = storage.rotate();
    await checkContent(storage, want);
    fs.rmSync(filler);
    await rotated;
    await until(() => writes(storage, want));
    await checkContent(storage, want);
    await storage.close();
    assert.equal(fs.existsSync(join(mount, 'data/reserve')), false);
  } finally {
    execFileSync('umount', [mount]);
    fs.rmSync(mount, { recursive: true, force: true });
  }
});

/** Returns true if a write succeeds. */
async function writes(storage: Storage, want: ExpectedProfile[]): Promise<boolean> {
  try {
    want.push(...(await write(storage)));
    return true;
  } catch {
    return false;
  }
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => void setTimeout(resolve, 5));
}

function fillDisk(path: string): void {
  const descriptor = fs.openSync(path, 'a');
  try {
    for (;;) if (fs.writeSync(descriptor, new Uint8Array(4_096)) < 4_096) break;
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error && error.code === 'ENOSPC');
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Writes until a write is refused: the last page of the log may have space for a few more. */
async function writeUntilRefused(storage: Storage, want: ExpectedProfile[]): Promise<never> {
  for (;;) want.push(...(await write(storage)));
}

async function write(storage: Storage): Promise<ExpectedProfile[]> {
  time += 1n;
  const appender = storage.appender();
  const options = { rows: 50, seriesCount: 5, functionCount: 200, timeNanos: time };
  const { profile, expected } = randomProfile(random, appender.dictionary, options);
  appender.append(profile);
  await appender.commit();
  return [expected];
}

async function checkContent(storage: Storage, want: readonly ExpectedProfile[]): Promise<void> {
  const byId = (a: ExpectedProfile, b: ExpectedProfile): number => (a.id < b.id ? -1 : 1);
  assert.deepEqual((await readProfiles(storage)).sort(byId), [...want].sort(byId));
}
