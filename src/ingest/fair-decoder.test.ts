// Tests that callers take turns at a decoder, with a fake clock: no caller delays the others for
// long.
import assert from 'node:assert/strict';
import { test } from 'node:test';
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

/** Sets up a worker that decodes uploads one by one and takes a millisecond for each byte. */
function setUp(pendingBytesMax?: number) {
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
        *appendTo() {
          yield;
          return true;
        },
      };
    },
    close: async () => undefined,
  };
  const limits = pendingBytesMax === undefined ? {} : { pendingBytesMax };
  const decoder = new FairDecoder(worker, { clock, metrics: noMetrics, size: 1, ...limits });
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
