// Reports as text, for comparison in tests.
import { labelValue } from '../../model/labels.ts';
import type { StringIndex } from '../../model/rows.ts';
import type { FlameGraph } from '../../report/flame-graph.ts';
import type { Top } from '../../report/top.ts';
import type { MetricsSeries } from '../interface.ts';
import { printTree } from './oracle.ts';
import type { OracleNode } from './oracle.ts';

/** The graph as the oracle's tree; checks that rows and children agree with each other. */
export function treeOfGraph(
  graph: FlameGraph,
  name = (row: number): string => nameOf(graph, row),
): OracleNode {
  const nodes: OracleNode[] = [];
  for (let row = 0; row < graph.rowCount; row += 1) {
    const node: OracleNode = {
      name: row === 0 ? 'root' : name(row),
      flat: graph.flat[row],
      cumulative: graph.cumulative[row],
      ...{ base: undefined, diff: graph.diff?.[row] },
      children: new Map(),
    };
    nodes.push(node);
    if (row > 0) nodes[graph.parent[row]].children.set(node.name, node);
  }
  return nodes[0];
}

export function printGraph(graph: FlameGraph): string {
  return printTree(treeOfGraph(graph));
}

/** The names of all rows but the root, in their order. */
export function namesOf(graph: FlameGraph): string[] {
  return Array.from({ length: graph.rowCount - 1 }, (_, i) => nameOf(graph, i + 1));
}

export function nameOf(graph: FlameGraph, row: number): string {
  if (graph.labelsOnly[row] === 1) {
    return graph.labels
      .filter(({ index }) => index[row] !== -1)
      .map(({ name, values, index }) => `${name}=${values[index[row]]}`)
      .join(' ');
  }
  if (graph.functionName[row] === -1) return `0x${graph.addressLow[row].toString(16)}`;
  return graph.strings.text(graph.functionName[row] as StringIndex);
}

export function printTop(top: Top): string[] {
  return Array.from({ length: top.rowCount }, (_, row) => {
    const name = top.dictionary.strings.text(top.name[row] as StringIndex);
    return `${name} ${top.flat[row]}/${top.cumulative[row]}`;
  });
}

/** `label=value: time value duration count rate, ...` for each series. */
export function printSeries(all: readonly MetricsSeries[], names: readonly string[]): string[] {
  return all.map((series) => {
    const labels = names.map((name) => `${name}=${labelValue(series.labels, name)}`).join(' ');
    const points = Array.from(series.timeNanos, (time, i) =>
      [
        time,
        series.value[i],
        series.durationNanos[i],
        series.count[i],
        series.valuePerSecond[i],
      ].join(' '),
    );
    return `${labels}: ${points.join(', ')}`;
  });
}
