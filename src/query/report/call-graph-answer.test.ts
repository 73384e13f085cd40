// Tests of the graph of calls against a naive evaluation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProfileType } from '../../model/profile-type.ts';
import type { StringIndex } from '../../model/rows.ts';
import type { CallGraph } from '../../report/call-graph.ts';
import { cpuText, merge } from '../testing/ask.ts';
import { oracleCalls, oracleNodes, oracleTop } from '../testing/oracle-calls.ts';
import { parseRows, printTop } from '../testing/print-report.ts';
import { sumTexts } from '../testing/text-sums.ts';
import { randomFrom, randomRows } from '../testing/random-rows.ts';
import { TestStore } from '../testing/test-store.ts';

const cpu = parseProfileType(cpuText);

async function graphOf(rows: string, others = ''): Promise<CallGraph> {
  const store = new TestStore();
  store.add({ type: cpu, timeNanos: 1n, labels: { job: 'b' }, rows: others });
  store.add({ type: cpu, timeNanos: 2n, labels: { job: 'a' }, rows });
  const report = await merge(store, { query: `${cpuText}{job="a"}`, report: 'call-graph' });
  assert.ok(report.kind === 'call-graph');
  return report.graph;
}

/** Prints edges the way oracleCalls does, sorted. */
function printEdges({ nodes, edges }: CallGraph): string[] {
  const name = (row: number): string =>
    nodes.dictionary.strings.text(nodes.name[row] as StringIndex);
  return Array.from({ length: edges.length }, (_, i) => {
    const pair = `${name(edges.caller[i])} > ${name(edges.callee[i])}`;
    return `${pair}${edges.isDirect[i] === 1 ? '' : ' ...'} ${edges.cumulative[i]}`;
  }).sort();
}

test('call graph: random profiles agree with the naive evaluation', async () => {
  let hiddenCount = 0;
  for (let seed = 1; seed <= 150; seed += 1) {
    const random = randomFrom(seed * 15_485_863);
    const others = seed % 3 === 0 ? '' : randomRows(random, 300);
    // Chains of rare functions, which the graph leaves out.
    const chains = Array.from({ length: random(6) }, (_, i) => {
      const frames = ['f0', `r${i}`, `r${i}`, `q${random(3)}`, `s${i}`, `f${random(5)}`];
      return `\n${frames.slice(random(3), 4 + random(3)).join(';')} ${1 + random(3)}`;
    });
    const rows = `${randomRows(random, random(40))}${chains.join('')}`;
    const graph = await graphOf(rows, others);
    const stacks = parseRows(rows);
    const nodes = oracleNodes(stacks);
    hiddenCount += oracleTop(stacks).length - nodes.length;
    assert.deepEqual(printTop(graph.nodes), sumTexts(nodes), `seed ${seed}`);
    const calls = oracleCalls(stacks, (frame) => nodes.some(([name]) => name === frame));
    const lines = [...calls].map(([pair, { cumulative }]) => `${pair} ${cumulative[0]}`);
    assert.deepEqual(printEdges(graph), lines.sort(), `seed ${seed}`);
  }
  assert.ok(hiddenCount > 50, `${hiddenCount} nodes were left out`);
});

test('call graph: recursion counts once, on nodes and on edges', async () => {
  const graph = await graphOf('main;a;b;a;b;a 7\nmain;a 1');
  assert.deepEqual(printTop(graph.nodes), ['a 8/8', 'b 0/7', 'main 0/8']);
  assert.deepEqual(printEdges(graph), ['a > b 7', 'b > a 7', 'main > a 8']);
});

test('call graph: small nodes between others become indirect edges', async () => {
  const graph = await graphOf('main;pass;work 1\nmain;work 99\nmain;pass;other 1\nmain;big 900');
  assert.deepEqual(printTop(graph.nodes), [
    'big 900/900',
    'work 100/100',
    'other 1/1',
    'main 0/1001',
  ]);
  assert.deepEqual(printEdges(graph), ['main > big 900', 'main > other ... 1', 'main > work 100']);
  // Exactly 0.5 % is not below the limit.
  const same = await graphOf('main;pass;work 5\nmain;big 995');
  assert.deepEqual(printEdges(same), ['main > big 995', 'main > pass 5', 'pass > work 5']);
});
