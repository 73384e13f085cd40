// Tests of waits before refusals: which callers wait, how long, and when the waits end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../base/errors.ts';
import { createFakeClock } from '../../../base/fake/clock.ts';
import { createMetricsRegistry } from '../../../telemetry/metrics.ts';
import {
  refusalsOfNetworkPerSecond,
  refusalsPerSecond,
  refusalsWaitingMax,
  refusalWaitMillis,
} from '../../limits.ts';
import { RefusalWaits } from './refusal-waits.ts';

class Answer {
  readonly destroyed = false;
  readonly headersSent = false;
  readonly listeners = new Set<() => void>();

  once(_event: 'close', listener: () => void): void {
    this.listeners.add(listener);
  }

  off(_event: 'close', listener: () => void): void {
    this.listeners.delete(listener);
  }
}

const busy = new AppError('resource-exhausted', 'busy', { retryAfterMillis: 1_000 });

function setUp() {
  const clock = createFakeClock();
  const metrics = createMetricsRegistry({ version: 'v', commit: 'c' });
  const waits = new RefusalWaits(clock, metrics);
  const refuse = (caller: string, answer = new Answer(), error: unknown = busy) =>
    waits.before(error, caller, answer);
  const refuseAtOnce = (caller: string): void => {
    for (let i = 0; i < refusalsPerSecond; i += 1) assert.equal(refuse(caller), undefined);
  };
  const readMetrics = async (): Promise<string[]> =>
    (await metrics.text()).text.split('\n').filter((line) => line.startsWith('parca_refusals_'));
  return { clock, refuse, refuseAtOnce, readMetrics };
}

test('a caller gets some refusals at once, and waits for later ones; others do not', async () => {
  const { clock, refuse, refuseAtOnce, readMetrics } = setUp();
  refuseAtOnce('10.0.0.1');
  let isSent = false;
  const sent = refuse('10.0.0.1')?.then(() => (isSent = true));
  assert.ok(sent);
  assert.equal(refuse('10.0.0.2'), undefined);
  assert.equal(refuse('10.0.0.1', new Answer(), new AppError('not-found', 'x')), undefined);
  assert.deepEqual(await readMetrics(), [
    'parca_refusals_delayed_total 1',
    'parca_refusals_waiting 1',
  ]);
  await clock.advance(refusalWaitMillis - 1);
  assert.equal(isSent, false);
  await clock.advance(1);
  assert.equal(isSent, true);
  // A second later, the same number of refusals as at first is sent immediately.
  refuseAtOnce('10.0.0.1');
  assert.notEqual(refuse('10.0.0.1'), undefined);
});

test('a refusal no longer waits when its connection is closed, and a limited number waits', async () => {
  const { clock, refuse, refuseAtOnce, readMetrics } = setUp();
  refuseAtOnce('10.0.0.1');
  const answers = Array.from({ length: refusalsWaitingMax }, () => new Answer());
  const waits = answers.map(async (answer) => refuse('10.0.0.1', answer));
  assert.equal(refuse('10.0.0.1'), undefined);
  for (const { listeners } of answers) for (const close of listeners) close();
  await Promise.all(waits);
  assert.deepEqual(await readMetrics(), [
    `parca_refusals_delayed_total ${refusalsWaitingMax}`,
    'parca_refusals_waiting 0',
  ]);
  assert.deepEqual(
    answers.filter(({ listeners }) => listeners.size > 0),
    [],
  );
  await clock.advance(refusalWaitMillis);
});

test('callers that are not let in wait, too, and so do many callers of a network', async () => {
  const { clock, refuse, refuseAtOnce, readMetrics } = setUp();
  const unknown = new AppError('unauthenticated', 'who are you');
  const forbidden = new AppError('permission-denied', 'not you');
  refuseAtOnce('10.0.0.1');
  const sent = [unknown, forbidden].map((error) => refuse('10.0.0.1', new Answer(), error));
  assert.ok(sent.every((one) => one !== undefined));
  for (let i = refusalsPerSecond; i < refusalsOfNetworkPerSecond; i += 1) {
    void refuse(`10.0.0.${2 + (i % 200)}`, new Answer(), unknown);
  }
  assert.notEqual(refuse('10.0.0.250', new Answer(), unknown), undefined);
  assert.equal(refuse('10.0.1.250', new Answer(), unknown), undefined);
  const [delayed] = await readMetrics();
  assert.ok(Number(delayed.split(' ')[1]) >= 3, delayed);
  await clock.advance(refusalWaitMillis);
  await Promise.all(sent);
});
