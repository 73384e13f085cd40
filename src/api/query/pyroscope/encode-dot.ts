// Encodes a call graph in the language of Graphviz.
import { functionName, addressName } from '../../../formats/frame-names.ts';
import type { FunctionIndex, LocationIndex, StringIndex } from '../../../model/rows.ts';
import type { CallGraph } from '../../../report/call-graph.ts';

export interface DotOptions {
  readonly total: bigint;
  readonly unit: string;
  /** Title of the graph: the name of the profile type. */
  readonly title: string;
  /** Maximum number of functions. If there are more, those with the largest totals are shown. */
  readonly nodesMax: number;
}

/**
 * Returns the graph in DOT, or "" if it has no functions. As in `go tool pprof -dot`, nodes show
 * their flat and their cumulative value.
 */
export function encodeDot({ nodes, edges }: CallGraph, options: DotOptions): string {
  const { total, unit, title, nodesMax } = options;
  const { rowCount, cumulative, flat } = nodes;
  if (rowCount === 0) return '';
  const ranked = Array.from({ length: rowCount }, (_, row) => row).sort((a, b) =>
    cumulative[a] === cumulative[b] ? a - b : cumulative[a] > cumulative[b] ? -1 : 1,
  );
  const shown = ranked.slice(0, nodesMax);
  const numbers = new Map(shown.map((row, i) => [row, i + 1]));
  const share = (value: bigint): string =>
    total === 0n ? '0%' : `${((Number(value) * 100) / Number(total)).toFixed(2)}%`;
  const shownText = `Showing ${shown.length} of ${rowCount} functions`;
  const lines = [
    `digraph ${quote(title)} {`,
    'node [style=filled fillcolor="#f8f8f8" shape=box]',
    `label=${quote(`Type: ${title}\nTotal: ${total} ${unit}\n${shownText}`)}`,
  ];
  for (const [row, number] of numbers) {
    const own = `${flat[row]} (${share(flat[row])})`;
    const all = `${cumulative[row]} (${share(cumulative[row])})`;
    const label = `${formatName(nodes, row)}\n${own}\nof ${all}`;
    lines.push(`N${number} [label=${quote(label)} id="node${number}"]`);
  }
  for (let edge = 0; edge < edges.length; edge += 1) {
    const [from, to] = [numbers.get(edges.caller[edge]), numbers.get(edges.callee[edge])];
    if (from === undefined || to === undefined || edges.cumulative[edge] === 0n) continue;
    const style = edges.isDirect[edge] === 1 ? '' : ' style="dotted"';
    lines.push(`N${from} -> N${to} [label=${quote(` ${edges.cumulative[edge]}`)}${style}]`);
  }
  return `${lines.join('\n')}\n}\n`;
}

function formatName(
  { dictionary, name, function: functions, location }: CallGraph['nodes'],
  row: number,
): string {
  if (name[row] !== 0) return dictionary.strings.text(name[row] as StringIndex);
  if (functions[row] !== 0) return functionName(dictionary, functions[row] as FunctionIndex);
  return addressName(dictionary, location[row] as LocationIndex);
}

function quote(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}
