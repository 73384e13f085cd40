// Tests of reading source maps. Callers take turns, and each wait and each read has a time limit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../base/clock.ts';
import { createFakeClock } from '../../base/fake/clock.ts';
import { AppError } from '../../base/errors.ts';
import { sourceMapMillisMax, sourceMapsWaitingMax, sourceMapWaitMillisMax } from '../limits.ts';
import { MapReader, type MapRequest } from './map-reader.ts';

/**
 * Creates a reader with fake threads. They never respond to requests about "never", respond to
 * requests about "large" after a second, and respond to other requests immediately.
 */
function createReader(clock: Clock): MapReader {
  return new MapReader(new URL('file:///thread'), clock, (_thread, request, signal) => {
    const { path } = request as MapRequest;
    const answer = { frames: [], text: path };
    if (path === 'large') {
      return new Promise((resolve) => void clock.setTimer(1_000, () => resolve(answer)));
    }
    if (path !== 'never') return Promise.resolve(answer);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new AppError('cancelled', 'cancelled')));
    });
  });
}
const { signal: never } = new AbortController();

function isRefusal(code: string, text: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof AppError && error.code === code && text.test(error.message);
}

test('one read that takes too long ends, and the next caller has its turn', async () => {
  const clock = createFakeClock();
  const reader = createReader(clock);
  const slow = reader.ask({ path: 'never', places: [] }, never, 'a');
  const late = assert.rejects(slow, isRefusal('deadline-exceeded', /more than 60000 ms/));
  await clock.advance(sourceMapMillisMax / 2 + 1);
  const next = reader.ask({ path: 'next', places: [] }, never, 'b');
  await clock.advance(sourceMapMillisMax / 2);
  await late;
  assert.equal((await next).text, 'next');
  assert.equal(clock.pendingTimers(), 0);
});

test('a turn that does not come in time is refused, and a caller that leaves waits no longer', async () => {
  const clock = createFakeClock();
  const reader = createReader(clock);
  const gone = new AbortController();
  const slow = reader.ask({ path: 'never', places: [] }, gone.signal, 'a');
  const leaving = new AbortController();
  const left = reader.ask({ path: 'left', places: [] }, leaving.signal, 'b');
  const waits = reader.ask({ path: 'late', places: [] }, never, 'c');
  const refused = assert.rejects(waits, isRefusal('unavailable', /others took 30000 ms/));
  leaving.abort();
  await assert.rejects(left, /cancelled/);
  await clock.advance(sourceMapWaitMillisMax);
  await refused;
  gone.abort();
  await assert.rejects(slow, /cancelled/);
  assert.equal((await reader.ask({ path: 'now', places: [] }, never, 'c')).text, 'now');
});

test('a small caller does not wait for all reads of another, who is refused first', async () => {
  const clock = createFakeClock();
  const reader = createReader(clock);
  const gone = new AbortController();
  const ask = async (caller: string): Promise<string> => {
    const answer = await reader.ask({ path: caller, places: [] }, gone.signal, caller);
    return answer.text ?? '';
  };
  const many = Array.from({ length: sourceMapsWaitingMax + 1 }, () => ask('large'));
  const small = ask('small');
  // One of these requests is refused, because the other caller waits.
  const outcomes = Promise.allSettled(many);
  await clock.advance(1_500);
  assert.equal(await small, 'small');
  gone.abort();
  await clock.advance(1_000);
  const reasons = (await outcomes).flatMap((outcome) =>
    outcome.status === 'rejected' ? [(outcome.reason as AppError).code] : [],
  );
  assert.equal(reasons.filter((code) => code === 'resource-exhausted').length, 1);
  assert.ok(reasons.length >= sourceMapsWaitingMax - 1, `${reasons.length} did not run`);
});
