// The graph of calls as a message.
import Long from 'long';
import type { parca } from '../../proto/gen/query.js';
import type { CallGraph } from '../report/call-graph.ts';
import type { Top } from '../report/top.ts';
import { metaOf, wordsOf } from './encode-top.ts';

type Callgraph = parca.query.v1alpha1.Callgraph.$Properties;

/**
 * Edges by caller, then callee, in the order of the nodes. Ids say which function or location a
 * node is, so they are equal in every answer of one store.
 */
export function encodeCallGraph({ nodes, edges, edgeDiff }: CallGraph): Callgraph {
  const ids = Array.from({ length: nodes.rowCount }, (_, row) => idOf(nodes, row));
  const flat = wordsOf(nodes.flat);
  const cumulative = wordsOf(nodes.cumulative);
  const calls = wordsOf(edges.cumulative);
  const diff = nodes.cumulativeDiff && wordsOf(nodes.cumulativeDiff);
  const flatDiff = nodes.flatDiff && wordsOf(nodes.flatDiff);
  const callDiff = edgeDiff && wordsOf(edgeDiff);
  const order = Array.from({ length: edges.length }, (_, edge) => edge).sort(
    (a, b) => edges.caller[a] - edges.caller[b] || edges.callee[a] - edges.callee[b],
  );
  return {
    nodes: ids.map((id, row) => ({
      id,
      meta: metaOf(nodes, row),
      flat: Long.fromBits(flat[row * 2], flat[row * 2 + 1]),
      cumulative: Long.fromBits(cumulative[row * 2], cumulative[row * 2 + 1]),
      ...(diff && { diff: Long.fromBits(diff[row * 2], diff[row * 2 + 1]) }),
      ...(flatDiff && { flatDiff: Long.fromBits(flatDiff[row * 2], flatDiff[row * 2 + 1]) }),
    })),
    edges: order.map((edge) => {
      const source = ids[edges.caller[edge]];
      const target = ids[edges.callee[edge]];
      return {
        id: `${source}-${target}`,
        source,
        target,
        cumulative: Long.fromBits(calls[edge * 2], calls[edge * 2 + 1]),
        isCollapsed: edges.isDirect[edge] === 0,
        ...(callDiff && { diff: Long.fromBits(callDiff[edge * 2], callDiff[edge * 2 + 1]) }),
      };
    }),
  };
}

function idOf(nodes: Top, row: number): string {
  return nodes.name[row] === 0 ? `l${nodes.location[row]}` : `f${nodes.name[row]}`;
}
