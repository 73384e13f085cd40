import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createClock } from '../../../base/node/clock.ts';
import { noMetrics } from '../../../base/metrics.ts';
import { drainBody, ignoreError } from './request-body.ts';
import { RequestMemory } from './request-memory.ts';

test('a stream that was read has no listener that holds the request', async () => {
  const memory = new RequestMemory(
    { bytesMax: 10, connectionBytesMax: 10 },
    noMetrics.counter('', ''),
  );
  const stream = new PassThrough();
  const limits = {
    clock: createClock(),
    lease: memory.lease({}),
    bytesMax: 10,
    stallMillisMax: 1_000,
  };
  const own = ['data', 'end', 'close'].map((event) => stream.listenerCount(event));
  const chunks: Uint8Array[] = [];
  const drained = drainBody(stream, limits, (chunk) => chunks.push(chunk));
  stream.end('body');
  await drained;
  assert.deepEqual(chunks, [Buffer.from('body')]);
  assert.deepEqual(
    ['data', 'end', 'close'].map((event) => stream.listenerCount(event)),
    own,
  );
  assert.deepEqual(stream.listeners('error'), [ignoreError]);
});
