// The graph of calls as a message.
import { hash } from 'node:crypto';
import Long from 'long';
import type { parca } from '../../../proto/gen/query.js';
import { wordsOf } from '../../base/int64.ts';
import type { StringIndex } from '../../model/rows.ts';
import type { CallGraph } from '../../report/call-graph.ts';
import type { Top } from '../../report/top.ts';
import { metaOf } from './encode-top.ts';

type Callgraph = parca.query.v1alpha1.Callgraph.$Properties;

/**
 * Edges by caller, then callee, in the order of the nodes. Ids are made of what a function or a
 * location is, so they are equal in every answer of every store.
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

/** Characters of an id, 6 bits each. */
const idLength = 16;

function idOf({ dictionary, name, location }: Top, row: number): string {
  const { strings, locations, mappings } = dictionary;
  const text = (index: number): string => strings.text(index as StringIndex);
  const facts =
    name[row] !== 0
      ? [text(name[row])]
      : [
          ...[locations.addressHigh, locations.addressLow].map((column) => column[location[row]]),
          ...mappingFacts(locations.mapping[location[row]]),
        ];
  return hash('sha256', JSON.stringify(facts), 'base64url').slice(0, idLength);

  function mappingFacts(mapping: number): (string | number)[] {
    const { startHigh, startLow, limitHigh, limitLow, offsetHigh, offsetLow } = mappings;
    const numbers = [startHigh, startLow, limitHigh, limitLow, offsetHigh, offsetLow];
    return [
      ...[mappings.fileName[mapping], mappings.buildId[mapping]].map(text),
      ...numbers.map((column) => column[mapping]),
    ];
  }
}
