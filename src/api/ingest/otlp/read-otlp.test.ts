// Tests of the choice between this thread and a worker, which depends on the amount of work, and
// not only on the size of a request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClock } from '../../../base/node/clock.ts';
import { runningThreads } from '../../../base/threads/thread.ts';
import { emptyMessages } from '../../../formats/testing/empty-messages.ts';
import { otlpInThreadBytesMin } from '../../limits.ts';
import { readOtlp } from './read-otlp.ts';

/** Reads a request, and returns true if a thread was used. */
async function takesThread(body: Uint8Array, isJson: boolean): Promise<boolean> {
  let hasThread = false;
  let isOver = false;
  const look = (): void => {
    hasThread ||= [...runningThreads()].length > 0;
    if (!isOver) setImmediate(look);
  };
  look();
  const { signal } = new AbortController();
  await readOtlp(body, isJson, createClock(), () => signal);
  isOver = true;
  return hasThread;
}

test('a small request of very many messages is read in a thread, others are not', async () => {
  const check = async (isInThread: boolean, body: Uint8Array, isJson = false): Promise<void> => {
    assert.ok(body.length < otlpInThreadBytesMin);
    assert.equal(await takesThread(body, isJson), isInThread);
  };
  await check(false, emptyMessages(10_000, 2, 5));
  // The nested fields stand for samples, strings and stacks.
  await check(true, emptyMessages(100_000, 1, 2, 2, 2));
  await check(true, emptyMessages(100_000, 2, 5));
  await check(true, emptyMessages(100_000, 2, 7));
  const samples = (count: number): Uint8Array => {
    const list = Array.from({ length: count }, () => ({}));
    const profiles = [{ samples: list }];
    return Buffer.from(JSON.stringify({ resourceProfiles: [{ scopeProfiles: [{ profiles }] }] }));
  };
  await check(false, samples(1_000), true);
  await check(true, samples(20_000), true);
});
