// Tests of large bodies that arrive at the same time: each turn reads some of them.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { noMetrics } from '../../../base/metrics.ts';
import { createClock } from '../../../base/node/clock.ts';
import { drainBody } from './request-body.ts';
import { RequestMemory } from './request-memory.ts';

const mebi = 1 << 20;
const chunkBytes = 65_536;

/**
 * Drains complete bodies at the same time, and returns the largest number of bytes that were read
 * in one turn.
 */
async function drainAtOnce(count: number, bytes: number, major: number): Promise<number> {
  const size = { bytesMax: count * bytes, connectionBytesMax: count * bytes };
  const memory = new RequestMemory(size, noMetrics.counter('', ''));
  let [inTurn, most, total] = [0, 0, 0];
  let isOver = false;
  const turn = (): void => {
    most = Math.max(most, inTurn);
    inTurn = 0;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const draining = Array.from({ length: count }, () => {
    const body = new PassThrough({ highWaterMark: 2 * bytes });
    const stream = Object.assign(body, { httpVersionMajor: major });
    for (let at = 0; at < bytes; at += chunkBytes) stream.write(Buffer.alloc(chunkBytes));
    stream.end();
    const lease = memory.lease({});
    const limits = { clock: createClock(), lease, bytesMax: bytes, stallMillisMax: 10_000 };
    return drainBody(stream, limits, ({ length }) => {
      inTurn += length;
      total += length;
    });
  });
  await Promise.all(draining).finally(() => (isOver = true));
  assert.equal(total, count * bytes);
  return Math.max(most, inTurn);
}

test('a turn reads some of many large bodies', async () => {
  const most = await drainAtOnce(16, 4 * mebi, 1);
  // A body is read without limits until it counts as large. Then the chunk that ends the turn is
  // still read.
  assert.ok(most <= 4 * mebi + 16 * (256 * 1_024 + chunkBytes), `${most} bytes in a turn`);
  const all = await drainAtOnce(16, 4 * mebi, 2);
  assert.ok(all > 2 * most, `${all} and ${most}`);
});
