// Tests a thread whose objects exceed its memory limit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askThread } from './ask-thread.ts';

test('a thread that takes too much memory dies by the memory limit, alone', async () => {
  const script = new URL(
    'data:text/javascript,const all = []; for (;;) all.push({ a: [1, 2, 3] });',
  );
  const thread = { script, name: 'greedy', task: 'take memory', whyCancelled: 'cancelled' };
  await assert.rejects(
    askThread({ ...thread, heapBytesMax: 16 << 20 }, {}, new AbortController().signal),
    {
      code: 'resource-exhausted',
      limit: 'memory-limit',
      message: /^cannot take memory: the thread died: /,
    },
  );
});
