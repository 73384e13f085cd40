// Pipelines against a naive evaluation, stage by stage, in reports and in graphs over time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertUnreachable } from '../base/assert.ts';
import { parseProfileType } from '../model/profile-type.ts';
import { printQuery } from '../promql-like/print.ts';
import { comparisons, patternActions } from '../promql-like/stage.ts';
import type { StageMeaning } from '../promql-like/stage.ts';
import { plainView } from '../report/stack-view.ts';
import { QueryContext } from './context.ts';
import { answerRange } from './range-answer.ts';
import { cpuText, graphOf, merge, rejects } from './testing/ask.ts';
import { oracleTree, parseRows, printTree } from './testing/oracle.ts';
import type { OracleStack } from './testing/oracle.ts';
import { printGraph } from './testing/print-report.ts';
import { randomFrom, randomRows } from './testing/random-rows.ts';
import type { RandomBelow } from './testing/random-rows.ts';
import { TestStore } from './testing/test-store.ts';

const cpu = parseProfileType(cpuText);

type StackStage = Exclude<StageMeaning, { readonly kind: 'by' | 'top' }>;

function randomStage(random: RandomBelow): StackStage {
  const text = ['f1', 'F2', 'f', 'g1', '[34]'][random(5)];
  const comparison = comparisons[random(comparisons.length)];
  const condition = { field: 'function', comparison, text } as const;
  const stages: readonly StackStage[] = [
    { kind: 'stack', isNegated: random(2) === 0, condition },
    { kind: 'frame', action: random(3) === 0 ? 'keep' : 'drop', condition },
    { kind: 'pattern', action: patternActions[random(4)], expression: text },
    { kind: 'sandwich', functionName: `f${random(5)}` },
    { kind: 'invert' },
  ];
  return stages[random(stages.length)];
}

/** Whether a function's name satisfies what a stage says, before negation. */
function satisfies(name: string, stage: StackStage): boolean {
  if (stage.kind === 'pattern') return new RegExp(stage.expression).test(name);
  if (stage.kind !== 'stack' && stage.kind !== 'frame') return false;
  const { condition } = stage;
  if ('number' in condition) return false;
  const { comparison, text } = condition;
  if (comparison === 'matches') return new RegExp(text).test(name);
  const [lower, wanted] = [name.toLowerCase(), text.toLowerCase()];
  if (comparison === 'equals') return lower === wanted;
  return comparison === 'contains' ? lower.includes(wanted) : lower.startsWith(wanted);
}

/** The frames that a stage leaves of a stack; undefined: none of it. */
function applyStage(frames: readonly string[], stage: StackStage): readonly string[] | undefined {
  const found = frames.some((name) => satisfies(name, stage));
  switch (stage.kind) {
    case 'stack':
      return frames.length === 0 || found !== stage.isNegated ? frames : undefined;
    case 'frame':
      return frames.filter((name) => satisfies(name, stage) === (stage.action === 'keep'));
    case 'pattern': {
      if (frames.length === 0) return undefined;
      if (stage.action === 'focus') return found ? frames : undefined;
      if (stage.action === 'ignore') return found ? undefined : frames;
      const left = frames.filter((name) => satisfies(name, stage) === (stage.action === 'show'));
      return left.length === 0 ? undefined : left;
    }
    case 'sandwich': {
      const at = frames.lastIndexOf(stage.functionName);
      return at === -1 ? undefined : frames.slice(at);
    }
    case 'invert':
      return frames.toReversed();
    default:
      return assertUnreachable(stage);
  }
}

function applyAll(stacks: readonly OracleStack[], stages: readonly StackStage[]): OracleStack[] {
  return stacks.flatMap(({ frames, value }) => {
    let left: readonly string[] | undefined = frames;
    for (const stage of stages) left = left && applyStage(left, stage);
    return left === undefined ? [] : [{ frames: left, value }];
  });
}

function sumOf(stacks: readonly OracleStack[]): bigint {
  return stacks.reduce((sum, { value }) => sum + value, 0n);
}

test('random pipelines agree with the naive evaluation, stage by stage', async () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = randomFrom(seed * 15_485_863);
    const store = new TestStore();
    const rows = [1, 2].map(() => `${randomRows(random, 1 + random(20))}\n- 5\nf1 7`);
    rows.forEach((text, i) =>
      store.add({ type: cpu, timeNanos: BigInt(i), durationNanos: 1n, rows: text }),
    );
    const stages = Array.from({ length: 1 + random(4) }, () => randomStage(random));
    const query = printQuery({
      operand: { kind: 'selector', profile: { text: cpuText }, matchers: [] },
      stages,
    });
    const parsed = rows.map((text) => parseRows(text));
    const left = parsed.map((stacks) => applyAll(stacks, stages));
    const said = `seed ${seed}: ${query}`;

    const report = await merge(store, { query });
    assert.equal(report.total, sumOf(left.flat()), said);
    assert.equal(report.filtered, sumOf(parsed.flat()) - report.total, said);
    assert.equal(printGraph(graphOf(report)), printTree(oracleTree(left.flat())), said);

    const range = { from: 0n, to: 1n };
    const question = { query, range, stepNanos: 1n, sumBy: [], limit: 0 };
    const context = new QueryContext({ signal: new AbortController().signal });
    const { series } = await answerRange(question, store, context);
    const values = series.map(({ value }) => [...value]);
    assert.deepEqual(values, [left.map(sumOf)], said);
  }
});

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
  assert.equal(printGraph(graphOf(byRequest)), want);
  assert.equal(printGraph(graphOf(byQuery)), want);
  assert.deepEqual([byQuery.total, byQuery.filtered], [byRequest.total, byRequest.filtered]);
});

test('an offset beyond time selects nothing, and what it moves stays exact', async () => {
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
