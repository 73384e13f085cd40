// Compares pipelines with request parameters, and tests offsets at the limits of time; test/fuzz
// compares random pipelines with a naive evaluation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProfileType } from '../../model/profile-type.ts';
import { plainView } from '../../report/stacks/stack-view.ts';
import { QueryContext } from '../running/context.ts';
import { answerRange } from '../range/range-answer.ts';
import { cpuText, flameGraph, merge, rejects } from '../testing/ask.ts';
import { printGraph } from '../testing/print-report.ts';
import { TestStore } from '../testing/test-store.ts';

const cpu = parseProfileType(cpuText);

test('a pipeline and the same filters of a request give the same answer', async () => {
  const store = new TestStore();
  const rows = 'main;a;gc 1\nmain;gc;mark 2\nmain;b 4\nidle 8';
  store.add({ type: cpu, timeNanos: 1n, rows });
  const text = (operator: 'contains' | 'equal', wanted: string) =>
    ({ operator, isNegated: false, texts: [wanted] }) as const;
  const view = {
    ...plainView,
    stackFilters: [{ functionName: text('contains', 'gc') }],
    sandwich: 'gc',
    isInverted: true,
    frameFilters: [{ functionName: { ...text('equal', 'a'), isNegated: true } }],
  };
  const stages = '| stack "gc" | invert | sandwich "gc" | frame drop equals "a"';
  const byRequest = await merge(store, { view });
  const byQuery = await merge(store, { query: `${cpuText} ${stages}` });
  const want = 'root 0/3\n gc 0/3\n  main 3/3\n';
  assert.equal(printGraph(flameGraph(byRequest)), want);
  assert.equal(printGraph(flameGraph(byQuery)), want);
  assert.deepEqual([byQuery.total, byQuery.filtered], [byRequest.total, byRequest.filtered]);
});

test('leaf asks for the innermost frame, and own says what own code is', async () => {
  const store = new TestStore();
  const rows = [
    'runtime.main;main.run;runtime.mallocgc 1',
    'runtime.main;main.run;github.com/acme/shop.Quote;net/http.Get 2',
    'runtime.main;main.run 4',
    'runtime.gcBgMarkWorker 8',
  ].join('\n');
  store.add({ type: cpu, timeNanos: 1n, rows });
  const check = async (stages: string, total: bigint, graph?: string): Promise<void> => {
    const answer = await merge(store, { query: `${cpuText} ${stages}` });
    assert.equal(answer.total, total, stages);
    if (graph !== undefined) assert.equal(printGraph(flameGraph(answer)), graph, stages);
  };
  await check('| not leaf kind equals "runtime"', 14n);
  await check('| leaf kind equals "runtime"', 1n);
  await check('| not stack kind equals "garbage collection"', 7n);
  await check('| leaf package equals "net/http"', 2n);
  await check('| invert | leaf package equals "runtime"', 15n);
  const own = '| own ("github.com/acme/")';
  await check('| leaf kind "own"', 4n);
  await check(`${own} | leaf kind "own"`, 0n);
  await check(`${own} | leaf kind "libraries"`, 6n);
  const folded = 'root 13/15\n github.com/acme/shop.Quote 2/2\n';
  await check(`${own} | frame keep kind "own code"`, 15n, folded);
});

test('an offset beyond all time selects nothing, and moved times stay exact', async () => {
  const store = new TestStore();
  const last = 2n ** 63n - 1n;
  store.add({ type: cpu, timeNanos: last, durationNanos: 1n, rows: 'f 3' });
  const context = new QueryContext({ signal: new AbortController().signal });
  const ask = (offset: string, range: { from: bigint; to: bigint }) =>
    answerRange(
      { query: `${cpuText} offset ${offset}`, range, stepNanos: 1n, sumBy: [], limit: 0 },
      store,
      context,
    );
  const moved = await ask('-1ns', { from: last - 1n, to: last - 1n });
  assert.deepEqual([...moved.series[0].timeNanos], [last - 1n]);
  assert.deepEqual([...moved.series[0].value], [3n]);
  await rejects(ask('1ns', { from: last, to: last }), 'not-found', /No data found/);
});
