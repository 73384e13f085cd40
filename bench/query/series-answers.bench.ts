// Benchmark of queries with 200 series: measures, within one run, how much more CPU time they take
// for ten times as many profiles.
import { createRandom } from '../../src/base/node/random.ts';
import type { TimeQuestion } from '../../src/storage/interface.ts';
import { freeContext } from '../../src/storage/free-context.ts';
import { internStack } from '../../src/storage/fake/intern.ts';
import { createMemoryStore } from '../../src/storage/tools/memory-store.ts';
import { labelsOfSeries, makeProfile } from '../storage/series-profile.ts';

const seriesCount = 200;
const few = 300;
const turns = 25;
const spacingNanos = 10_000_000_000n;

type Store = ReturnType<typeof createMemoryStore>;

/** Creates a store in which each series has `profilesPerSeries` profiles, 10 seconds apart. */
async function fillStore(profilesPerSeries: number): Promise<Store> {
  const store = createMemoryStore(createRandom());
  for (let i = 0; i < profilesPerSeries; i += 1) {
    const appender = store.appender();
    internStack(appender.dictionary, ['leaf', 'main']);
    for (let series = 0; series < seriesCount; series += 1) {
      const profile = makeProfile(i, labelsOfSeries(series), 1, 1);
      appender.append({ ...profile, timeNanos: BigInt(i) * spacingNanos });
    }
    await appender.commit();
  }
  return store;
}

/** Returns a query whose range covers the middle of each series, but neither end. */
function makeQuery(profilesPerSeries: number) {
  const to = BigInt(profilesPerSeries - 2) * spacingNanos;
  return { matchers: [], profileType: undefined, range: { from: spacingNanos, to } };
}

async function range(store: Store, profilesPerSeries: number): Promise<void> {
  using selection = await store.querier.select(makeQuery(profilesPerSeries));
  const question: TimeQuestion = {
    timesPeriod: false,
    steps: undefined,
    offsetNanos: 0n,
    groupBy: [],
    stepNanos: (BigInt(profilesPerSeries) * spacingNanos) / 60n,
    isFirstOnly: false,
    keeps: undefined,
    tellsShares: false,
  };
  await selection.overTime(question, freeContext);
}

const questions: readonly (readonly [string, typeof range])[] = [
  ['range', range],
  ['names', async (store, count) => void (await store.querier.labelNames(makeQuery(count)))],
  [
    'values',
    async (store, count) => void (await store.querier.labelValues('job', makeQuery(count))),
  ],
  [
    'types',
    async (store, count) => void (await store.querier.profileTypes(makeQuery(count).range)),
  ],
  [
    'series',
    async (store, count) => (await store.querier.select(makeQuery(count)))[Symbol.dispose](),
  ],
];

const stores = [
  [await fillStore(few), few],
  [await fillStore(10 * few), 10 * few],
] as const;
for (const [name, ask] of questions) {
  const millis = [0, 0];
  for (let turn = -5; turn < turns; turn += 1) {
    for (const [i, [store, count]] of stores.entries()) {
      const before = process.cpuUsage();
      await ask(store, count);
      const { user, system } = process.cpuUsage(before);
      if (turn >= 0) millis[i] += (user + system) / 1000 / turns;
    }
  }
  const [one, ten] = millis;
  const figures = `${one.toFixed(2)} ms, with ten times the profiles ${ten.toFixed(2)} ms`;
  console.log(`${name}: ${figures}, ratio ${(ten / one).toFixed(2)}`);
}
