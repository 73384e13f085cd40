import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProfileType } from '../../model/profile-type.ts';
import type { LabelQuestion } from '../interface.ts';
import { cpuText, createEngine } from '../testing/ask.ts';
import { TestStore } from '../testing/test-store.ts';

const cpu = parseProfileType(cpuText);
const heap = parseProfileType('memory:inuse_space:bytes:space:bytes');
const caller = { signal: new AbortController().signal };
const all: LabelQuestion = { match: [], profileType: '', range: undefined };

const store = new TestStore();
for (const [job, pod, count] of [
  ['api', 'a', 3],
  ['api', 'b', 1],
  ['web', '', 2],
] as const) {
  const labels = { job, ...(pod !== '' && { pod }) };
  for (let i = 0; i < count; i += 1) {
    store.add({ type: cpu, timeNanos: BigInt(i), labels, rows: 'main 1' });
  }
}
store.add({ type: heap, timeNanos: 9n, labels: { job: 'api', pod: 'a' }, rows: 'main 1' });

test('labels with the number of their values, series and profiles', async () => {
  const engine = createEngine(store);
  assert.deepEqual(await engine.countLabels(all, caller), {
    labels: [
      { name: 'job', valueCount: 2, isOfSamples: false, seriesCount: 4, profileCount: 7 },
      { name: 'pod', valueCount: 2, isOfSamples: false, seriesCount: 3, profileCount: 5 },
    ],
    total: { seriesCount: 4, profileCount: 7 },
    missing: [],
  });
  const late = { ...all, match: [`${cpuText}{job="api"}`], range: { from: 1n, to: 99n } };
  const { labels, total } = await engine.countLabels(late, caller);
  assert.deepEqual(total, { seriesCount: 1, profileCount: 2 });
  assert.deepEqual(
    labels.map(({ valueCount }) => valueCount),
    [1, 1],
  );
});

test('label sets, each once for all of its profile types, in order', async () => {
  const engine = createEngine(store);
  const texts = async (question: typeof all): Promise<string[]> =>
    (await engine.labelSets(question, caller)).labelSets.map((labels) =>
      labels.map(({ name, value }) => `${name}=${value}`).join(' '),
    );
  assert.deepEqual(await texts(all), ['job=api pod=a', 'job=api pod=b', 'job=web']);
  assert.deepEqual(await texts({ ...all, match: ['{job="api"}', '{pod!="a"}'] }), [
    'job=api pod=b',
  ]);
  assert.deepEqual(await texts({ ...all, match: ['{job="none"}'] }), []);
});

test('values with the number of series and profiles, and series without the label', async () => {
  const engine = createEngine(store);
  assert.deepEqual(await engine.countLabelValues('pod', all, caller), {
    values: [
      { value: 'a', seriesCount: 2, profileCount: 4 },
      { value: 'b', seriesCount: 1, profileCount: 1 },
    ],
    absent: { seriesCount: 1, profileCount: 2 },
    isOfSamples: false,
    missing: [],
  });
  const nothing = { ...all, match: [`${cpuText}{job="none"}`] };
  const { values, absent } = await engine.countLabelValues('pod', nothing, caller);
  assert.deepEqual([values, absent], [[], { seriesCount: 0, profileCount: 0 }]);
});

test('selectors of two types select nothing', async () => {
  const match = [cpuText, 'memory:inuse_space:bytes:space:bytes'];
  const { labels, total } = await createEngine(store).countLabels({ ...all, match }, caller);
  assert.deepEqual([labels, total.seriesCount], [[], 0]);
});
