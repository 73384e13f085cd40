// Tests of the turn meter: its measurements, and its log line about a long turn.
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type TestContext, test } from 'node:test';
import { createLogger } from '../logger.ts';
import { noMetrics } from '../metrics.ts';
import { beginWork, duringWork, endWork } from '../work.ts';
import { cpuMillisOfThread, meterTurns } from './turn-meter.ts';

/** Starts a meter of a thread whose time only advances when the test says so. */
function startMeter(t: TestContext) {
  const seconds: number[] = [];
  const lines: string[] = [];
  let longest = (): number => 0;
  let [wall, cpu] = [0, 0];
  const metrics = {
    ...noMetrics,
    histogram: () => ({ observe: (value: number) => void seconds.push(value) }),
    observedGauge: (_name: string, _help: string, read: () => number) => void (longest = read),
  };
  const write = (line: string): void => void lines.push(line);
  const logger = createLogger({ level: 'info', format: 'logfmt', nowMillis: () => 0, write });
  t.after(meterTurns(metrics, logger, { wallMillis: () => wall, cpuMillis: () => cpu }));
  return {
    seconds,
    lines,
    longest: () => longest(),
    /** Advances only wall time, as if the thread were waiting. */
    wait: (millis: number) => void (wall += millis),
    /** Advances wall time and CPU time, as if the thread were busy. */
    spin: (millis: number) => {
      wall += millis;
      cpu += millis;
    },
    /** Ends this turn and the next: the meter notices the end of a turn in the next turn. */
    endTurn: async () => {
      await nextTurn();
      await nextTurn();
    },
  };
}

const heldUp = 'ts=1970-01-01T00:00:00.000Z level=warn msg="the event loop was held up"';

test('the steps of a turn count together, and the log names its calls and jobs', async (t) => {
  const meter = startMeter(t);
  const waiting = beginWork(() => 'GET /waits by 10.0.0.1');
  const early = beginWork(() => 'GET /ended-earlier by 10.0.0.2');
  endWork(early);
  await meter.endTurn();
  await duringWork('cut of a head', async () => {
    for (let step = 0; step < 3; step += 1) {
      meter.spin(80);
      await Promise.resolve();
    }
  });
  await meter.endTurn();
  endWork(waiting);
  assert.deepEqual(meter.seconds, [0.24]);
  assert.equal(meter.longest(), 0.24);
  assert.deepEqual(meter.lines, [
    `${heldUp} cpuMillis=240 work="cut of a head; GET /waits by 10.0.0.1"`,
  ]);
});

test('a turn is measured by its CPU time, however long it waits', async (t) => {
  const meter = startMeter(t);
  meter.wait(300);
  await meter.endTurn();
  assert.deepEqual(meter.seconds, []);
  meter.wait(300);
  meter.spin(30);
  await meter.endTurn();
  assert.deepEqual([meter.seconds, meter.lines], [[0.03], []]);
});

test('a second long turn within a second is logged only if it is longer', async (t) => {
  const meter = startMeter(t);
  for (const millis of [240, 210, 250, 230]) {
    meter.spin(millis);
    await meter.endTurn();
  }
  assert.deepEqual(meter.seconds, [0.24, 0.21, 0.25, 0.23]);
  assert.deepEqual(meter.lines, [
    `${heldUp} cpuMillis=240 work="nothing known"`,
    `${heldUp} cpuMillis=250 work="nothing known"`,
  ]);
  meter.wait(1_000);
  await meter.endTurn();
  meter.spin(220);
  await meter.endTurn();
  assert.equal(meter.lines.at(-1), `${heldUp} cpuMillis=220 work="nothing known"`);
});

test('the CPU time of the thread grows as it works, and is little while it sleeps', () => {
  const start = cpuMillisOfThread();
  while (cpuMillisOfThread() - start < 20);
  const rested = cpuMillisOfThread();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  assert.ok(cpuMillisOfThread() - rested < 150);
});
