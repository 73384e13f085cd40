// Tests of the counts of active series, compared with plain sets, and of the limits for one caller
// and for all callers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFakeClock, type FakeClock } from '../../base/fake/clock.ts';
import { type InputLimits, mapInputLimits, setInputLimits } from '../../base/input-limits.ts';
import { cardinalityPeriodMillis } from '../limits.ts';
import { noMetrics } from '../../base/metrics.ts';
import { seededRandom } from '../../base/random.ts';
import { createLabelSet } from '../../model/labels.ts';
import type { UploadSeries } from '../series.ts';
import { createCardinality, type Cardinality } from './cardinality.ts';

function makeSeries(labels: Readonly<Record<string, string>>): UploadSeries {
  const pairs = Object.entries(labels).map(([name, value]) => ({ name, value }));
  return { name: 'cpu', labels: createLabelSet(pairs) };
}

function create(bytesMax?: number): { readonly clock: FakeClock; readonly counts: Cardinality } {
  const clock = createFakeClock();
  const options = { clock, random: seededRandom(7), metrics: noMetrics, bytesMax };
  return { clock, counts: createCardinality(options) };
}

/** Runs a test with changed limits. */
async function withLimits(limits: Partial<InputLimits>, run: () => Promise<void>): Promise<void> {
  const initial = mapInputLimits((limit) => limit.initial);
  setInputLimits({ ...initial, ...limits });
  await run().finally(() => setInputLimits(initial));
}

test('counts equal those of sets, over hours and callers', async () => {
  const push = fc.record({
    caller: fc.constantFrom('', 'a', 'b'),
    series: fc.array(
      fc.record({ job: fc.nat(3), pod: fc.nat(6), name: fc.nat(2) }, { noNullPrototype: true }),
      { maxLength: 4 },
    ),
    hoursLater: fc.constantFrom(0, 0, 0, 1, 2),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(push, { maxLength: 30 }), async (pushes) => {
      const { clock, counts } = create();
      const lastSeen = new Map<string, { hour: number; caller: string; series: UploadSeries }>();
      let hour = 0;
      for (const { caller, series, hoursLater } of pushes) {
        hour += hoursLater;
        await clock.advance(hoursLater * cardinalityPeriodMillis);
        const sent = series.map(({ job, pod, name }) =>
          makeSeries({ job: `${job}`, [`n${name}`]: `${pod}` }),
        );
        await counts.admit(sent, caller);
        for (const one of sent) {
          const key = JSON.stringify(one);
          const known = lastSeen.get(key);
          const owner = known !== undefined && known.hour >= hour - 1 ? known.caller : caller;
          lastSeen.set(key, { hour, caller: owner, series: one });
        }
      }
      const active = [...lastSeen.values()].filter((one) => one.hour >= hour - 1);
      const names = new Map<string, Set<string>>();
      for (const { series } of active) {
        for (const { name, value } of series.labels) {
          names.set(name, (names.get(name) ?? new Set()).add(value));
        }
      }
      const status = counts.status();
      assert.equal(status.activeSeries, active.length);
      assert.equal(status.labelNames, names.size);
      const asRecord = (list: readonly { text: string; count: number }[]): object =>
        Object.fromEntries(list.map(({ text, count }) => [text, count]));
      assert.deepEqual(
        asRecord(status.valuesByName),
        Object.fromEntries([...names].map(([name, { size }]) => [name, size])),
      );
      const byCaller = Map.groupBy(active, ({ caller }) => caller);
      assert.deepEqual(
        asRecord(status.seriesByCaller),
        Object.fromEntries([...byCaller].map(([caller, { length }]) => [caller, length])),
      );
      const byName = Object.fromEntries(
        [...names.keys()].map((name) => {
          const own = active.filter(({ series }) => series.labels.some((l) => l.name === name));
          return [name, own.length];
        }),
      );
      assert.deepEqual(asRecord(status.seriesByName), byName);
    }),
    { numRuns: 60 },
  );
});

