// Tests of the uploader against servers that answer as a test tells them to.
import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import { after, test } from 'node:test';
import type { Binary } from '../../bpf/sampler.ts';
import { AppError } from '../../src/base/errors.ts';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { type Logger, silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { DebugFolders } from '../frames/debug-folders.ts';
import { uploadRetryMillis } from '../limits.ts';
import { fileBinary } from '../testing/samples.ts';
import { DebuginfoUploader } from './uploader.ts';

const descriptor = openSync(process.execPath, 'r');
after(() => closeSync(descriptor));

function binary(buildId: string): Binary {
  return { ...fileBinary(process.execPath, buildId), descriptor };
}

/** Creates an uploader. `answer` decides about each build id; an error is thrown. */
function createUploader(
  answer: (buildId: string) => boolean | AppError,
  options: { readonly parallel?: number; readonly logger?: Logger } = {},
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
    folders: new DebugFolders([]),
    ...{ parallel: options.parallel ?? 2, queueMax: 4, callMillisMax: 1_000, strips: true },
    ...{ clock, logger: options.logger ?? silentLogger, metrics: noMetrics },
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
