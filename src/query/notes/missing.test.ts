// Tests that answers leave out data that cannot be read, and report it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { parseProfileType } from '../../model/profile-type.ts';
import type { SeriesSlice } from '../../storage/selection.ts';
import { cpuText, createEngine, merge, rejects } from '../testing/ask.ts';
import { damagedStore } from '../testing/damaged-store.ts';
import { randomFrom, randomRows } from '../testing/random-rows.ts';
import { realStore } from '../testing/real-parts.ts';
import { TestStore } from '../testing/test-store.ts';

const cpu = parseProfileType(cpuText);
const { signal } = new AbortController();
const lost = (what: string) => () => {
  throw new AppError('data-loss', `cannot read ${what}`);
};

function makeStore(timeNanos: bigint, rows: string): TestStore {
  const store = new TestStore();
  store.add({ type: cpu, timeNanos, durationNanos: 10n, rows });
  return store;
}

const range = { query: cpuText, range: { from: 0n, to: 99n }, stepNanos: 1n, limit: 0 };

test('a part without symbols is left out of reports, which say so', async () => {
  const stores = [makeStore(1n, 'a;b 3'), makeStore(20n, 'a;c 5')];
  const dictionary = async (): Promise<never> => lost('the symbols of x')();
  const { querier } = damagedStore(stores, { 1: { part: { dictionary } } });
  const report = await merge(querier);
  assert.equal(report.total, 3n);
  assert.deepEqual(report.missing, ['cannot read the symbols of x']);
  // Values over time do not need symbols.
  const { series, missing } = await createEngine(querier).queryRange(
    { ...range, sumBy: [] },
    { signal },
  );
  assert.deepEqual([[...series[0].value], missing], [[3n, 5n], []]);
});

test('a slice whose rows or profiles cannot be read is left out, and answers say so', async () => {
  const loseAll = {
    slice: () => ({
      rows: lost('rows'),
      profiles: async () => lost('profiles')(),
      profileRuns: async () => lost('profiles')(),
    }),
  };
  const unreadable = makeStore(20n, 'a;c 5');
  const { querier: store } = damagedStore([makeStore(1n, 'a;b 3'), unreadable], { 1: loseAll });
  const report = await merge(store);
  assert.deepEqual([report.total, report.missing], [3n, ['cannot read rows']]);
  const answer = await createEngine(store).queryRange({ ...range, sumBy: [] }, { signal });
  assert.deepEqual([...answer.series[0].value], [3n]);
  assert.deepEqual(answer.missing, ['cannot read profiles']);
  const { querier } = damagedStore([unreadable], { 0: loseAll });
  const alone = createEngine(querier).queryRange({ ...range, sumBy: [] }, { signal });
  await rejects(alone, 'data-loss', 'cannot show profiles over time: cannot read profiles');
});

test('an increase needs the profiles that its steps begin and end at', async () => {
  const type = parseProfileType('memory:alloc_space:bytes:space:bytes');
  const counted = (timeNanos: bigint, rows: string): TestStore => {
    const store = new TestStore();
    store.add({ type, timeNanos, rows });
    return store;
  };
  const query = 'alloc_space | increase';
  const loseRows = { slice: () => ({ rows: lost('rows') }) };
  const [first, last] = [counted(1n, 'a;b 300'), counted(20n, 'a;b 305')];
  const { querier: store } = damagedStore([first, last], { 0: loseRows });
  await rejects(merge(store, { query }), 'data-loss', 'cannot tell the increase: cannot read rows');
  // Totals are stored separately from rows.
  const question = { ...range, query, sumBy: [] };
  const answer = await createEngine(store).queryRange(question, { signal });
  assert.deepEqual([...answer.series[0].value], [5n]);
  const focused = { ...question, query: `${query} | focus "b"` };
  const rows = createEngine(store).queryRange(focused, { signal });
  await rejects(rows, 'data-loss', 'cannot tell the increase: cannot read rows');
  // Steps skip profiles that cannot be read.
  const profiles = async (): Promise<never> => lost('profiles')();
  const loseProfiles = { slice: () => ({ profiles }) };
  const parts = [first, counted(10n, 'a;b 302'), last];
  const { querier: gapped } = damagedStore(parts, { 1: loseProfiles });
  const report = await merge(gapped, { query });
  assert.deepEqual([report.total, report.missing], [5n, ['cannot read profiles']]);
  const { series, missing } = await createEngine(gapped).queryRange(focused, { signal });
  assert.deepEqual([[...series[0].value], missing], [[5n], ['cannot read profiles']]);
  // Only the rows of the first and the last profile are read.
  const inner = await merge(damagedStore(parts, { 1: loseRows }).querier, { query });
  assert.deepEqual([inner.total, inner.profileCount, inner.missing], [5n, 2, []]);
  // The profiles can be read while steps are computed, but not afterwards.
  let reads = 0;
  const loseLater = {
    slice: (slice: SeriesSlice) => ({
      profiles: () => ((reads += 1) > 1 ? lost('profiles')() : slice.profiles()),
    }),
  };
  const later = merge(damagedStore([first, last], { 0: loseLater }).querier, { query });
  await rejects(later, 'data-loss', 'cannot tell the increase: 1 of its profiles cannot be read');
});

test('selections are released, with any result', async () => {
  const { querier, disposed } = damagedStore([makeStore(1n, 'a 1')], {});
  await merge(querier);
  await createEngine(querier).queryRange({ ...range, sumBy: [] }, { signal });
  assert.equal(disposed.count, 2);
  const fail = (): never => {
    throw new Error('a bug');
  };
  const failing = damagedStore([makeStore(1n, 'a 1')], { 0: { slice: () => ({ rows: fail }) } });
  await assert.rejects(merge(failing.querier), /a bug/);
  assert.equal(failing.disposed.count, 1);
});

test('with damage anywhere in a block, the rest is answered', async () => {
  const random = randomFrom(7);
  const [whole, damaged] = [new TestStore(), new TestStore()];
  for (let i = 1; i <= 20; i += 1) {
    const rows = `main;work${i} 5\n${randomRows(random, 8)}`;
    const profile = { type: cpu, durationNanos: 10n, period: 3n, rows };
    whole.add({ ...profile, timeNanos: BigInt(i) });
    damaged.add({ ...profile, timeNanos: BigInt(i + 50) });
  }
  const healthy = await merge(whole);
  let missed = 0;
  // The test does not damage the first and last bytes of a block, because opening it reads them.
  for (let step = 1; step < 60; step += 1) {
    const store = await realStore([
      { store: whole, kind: 'head' },
      { store: damaged, kind: 'block', damagedAt: 0.05 + step / 75 },
    ]).catch(() => undefined);
    if (store === undefined) continue;
    const report = await merge(store);
    const { series, missing } = await createEngine(store).queryRange(
      { ...range, sumBy: [] },
      { signal },
    );
    assert.ok(report.total >= healthy.total);
    assert.equal(
      series[0].value.slice(0, 20).reduce((a, b) => a + b),
      healthy.total,
    );
    if (report.total < 2n * healthy.total) assert.ok(report.missing.length > 0);
    if (series[0].value.length < 40) assert.ok(missing.length > 0);
    missed += report.missing.length + missing.length;
  }
  assert.ok(missed > 0);
});
