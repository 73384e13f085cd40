// Tests of the queries of rules with the query engine and a store.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorMessage } from '../base/errors.ts';
import { noMetrics } from '../base/metrics.ts';
import { createFakeClock } from '../base/fake/clock.ts';
import { parseProfileType } from '../model/profile-type.ts';
import { parseExpression } from '../promql-like/parse-expression.ts';
import { createQueryEngine } from '../query/engine/engine.ts';
import { TestStore } from '../query/testing/test-store.ts';
import { askEngine } from './ask-engine.ts';
import { evaluate } from './evaluate.ts';
import { functionGroupsMax } from './limits.ts';

const second = 1_000_000_000n;
const cpu = parseProfileType('process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta');
const heap = parseProfileType('memory:inuse_space:bytes:space:bytes');
const mutex = parseProfileType('mutex:delay:nanoseconds:contentions:count');

function testStore(): TestStore {
  const store = new TestStore();
  for (let i = 0n; i < 12n; i += 1n) {
    const times = { timeNanos: i * 10n * second, durationNanos: 10n * second };
    const api = { ...times, labels: { job: 'api' } };
    store.add({ ...api, type: cpu, rows: 'main;serve 4000000000\nmain;log 1000000000' });
    store.add({ ...times, labels: { job: 'web' }, type: cpu, rows: 'main 20000000000' });
    store.add({ ...api, durationNanos: 0n, type: heap, rows: `main ${1000n + i * 100n}` });
    store.add({ ...api, durationNanos: 0n, type: mutex, rows: `main ${i * 5n * second}` });
  }
  return store;
}

const engine = createQueryEngine({
  querier: testStore(),
  metrics: noMetrics,
  clock: createFakeClock(),
});
const { signal } = new AbortController();
const marks = [
  { timeMillis: 20_000, labels: {} },
  { timeMillis: 60_000, labels: { job: 'api' } },
  { timeMillis: 90_000, labels: { job: 'web' } },
  { timeMillis: 130_000, labels: {} },
];

async function check(text: string, want: string): Promise<void> {
  const ask = askEngine(engine, 120n * second, { signal }, () => marks);
  const found = await evaluate(parseExpression(text), ask).then(
    (vector) =>
      vector
        .map(({ labels, value }) => {
          const shown = labels.map((label) => label.value).join(',');
          return `${shown === '' ? '-' : shown} ${Number(value.toPrecision(6))}`;
        })
        .join('; '),
    errorMessage,
  );
  assert.equal(found, want, text);
}

test('cores are CPU time per time', async () => {
  await check('cores(process_cpu{job="api"} [1m])', '- 0.5');
  await check('cores(process_cpu | by (job) [1m])', 'api 0.5; web 2');
  await check('cores(process_cpu [1m])', '- 2.5');
  await check('cores(process_cpu | focus "log" | by (job) [1m])', 'api 0.1; web 0');
  await check(
    'cores(process_cpu | focus "log" | by (job) [1m]) / cores(process_cpu | by (job) [1m]) > 0.1',
    'api 0.2',
  );
  await check('cores(process_cpu{job="none"} [1m])', '');
  await check(
    'cores(memory [1m])',
    'cannot evaluate cores: it needs CPU time, but memory counts inuse_space in bytes',
  );
});

test('states have averages, counters have rates', async () => {
  await check('average(memory [1m])', '- 1850');
  await check('average(memory [1m]) - average(memory offset 1m [1m])', '- 600');
  await check('rate(mutex:delay | increase [1m])', '- 0.5');
  await check(
    'rate(memory [1m])',
    'cannot evaluate rate: it needs profiles over time, or | increase, ' +
      'but memory counts inuse_space in bytes',
  );
  await check('total(process_cpu{job="api"} [1m])', '- 30');
});

test('shares of functions', async () => {
  await check('self_share(process_cpu{job="api"} [1m])', 'serve 0.8; log 0.2; main 0');
  await check('function_share(process_cpu{job="api"} [1m]) > 0.5', 'main 1; serve 0.8');
});

test('cores of functions', async () => {
  await check('self_cores(process_cpu{job="api"} [1m])', 'serve 0.4; log 0.1; main 0');
  await check('function_cores(process_cpu{job="api"} | focus "log" [1m])', 'log 0.1; main 0.1');
  await check('self_cores(process_cpu{job="none"} [1m])', '');
  await check(
    'self_cores(memory [1m])',
    'cannot evaluate cores: it needs CPU time, but memory counts inuse_space in bytes',
  );
});

test('windows at the last mark that is about all profiles of the query', async () => {
  // The profiles at times 0, 10, ... 110 have the values 1000, 1100, ... 2100.
  await check('average(memory{job="api"} [30s] before mark)', '- 1400');
  await check('average(memory{job="api"} [30s] since mark)', '- 2000');
  await check('average(memory{job="api"} [1h] since mark)', '- 1850');
  await check('average(memory{job=~"api"} [1h] before mark)', '- 1050');
  await check('cores(process_cpu{job="web"} [20s] before mark)', '- 2');
  await check('total(memory | by (job) [1h] since mark)', 'api 16500');
  marks.shift();
  await check('average(memory [1h] since mark)', '');
});

test('series of functions of several services', async () => {
  const both = 'parca_function_self_cores{job=~"api|web"}';
  await check(`sum by (job) (${both})`, 'api 0.5; web 2');
  await check(
    `${both} > 0.3`,
    'parca_function_self_cores,serve,api 0.4; parca_function_self_cores,main,web 2',
  );
  await check('sum(parca_function_self_cores)', '- 2.5');
  await check('sum(parca_function_self_cores{job=~"none"})', '');
  await check('sum by (job) (parca_function_self_cores{job=~"a.+|web", job!="api"})', 'web 2');
});

test('functions of too many services are refused', async () => {
  const store = new TestStore();
  for (let i = 0; i <= functionGroupsMax; i += 1) {
    const times = { timeNanos: 100n * second, durationNanos: 10n * second };
    store.add({ ...times, labels: { job: `job${i}` }, type: cpu, rows: 'main 1000' });
  }
  const querier = createQueryEngine({
    querier: store,
    metrics: noMetrics,
    clock: createFakeClock(),
  });
  const ask = askEngine(querier, 120n * second, { signal }, () => []);
  await assert.rejects(
    evaluate(parseExpression('parca_function_cores{job=~".+"}'), ask),
    /cannot evaluate parca_function_cores: conditions with =~ select 17 values of job, the limit is 16/,
  );
});
