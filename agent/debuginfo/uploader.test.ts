// Tests of the uploader with scripted servers.
import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Binary } from '../../bpf/sampler.ts';
import { AppError } from '../../src/base/errors.ts';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { type Logger, silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { sharedBuildId, sharedFile, sharingFile } from '../../test/support/hostile/split-elf.ts';
import { DebugFolders } from '../frames/debug-folders.ts';
import { uploadRetryMillis } from '../limits.ts';
import { fileBinary } from '../testing/samples.ts';
import { DebuginfoUploader } from './uploader.ts';

const descriptor = openSync(process.execPath, 'r');
after(() => closeSync(descriptor));

function binary(buildId: string): Binary {
  return { ...fileBinary(process.execPath, buildId), descriptor };
}

/**
 * Creates an uploader. `answer` returns the response for a build id; a returned error is thrown.
 */
function createUploader(
  answer: (buildId: string) => boolean | AppError,
  options: {
    readonly parallel?: number;
    readonly logger?: Logger;
    readonly folders?: readonly string[];
    readonly openFileOf?: (pid: number, path: string) => number;
  } = {},
) {
  const asked: string[] = [];
  const uploaded: { readonly buildId: string; readonly bytes: number }[] = [];
  const load = { now: 0, most: 0 };
  const clock = createFakeClock();
  const uploader = new DebuginfoUploader({
    client: {
      isWanted: async ({ buildId }) => {
        asked.push(buildId);
        const decided = answer(buildId);
        if (decided instanceof AppError) throw decided;
        return { isWanted: decided, reason: 'told so' };
      },
      upload: async ({ buildId }, file) => {
        load.now += 1;
        load.most = Math.max(load.most, load.now);
        let bytes = 0;
        for await (const piece of file.pieces()) bytes += piece.length;
        assert.equal(bytes, file.size);
        assert.match(file.hash, /^[0-9a-f]{64}$/);
        uploaded.push({ buildId, bytes });
        load.now -= 1;
      },
    },
    folders: new DebugFolders(options.folders ?? []),
    openFile: (pid, path) => options.openFileOf?.(pid, path) ?? -1,
    parallel: options.parallel ?? 2,
    queueMax: 4,
    callMillisMax: 1_000,
    strips: true,
    clock,
    logger: options.logger ?? silentLogger,
    metrics: noMetrics,
  });
  const settled = async (): Promise<void> => {
    while (uploader.state().pending > 0) await new Promise((resolve) => setImmediate(resolve));
  };
  return { uploader, asked, uploaded, clock, settled, load };
}

test('what is wanted is uploaded once, what is not is not', async () => {
  const made = createUploader((buildId) => buildId !== 'there');
  made.uploader.offer([binary('aaa'), binary('there'), binary('aaa')]);
  made.uploader.offer([binary('aaa')]);
  await made.settled();
  made.uploader.offer([binary('aaa'), binary('there')]);
  await made.settled();
  assert.deepEqual(made.asked.toSorted(), ['aaa', 'there']);
  assert.deepEqual(
    made.uploaded.map(({ buildId }) => buildId),
    ['aaa'],
  );
  assert.ok(made.uploaded[0].bytes > 1_000_000);
  const has = (buildId: string): boolean => made.uploader.hasUploaded(binary(buildId));
  assert.deepEqual([has('aaa'), has('there'), has('other')], [true, true, false]);
});

test('no more uploads at once than allowed, no more waiting than the queue takes', async () => {
  const made = createUploader(() => true, { parallel: 2 });
  const ids = Array.from({ length: 9 }, (_, i) => `id${i}`);
  made.uploader.offer(ids.map(binary));
  await made.settled();
  assert.equal(made.uploaded.length, 4);
  made.uploader.offer(ids.map(binary));
  await made.settled();
  made.uploader.offer(ids.map(binary));
  await made.settled();
  assert.deepEqual(made.uploaded.map(({ buildId }) => buildId).toSorted(), ids);
  assert.equal(made.load.most, 2);
});

test('a server without the service is told of once, and asked no more', async () => {
  const lines: string[] = [];
  const logger = { ...silentLogger, info: (message: string) => void lines.push(message) };
  const answer = (): AppError => new AppError('unimplemented', 'unknown service');
  const made = createUploader(answer, { logger, parallel: 1 });
  made.uploader.offer([binary('aaa'), binary('bbb')]);
  await made.settled();
  made.uploader.offer([binary('ccc')]);
  await made.settled();
  assert.deepEqual(made.asked, ['aaa']);
  assert.deepEqual(lines, ['the server does not take debug information']);
});

test('after a failure the file is offered again later, or never', async () => {
  let isAway = true;
  const made = createUploader((buildId) => {
    if (buildId === 'bad') return new AppError('invalid-argument', 'no such id');
    return isAway ? new AppError('unavailable', 'no server') : true;
  });
  const offer = async (): Promise<void> => {
    made.uploader.offer([binary('aaa'), binary('bad')]);
    await made.settled();
  };
  await offer();
  isAway = false;
  await offer();
  assert.equal(made.uploaded.length, 0, 'not at once');
  await made.clock.advance(uploadRetryMillis);
  await offer();
  assert.equal(made.uploaded.length, 1);
  assert.deepEqual(made.asked.toSorted(), ['aaa', 'aaa', 'bad']);
});

/**
 * Creates a program that shares DWARF with `common.debug`, in a folder with or without that file.
 */
function createSharing() {
  const folder = mkdtempSync(join(tmpdir(), 'uploader-'));
  const path = join(folder, 'program');
  writeFileSync(path, sharingFile());
  const program = openSync(path, 'r');
  after(() => {
    closeSync(program);
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, 'common.debug'), sharedFile());
  const opened: string[] = [];
  return {
    folder,
    opened,
    offered: [{ ...fileBinary('/app/program', 'ab12'), descriptor: program }],
    openFileOf: (pid: number, name: string): number => {
      opened.push(`${pid} ${name}`);
      return openSync(join(folder, 'common.debug'), 'r');
    },
  };
}

test('a file that programs share DWARF with is uploaded once, from where the process sees it', async () => {
  const { offered, opened, openFileOf } = createSharing();
  const made = createUploader(() => true, { openFileOf });
  made.uploader.offer(offered, () => 7);
  await made.settled();
  assert.deepEqual(opened, ['7 /app/common.debug']);
  const uploadedIds = (): string[] => made.uploaded.map(({ buildId }) => buildId);
  assert.deepEqual(uploadedIds(), ['ab12', sharedBuildId]);
  // A second program that shares the same DWARF.
  made.uploader.offer([{ ...offered[0], buildId: 'cd34' }], () => 8);
  await made.settled();
  assert.deepEqual(uploadedIds(), ['ab12', sharedBuildId, 'cd34']);
  assert.equal(made.uploader.state().uploaded, 3);
});

test('a shared file is uploaded where an earlier agent left it out', async () => {
  const { offered, openFileOf } = createSharing();
  const made = createUploader((buildId) => buildId !== 'ab12', { openFileOf });
  made.uploader.offer(offered, () => 7);
  await made.settled();
  assert.deepEqual(
    made.uploaded.map(({ buildId }) => buildId),
    [sharedBuildId],
  );
});

test('a shared file is taken from the debug folders of the host, by its name there', async () => {
  const { folder, offered } = createSharing();
  const made = createUploader(() => true, { folders: [folder] });
  made.uploader.offer(offered);
  await made.settled();
  assert.deepEqual(
    made.uploaded.map(({ buildId }) => buildId),
    ['ab12', sharedBuildId],
  );
});
