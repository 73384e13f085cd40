// Tests that running queries are listed, can be cancelled, and time out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../base/fake/clock.ts';
import { queriesWaitingMax } from '../limits.ts';
import { noMetrics } from '../../base/metrics.ts';
import type { QueryContext } from './context.ts';
import { noRunLimits, RunningQueries } from './running-queries.ts';
import { rejects } from '../testing/ask.ts';

const { signal } = new AbortController();

/** Returns work that waits until the test ends it, and that stops when it is cancelled. */
function heldWork() {
  const { promise, resolve } = Promise.withResolvers<string>();
  const contexts: QueryContext[] = [];
  const answer = (context: QueryContext): Promise<string> => {
    contexts.push(context);
    return promise;
  };
  return { contexts, answer, end: () => resolve('done') };
}

test('a query is listed with its progress until its work has ended', async () => {
  const clock = createFakeClock();
  const queries = new RunningQueries(clock, noMetrics, { ...noRunLimits, runningMax: 1 });
  const [first, second] = [heldWork(), heldWork()];
  const tags = ['t1'];
  const running = queries.run({ kind: 'top', text: 'a' }, { signal, tags }, first.answer);
  const waiting = queries.run({ kind: 'range', text: 'b' }, { signal }, second.answer);
  await clock.advance(250);
  tags.push('t2');
  first.contexts[0].budget.selectRows(100);
  first.contexts[0].budget.rowsDone = 40;
  first.contexts[0].budget.hold(5);
  const [one, two, ...none] = queries.list();
  assert.deepEqual(none, []);
  assert.deepEqual(
    { ...one, startedMillis: 0 },
    {
      id: '1',
      kind: 'top',
      text: 'a',
      isWaiting: false,
      startedMillis: 0,
      ageMillis: 250,
      caller: '',
      tags: ['t1', 't2'],
      rowsSelected: 100,
      rowsDone: 40,
      memoryBytes: 5,
    },
  );
  assert.deepEqual([two.id, two.text, two.tags, two.isWaiting], ['2', 'b', [], true]);
  first.end();
  assert.equal(await running, 'done');
  second.end();
  assert.equal(await waiting, 'done');
  assert.deepEqual(queries.list(), []);
});

test('cancelled by id: the call fails at once, the turn ends with the work', async () => {
  const queries = new RunningQueries(createFakeClock(), noMetrics, {
    ...noRunLimits,
    runningMax: 1,
  });
  const work = heldWork();
  const running = queries.run({ kind: 'top', text: 'a' }, { signal }, work.answer);
  await Promise.resolve();
  assert.equal(queries.cancel('7'), false);
  assert.equal(queries.cancel('1'), true);
  await rejects(running, 'cancelled', 'cannot answer query: it was cancelled by its id, 1');
  assert.throws(() => work.contexts[0].throwIfAborted(), /cancelled by its id/);
  assert.equal(queries.list().length, 1);
  const other = heldWork();
  other.end();
  const next = queries.run({ kind: 'top', text: 'b' }, { signal }, other.answer);
  assert.equal(other.contexts.length, 0);
  work.end();
  assert.equal(await next, 'done');
});

test('out of time: the error tells the progress', async () => {
  const clock = createFakeClock();
  const queries = new RunningQueries(clock, noMetrics, { ...noRunLimits, timeMillisMax: 5_000 });
  const work = heldWork();
  const limits = { timeMillisMax: 1_000 };
  const running = queries.run({ kind: 'top', text: 'a' }, { signal, limits }, work.answer);
  const refused = rejects(
    running,
    'deadline-exceeded',
    /takes longer than 1000 ms \(--query-timeout, .*\), 40 of 100 rows were summed: narrow/,
  );
  await clock.advance(999);
  work.contexts[0].budget.selectRows(100);
  work.contexts[0].budget.rowsDone = 40;
  assert.equal(work.contexts[0].signal.aborted, false);
  await clock.advance(1);
  await refused;
  work.end();
});

test('a caller with many queries leaves a quarter of the turns, and is the one refused', async () => {
  const queries = new RunningQueries(createFakeClock(), noMetrics, {
    ...noRunLimits,
    runningMax: 4,
  });
  const held = heldWork();
  const ask = (caller: string): Promise<string> =>
    queries.run({ kind: 'top', text: caller }, { signal, caller }, held.answer);
  const many = Array.from({ length: 3 + queriesWaitingMax }, () => ask('many'));
  await Promise.resolve();
  assert.equal(queries.list().filter(({ isWaiting }) => !isWaiting).length, 3);
  const one = ask('one');
  await Promise.resolve();
  assert.equal(queries.list().find(({ text }) => text === 'one')?.isWaiting, false);
  // The other caller gets a place in the queue because the last query of the first caller is
  // refused.
  const other = ask('other');
  const refused = /4 queries are running .* and 128 are waiting, most of them yours/;
  await rejects(many[many.length - 1], 'resource-exhausted', refused);
  held.end();
  assert.deepEqual(await Promise.all([one, other]), ['done', 'done']);
  await Promise.all(many.slice(0, -1));
});

test('memory: a query holds no more than is left for others, and gives all of it back', async () => {
  const clock = createFakeClock();
  const queries = new RunningQueries(clock, noMetrics, {
    ...noRunLimits,
    memoryBytesInAllMax: 120,
  });
  const held = heldWork();
  const first = queries.run({ kind: 'top', text: 'a' }, { signal, caller: 'a' }, held.answer);
  const second = queries.run({ kind: 'top', text: 'b' }, { signal, caller: 'b' }, held.answer);
  await clock.advance(0);
  const [{ budget: a }, { budget: b }] = held.contexts;
  a.hold(60);
  assert.throws(
    () => a.hold(1),
    /needs 61 bytes .* all queries hold 61 of 120 \(half of --memory-limit\)/,
  );
  a.release(1);
  b.hold(30);
  assert.throws(() => b.hold(1), { code: 'resource-exhausted', limit: 'memory-limit' });
  held.end();
  await Promise.all([first, second]);
  await queries.run({ kind: 'top', text: 'c' }, { signal }, async ({ budget }) => budget.hold(60));
});
