import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createClock } from '../../../base/node/clock.ts';
import { noMetrics } from '../../../base/metrics.ts';
import { drainBody, ignoreError, readBody } from './request-body.ts';
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

test('large bodies are whole, whatever length their headers announce', async () => {
  const bytesMax = 16 << 20;
  const memory = new RequestMemory(
    { bytesMax: 8 * bytesMax, connectionBytesMax: 8 * bytesMax },
    noMetrics.counter('', ''),
  );
  const pieces = Array.from({ length: 120 }, (_, i) => Buffer.alloc(65_536, i));
  const whole = Buffer.concat(pieces);
  const read = async (announced: number | undefined): Promise<Buffer> => {
    const headers = { 'content-length': String(announced) };
    const stream = Object.assign(new PassThrough(), announced === undefined ? {} : { headers });
    const lease = memory.lease({});
    const body = readBody(stream, {
      clock: createClock(),
      lease,
      bytesMax,
      stallMillisMax: 10_000,
    });
    for (const piece of pieces) stream.write(piece);
    stream.end();
    return body;
  };
  const bodies = await Promise.all(
    [whole.length, undefined, whole.length + 100, 1e15].map((announced) => read(announced)),
  );
  for (const body of bodies) assert.ok(body.equals(whole));
});
