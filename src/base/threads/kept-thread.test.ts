// Tests of a thread that is kept: successive questions, its death, a cancelled question, its idle
// time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../fake/clock.ts';
import { ownedCopy } from '../owned.ts';
import { KeptThread } from './kept-thread.ts';
import { runningThreads } from './thread.ts';

const idleMillis = 1_000;
const { signal } = new AbortController();

interface Question {
  readonly text: string;
  readonly bytes?: Uint8Array;
}

function setUp(name: string) {
  const clock = createFakeClock();
  const script = new URL('./testing/echo.ts', import.meta.url);
  const start = { script, name, task: 'echo', whyCancelled: 'cancelled', idleMillis };
  const thread = new KeptThread(clock, { ...start, heapBytesMax: 16 << 20 });
  const ask = (question: Question, ending = signal) =>
    thread.ask<string>(question, question.bytes === undefined ? [] : [question.bytes], ending);
  const threads = () => [...runningThreads()].filter((one) => one.name === name);
  return { clock, thread, ask, threads };
}

test('one thread answers all questions, and ends when it is idle', async () => {
  const { clock, ask, threads } = setUp('echo');
  const bytes = ownedCopy(Uint8Array.of(1, 2, 3), 0, 3);
  assert.equal(await ask({ text: 'a', bytes }), 'a 1 of 3 bytes');
  assert.equal(bytes.length, 0, 'memory is moved');
  await clock.advance(idleMillis - 1);
  const [first] = threads();
  assert.equal(await ask({ text: 'b' }), 'b 2');
  await clock.advance(idleMillis - 1);
  assert.deepEqual(threads(), [first]);
  const ended = new Promise((resolve) => void first.once('exit', resolve));
  await clock.advance(1);
  await ended;
  assert.deepEqual(threads(), []);
  // The next question gets a new thread.
  assert.equal(await ask({ text: 'c' }), 'c 1');
});

test('an error is that of the question, and the thread goes on', async (t) => {
  const { thread, ask } = setUp('failing');
  t.after(() => thread.close());
  await assert.rejects(ask({ text: 'fail' }), { code: 'invalid-argument', message: 'cannot fail' });
  assert.equal(await ask({ text: 'a' }), 'a 2');
});

test('a thread that dies or is cancelled fails its question, and the next gets a new one', async (t) => {
  const { thread, ask, threads } = setUp('dying');
  t.after(() => thread.close());
  await assert.rejects(ask({ text: 'grow' }), {
    code: 'resource-exhausted',
    limit: 'memory-limit',
    message: /^cannot echo: the thread died: /,
  });
  assert.equal(await ask({ text: 'a' }), 'a 1');
  const [first] = threads();
  const ending = new AbortController();
  const endless = ask({ text: 'never' }, ending.signal);
  ending.abort();
  await assert.rejects(endless, { code: 'cancelled', message: 'cannot echo: cancelled' });
  await assert.rejects(ask({ text: 'late' }, ending.signal), { code: 'cancelled' });
  assert.equal(await ask({ text: 'b' }), 'b 1');
  assert.ok(!threads().includes(first));
});
