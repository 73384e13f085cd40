// Flame graphs as nested messages: Parca's first two forms, which old clients ask for.
import Long from 'long';
import type { parca } from '../../../proto/gen/query.js';
import { wordsOf } from '../../base/int64-words.ts';
import { nestedReportDepthMax } from '../../base/limits.ts';
import type { FlameGraph } from '../../report/flame-graph.ts';
import { NestedFrames } from './nested-frames.ts';

type Flamegraph = parca.query.v1alpha1.Flamegraph.$Properties;
type Meta = parca.query.v1alpha1.FlamegraphNodeMeta.$Properties;

interface Node {
  readonly cumulative: Long;
  /** Of a diff. */
  readonly diff?: Long;
  readonly meta: Meta;
  readonly children: Node[];
}

/** FLAMEGRAPH_UNSPECIFIED: every node says all about its frame. */
export function encodeNestedFlameGraph(graph: FlameGraph, unit: string): Flamegraph {
  const frames = new NestedFrames(graph);
  return encode(graph, unit, (row) => frames.messagesOf(row));
}

/** FLAMEGRAPH_TABLE: nodes refer to tables of locations, functions, mappings and strings. */
export function encodeFlameGraphTable(graph: FlameGraph, unit: string): Flamegraph {
  const frames = new NestedFrames(graph);
  const nodes = encode(graph, unit, (row) => ({ locationIndex: frames.locationOf(row) }));
  return { ...nodes, ...frames.tables() };
}

/** Frames deeper than readers can read are left out; their callers keep the values. */
function encode(graph: FlameGraph, unit: string, metaOf: (row: number) => Meta): Flamegraph {
  const { rowCount, parent, depth, height } = graph;
  const words = wordsOf(graph.cumulative);
  const diffs = graph.diff && wordsOf(graph.diff);
  const nodes: Node[] = [];
  for (let row = 0; row < rowCount && depth[row] <= nestedReportDepthMax; row += 1) {
    const cumulative = Long.fromBits(words[row * 2], words[row * 2 + 1]);
    const node: Node = {
      cumulative,
      ...(diffs && { diff: Long.fromBits(diffs[row * 2], diffs[row * 2 + 1]) }),
      meta: row === 0 ? {} : metaOf(row),
      children: [],
    };
    if (row > 0) nodes[parent[row]].children.push(node);
    nodes.push(node);
  }
  const [{ meta: _, ...root }] = nodes;
  return { root, total: root.cumulative, unit, height };
}
