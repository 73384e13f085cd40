// Tests of the turn meter: its measurements, and its log line about a long turn.
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'node:test';
import { createLogger } from '../logger.ts';
import { noMetrics } from '../metrics.ts';
import { beginWork, duringWork, endWork } from '../work.ts';
import { meterTurns } from './turn-meter.ts';

/** Uses the CPU for some time. */
function spin(millis: number): void {
  const start = process.threadCpuUsage();
  for (let used = 0; used < millis * 1000;) {
    const { user, system } = process.threadCpuUsage(start);
    used = user + system;
  }
}

test('turns are measured by CPU time; a long one is logged with its calls and jobs', async () => {
  const seconds: number[] = [];
  const lines: string[] = [];
  let longest = (): number => 0;
  const metrics = {
    ...noMetrics,
    histogram: () => ({ observe: (value: number) => void seconds.push(value) }),
    observedGauge: (_name: string, _help: string, read: () => number) => void (longest = read),
  };
  const logger = createLogger({
    level: 'info',
    format: 'logfmt',
    nowMillis: () => 0,
    write: (line) => void lines.push(line),
  });
  /** Turns that are as long as those of this test: others of the process may be measured, too. */
  const longTurns = (): number[] => seconds.filter((one) => one >= 0.2);
  const stop = meterTurns(metrics, logger);
  await nextTurn();
  await nextTurn();
  const waiting = beginWork(() => 'GET /waits by 10.0.0.1');
  const early = beginWork(() => 'GET /ended-earlier by 10.0.0.2');
  endWork(early);
  await nextTurn();
  seconds.length = 0;
  // The steps of one turn, which nothing interrupts, count together.
  await duringWork('cut of a head', async () => {
    for (let step = 0; step < 3; step += 1) {
      spin(80);
      await Promise.resolve();
    }
  });
  await nextTurn();
  await nextTurn();
  assert.equal(longTurns().length, 1);
  const [turn] = longTurns();
  assert.ok(turn >= 0.24 && turn < 0.6, String(turn));
  assert.equal(longest(), turn);
  const cpu = Math.round(turn * 1000);
  assert.deepEqual(lines, [
    'ts=1970-01-01T00:00:00.000Z level=warn msg="the event loop was held up" ' +
      `cpuMillis=${cpu} work="cut of a head; GET /waits by 10.0.0.1"`,
  ]);
  // Waiting does not count. A second long turn within a second is counted but not logged.
  seconds.length = 0;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  await nextTurn();
  await nextTurn();
  assert.deepEqual(longTurns(), []);
  spin(210);
  await nextTurn();
  await nextTurn();
  assert.equal(longTurns().length, 1);
  assert.equal(lines.length, 1);
  endWork(waiting);
  stop();
});