test('a write past a limit is refused whole, and names limit, label and flag', async () => {
  await withLimits({ labelValues: 2, activeSeries: 3 }, async () => {
    const { counts } = create();
    await counts.admit([makeSeries({ pod: '1' }), makeSeries({ pod: '2' })], 'a');
    await assert.rejects(counts.admit([makeSeries({ job: 'x' }), makeSeries({ pod: '3' })], 'a'), {
      code: 'resource-exhausted',
      limit: 'series-max-label-values',
      retryAfterMillis: 60_000,
      message:
        'cannot store profiles: they would make 3 values of label "pod", the limit is 2 ' +
        '(--series-max-label-values)',
    });
    assert.equal(counts.status().activeSeries, 2);
    // Series that are already counted are still accepted.
    await counts.admit([makeSeries({ pod: '2' })], 'b');
    await counts.admit([makeSeries({ job: 'x' })], 'b');
    await assert.rejects(counts.admit([makeSeries({ job: 'y' })], 'b'), {
      limit: 'series-max-active',
    });
  });
});

test('one caller does not use up what others need, nor the server its own', async () => {
  await withLimits({ activeSeriesOfCaller: 2, labelNamesOfCaller: 1 }, async () => {
    const { counts } = create();
    await counts.admit([makeSeries({ pod: '1' }), makeSeries({ pod: '2' })], 'a');
    await assert.rejects(counts.admit([makeSeries({ pod: '3' })], 'a'), {
      limit: 'series-max-active-per-caller',
    });
    await counts.admit([makeSeries({ pod: '3' }), makeSeries({ pod: '4' })], 'b');
    await assert.rejects(counts.admit([makeSeries({ x: '1' }), makeSeries({ y: '1' })], 'c'), {
      limit: 'series-max-label-names-per-caller',
    });
    await counts.admit(
      [1, 2, 3, 4].map((i) => makeSeries({ [`own${i}`]: '1' })),
      '',
    );
    const used = counts.status().limits.find(({ flag }) => flag === 'series-max-active-per-caller');
    assert.deepEqual(used, { flag: 'series-max-active-per-caller', limit: 2, used: 2 });
  });
});

test('new series are limited by minute, from ten minutes after a start on', async () => {
  await withLimits({ newSeries: 2 }, async () => {
    const { clock, counts } = create();
    const pods = (from: number): UploadSeries[] =>
      [0, 1, 2].map((i) => makeSeries({ pod: `${from + i}` }));
    await counts.admit(pods(0), 'a');
    await clock.advance(600_000);
    await counts.admit(pods(0), 'a');
    await assert.rejects(
      counts.admit(pods(2), 'a').then(() => counts.admit(pods(5), 'a')),
      {
        limit: 'series-max-new-per-minute',
      },
    );
    await clock.advance(60_000);
    await counts.admit(pods(3).slice(0, 2), 'a');
  });
});

test('the counts have a share of the memory limit: new series are refused, known ones go on', async () => {
  // The memory limit allows 100 hashes. A series with a new label value takes three.
  const { clock, counts } = create(4_800);
  const pods = Array.from({ length: 40 }, (_, i) => makeSeries({ pod: `${i}` }));
  await counts.admit(pods.slice(0, 33), 'a');
  const refused = {
    code: 'resource-exhausted',
    limit: 'memory-limit',
    retryAfterMillis: 60_000,
    message:
      'cannot store profiles: counts of active series would take 4896 bytes of memory, ' +
      'the limit is 4800 (--memory-limit)',
  };
  await assert.rejects(counts.admit(pods.slice(33, 34), 'b'), refused);
  assert.equal(counts.status().activeSeries, 33);
  await counts.admit(pods.slice(0, 33), 'b');
  await clock.advance(cardinalityPeriodMillis);
  await counts.admit(pods.slice(0, 33), 'a');
  await assert.rejects(counts.admit(pods.slice(33, 34), 'a'), { limit: 'memory-limit' });
  // Series that are no longer sent are forgotten.
  await clock.advance(2 * cardinalityPeriodMillis);
  await counts.admit(pods.slice(7), 'a');
  assert.equal(counts.status().activeSeries, 33);
});
