// Tests that callers take turns at a decoder, with a fake clock: no caller delays the others for
// long.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../base/errors.ts';
import { createFakeClock } from '../base/fake/clock.ts';
import { noMetrics } from '../base/metrics.ts';
import { Dictionary } from '../model/dictionary.ts';
import type { DecodedBatch, Decoder } from './decoder.ts';
import { FairDecoder } from './fair-decoder.ts';
import type { SeriesUpload } from './upload-reader.ts';

const head = new Dictionary([1, 2, 3]);

function makeUpload(caller: string, bytes: number): SeriesUpload {
  return {
    series: { name: 'process_cpu', labels: [] },
    profile: new Uint8Array(bytes),
    keepSampleTypes: [],
    timeNanos: undefined,
    receivedNanos: 0n,
    areFileAddresses: false,
    samplesMax: 0,
    contentBytesMax: 0,
    caller,
  };
}

/**
 * Sets up a worker that takes uploads one by one and needs a millisecond for each byte. Each batch
 * takes `heldBytes`, and all batches may take `heldBytesMax`.
 */
function setUp(pendingBytesMax?: number, heldBytes = 0, heldBytesMax = 1) {
  const clock = createFakeClock();
  let last = Promise.resolve();
  const targets: Dictionary[] = [];
  const worker: Decoder = {
    async decode(uploads, findTarget) {
      targets.push(findTarget());
      const millis = uploads.reduce((sum, { profile }) => sum + profile.length, 0);
      last = last.then(() => new Promise((resolve) => void clock.setTimer(millis, resolve)));
      await last;
      return {
        target: head,
        heldBytes,
        *appendTo() {
          yield;
          return true;
        },
      };
    },
    close: async () => undefined,
  };
  const limits = pendingBytesMax === undefined ? {} : { pendingBytesMax };
  const options = { clock, metrics: noMetrics, size: 1, heldBytesMax, ...limits };
  const decoder = new FairDecoder(worker, options);
  const ends: string[] = [];
  const push = async (caller: string, bytes: number): Promise<void> => {
    const start = clock.monotonicMillis();
    const batch = await decoder.decode([makeUpload(caller, bytes)], () => head);
    batch.release?.();
    ends.push(`${caller} ${clock.monotonicMillis() - start}`);
  };
  return { clock, decoder, push, ends, targets };
}

test('a small write waits for at most one of another caller with hundreds', async () => {
  const { clock, push, ends } = setUp();
  for (let i = 0; i < 300; i += 1) void push('hostile', 500);
  await clock.advance(250);
  void push('small', 10);
  await clock.advance(300);
  assert.deepEqual(ends, ['hostile 500', 'small 260']);
  // The small caller's next upload runs before the other caller's waiting uploads.
  void push('small', 10);
  await clock.advance(600);
  assert.equal(ends.at(-1), 'small 470');
});

test('the caller that waits for most is refused, with a time', async () => {
  const { push } = setUp(1_000);
  const hostile = Array.from({ length: 4 }, () => push('hostile', 400));
  await assert.rejects(hostile[3], {
    code: 'resource-exhausted',
    message: /3 writes of 1200 bytes wait, most of them yours/,
    retryAfterMillis: 1_000,
  });
  // The first upload of the other caller runs, and its second one waits.
  void push('other', 300);
  void push('other', 300);
  await assert.rejects(hostile[2], /3 writes of 1100 bytes wait, most of them yours/);
});

test('a write is decoded for the head that takes writes when its turn comes', async () => {
  const { clock, decoder, targets } = setUp();
  let current = head;
  const next = new Dictionary([1, 2, 3]);
  for (let i = 0; i < 3; i += 1) {
    const decoding = decoder.decode([makeUpload('one', 100)], () => current);
    void decoding.then((batch) => batch.release?.());
  }
  await clock.advance(150);
  current = next;
  await clock.advance(300);
  // The second upload was already being decoded when the next head began.
  const names = targets.map((target) => (target === next ? 'next' : 'head'));
  assert.deepEqual(names, ['head', 'head', 'next']);
});

test('a worker decodes no more for a caller while its writes wait to be stored', async () => {
  const { clock, decoder, targets } = setUp();
  const decoded: (DecodedBatch | undefined)[] = [];
  const push = (caller: string): void => {
    const decoding = decoder.decode([makeUpload(caller, 100)], () => head);
    void decoding.then((batch) => decoded.push(batch));
  };
  for (let i = 0; i < 10; i += 1) push('one');
  await clock.advance(5_000);
  assert.equal(targets.length, 2, 'one is stored, and one waits');
  push('other');
  await clock.advance(200);
  assert.equal(decoded.length, 3, 'another caller need not wait for that');
  decoded[0]?.release?.();
  decoded[0]?.release?.();
  await clock.advance(5_000);
  assert.equal(targets.length, 4);
  for (let i = 0; i < 20; i += 1) {
    for (const batch of decoded.splice(0)) batch?.release?.();
    await clock.advance(200);
  }
  assert.equal(targets.length, 11);
});

test('no write of any caller is decoded while decoded writes fill their memory', async () => {
  const { clock, decoder, targets } = setUp(undefined, 100, 250);
  const decoded: DecodedBatch[] = [];
  for (let i = 0; i < 8; i += 1) {
    const decoding = decoder.decode([makeUpload(`10.0.${i}.1`, 100)], () => head);
    void decoding.then((batch) => decoded.push(batch));
  }
  await clock.advance(5_000);
  // The turns of the third and the fourth do not end, and there are only two turns at once.
  assert.equal(decoded.length, 4);
  decoded[0].release?.();
  await clock.advance(5_000);
  assert.equal(decoded.length, 4, 'three batches still take more than their memory');
  decoded[1].release?.();
  await clock.advance(5_000);
  assert.equal(decoded.length, 6);
  for (const batch of decoded) batch.release?.();
  await clock.advance(5_000);
  for (const batch of decoded) batch.release?.();
  assert.equal(targets.length, 8);
});

test('a write that waits for its turn ends when its caller has gone', async () => {
  const { clock, decoder, targets } = setUp();
  const gone = new AbortController();
  const signal = (): AbortSignal => gone.signal;
  const writes = [100, 100, 100].map((bytes) =>
    decoder.decode([makeUpload('one', bytes)], () => head, { signal }),
  );
  const ends = Promise.allSettled(writes);
  await clock.advance(50);
  gone.abort(new AppError('cancelled', 'the caller has gone'));
  await clock.advance(5_000);
  // The first write was already being decoded.
  const reasons = (await ends).map((end) => (end.status === 'rejected' ? String(end.reason) : ''));
  assert.deepEqual(reasons, ['', 'AppError: the caller has gone', 'AppError: the caller has gone']);
  assert.equal(targets.length, 1);
  // A caller that has gone before its write has to wait is not decoded, either.
  const running = decoder.decode([makeUpload('one', 100)], () => head);
  const late = decoder.decode([makeUpload('one', 100)], () => head, { signal });
  await assert.rejects(late, { message: 'the caller has gone' });
  await clock.advance(200);
  (await running).release?.();
  assert.equal(targets.length, 2);
});
