// Tests of the graph of calls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProfileType } from '../../model/profile-type.ts';
import type { StringIndex } from '../../model/rows.ts';
import type { CallGraph } from '../../report/call-graph.ts';
import { cpuText, merge } from '../testing/ask.ts';
import { printTop } from '../testing/print-report.ts';
import { TestStore } from '../testing/test-store.ts';

const cpu = parseProfileType(cpuText);

async function makeGraph(rows: string): Promise<CallGraph> {
  const store = new TestStore();
  store.add({ type: cpu, timeNanos: 2n, rows });
  const report = await merge(store, { report: 'call-graph' });
  assert.ok(report.kind === 'call-graph');
  return report.graph;
}

/** Prints `caller > callee value` for each edge, sorted; ` ...` marks indirect edges. */
function printEdges({ nodes, edges }: CallGraph): string[] {
  const name = (row: number): string =>
    nodes.dictionary.strings.text(nodes.name[row] as StringIndex);
  return Array.from({ length: edges.length }, (_, i) => {
    const pair = `${name(edges.caller[i])} > ${name(edges.callee[i])}`;
    return `${pair}${edges.isDirect[i] === 1 ? '' : ' ...'} ${edges.cumulative[i]}`;
  }).sort();
}

test('call graph: recursion counts once, on nodes and on edges', async () => {
  const graph = await makeGraph('main;a;b;a;b;a 7\nmain;a 1');
  assert.deepEqual(printTop(graph.nodes), ['a 8/8', 'b 0/7', 'main 0/8']);
  assert.deepEqual(printEdges(graph), ['a > b 7', 'b > a 7', 'main > a 8']);
});

test('call graph: small nodes between others become indirect edges', async () => {
  const graph = await makeGraph('main;pass;work 1\nmain;work 99\nmain;pass;other 1\nmain;big 900');
  assert.deepEqual(printTop(graph.nodes), [
    'big 900/900',
    'work 100/100',
    'other 1/1',
    'main 0/1001',
  ]);
  assert.deepEqual(printEdges(graph), ['main > big 900', 'main > other ... 1', 'main > work 100']);
  // Exactly 0.5 % is not below the limit.
  const same = await makeGraph('main;pass;work 5\nmain;big 995');
  assert.deepEqual(printEdges(same), ['main > big 995', 'main > pass 5', 'pass > work 5']);
});
