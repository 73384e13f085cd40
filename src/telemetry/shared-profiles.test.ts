import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../base/errors.ts';
import { createFakeClock } from '../base/fake/clock.ts';
import { selfProfilesMax } from './limits.ts';
import { SharedProfiles } from './shared-profiles.ts';

/** A profiler whose profiles end only when the test ends them. */
class HeldProfiler {
  readonly ends: ((profile: Uint8Array) => void)[] = [];
  readonly signals: AbortSignal[] = [];
  heaps = 0;

  cpu(_seconds: number, signal: AbortSignal): Promise<Uint8Array> {
    this.signals.push(signal);
    return new Promise((resolve, reject) => {
      this.ends.push(resolve);
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  }

  async heap(): Promise<Uint8Array> {
    this.heaps += 1;
    return Uint8Array.of(this.heaps);
  }
}

const never = new AbortController().signal;

test('equal CPU profiles that begin together are taken once', async () => {
  const clock = createFakeClock();
  const profiler = new HeldProfiler();
  const shared = new SharedProfiles(clock, profiler);
  const callers = Array.from({ length: 50 }, () => shared.cpu(10, never));
  const longer = shared.cpu(20, never);
  await clock.advance(1_500);
  const later = shared.cpu(10, never);
  assert.equal(profiler.ends.length, 3);
  for (const [i, end] of profiler.ends.entries()) end(Uint8Array.of(i));
  const profiles = await Promise.all(callers);
  assert.deepEqual(new Set(profiles), new Set([Uint8Array.of(0)]));
  assert.deepEqual([await longer, await later], [Uint8Array.of(1), Uint8Array.of(2)]);
});

test('a profile ends when the last of its callers has gone', async () => {
  const profiler = new HeldProfiler();
  const shared = new SharedProfiles(createFakeClock(), profiler);
  const [first, second] = [new AbortController(), new AbortController()];
  const profiles = [shared.cpu(5, first.signal), shared.cpu(5, second.signal)];
  first.abort(new AppError('cancelled', 'gone'));
  await assert.rejects(profiles[0], /gone/);
  assert.equal(profiler.signals[0].aborted, false);
  second.abort(new AppError('cancelled', 'gone'));
  await assert.rejects(profiles[1], /gone/);
  assert.equal(profiler.signals[0].aborted, true);
});

test('more different profiles than the limit are refused, and room comes back', async () => {
  const profiler = new HeldProfiler();
  const shared = new SharedProfiles(createFakeClock(), profiler);
  const taken = Array.from({ length: selfProfilesMax }, (_, i) => shared.cpu(i + 1, never));
  await assert.rejects(shared.cpu(200, never), {
    code: 'resource-exhausted',
    message: 'cannot profile: 16 profiles are being taken, the limit is 16',
  });
  for (const end of profiler.ends) end(new Uint8Array(0));
  await Promise.all(taken);
  const next = shared.cpu(200, never);
  profiler.ends[selfProfilesMax](Uint8Array.of(7));
  assert.deepEqual(await next, Uint8Array.of(7));
});

test('a heap profile serves those that ask within a second', async () => {
  const clock = createFakeClock();
  const profiler = new HeldProfiler();
  const shared = new SharedProfiles(clock, profiler);
  await Promise.all(Array.from({ length: 50 }, () => shared.heap()));
  assert.equal(profiler.heaps, 1);
  await clock.advance(1_500);
  assert.deepEqual(await shared.heap(), Uint8Array.of(2));
});
