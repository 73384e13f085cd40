// Tests of turns for a decoder, on a clock that stops: one caller does not hold up others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../base/fake/clock.ts';
import { noMetrics } from '../base/metrics.ts';
import { Dictionary } from '../model/dictionary.ts';
import type { Decoder } from './decoder.ts';
import { FairDecoder } from './fair-decoder.ts';
import type { SeriesUpload } from './upload-reader.ts';

const head = new Dictionary([1, 2, 3]);

function uploadOf(caller: string, bytes: number): SeriesUpload {
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

/** Sets up a worker that takes uploads one by one, a millisecond for each byte. */
function setUp(pendingBytesMax?: number) {
  const clock = createFakeClock();
  let last = Promise.resolve();
  const worker: Decoder = {
    async decode(uploads) {
      const millis = uploads.reduce((sum, { profile }) => sum + profile.length, 0);
      last = last.then(() => new Promise((resolve) => void clock.setTimer(millis, resolve)));
      await last;
      return { appendTo: () => true };
    },
    close: async () => undefined,
  };
  const limits = pendingBytesMax === undefined ? {} : { pendingBytesMax };
  const decoder = new FairDecoder(worker, { clock, metrics: noMetrics, size: 1, ...limits });
  const ends: string[] = [];
  const push = async (caller: string, bytes: number): Promise<void> => {
    const start = clock.monotonicMillis();
    await decoder.decode([uploadOf(caller, bytes)], head);
    ends.push(`${caller} ${clock.monotonicMillis() - start}`);
  };
  return { clock, push, ends };
}

test('a small write waits for at most one of another caller with hundreds', async () => {
  const { clock, push, ends } = setUp();
  for (let i = 0; i < 300; i += 1) void push('hostile', 500);
  await clock.advance(250);
  void push('small', 10);
  await clock.advance(300);
  assert.deepEqual(ends, ['hostile 500', 'small 260']);
  // The next ones run before what the other caller still owes.
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
  // One upload of the other caller runs, and the next one waits.
  void push('other', 300);
  void push('other', 300);
  await assert.rejects(hostile[2], /3 writes of 1100 bytes wait, most of them yours/);
});
