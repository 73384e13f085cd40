// Encodes reports about functions: the top table and the call graph.
import { hash } from 'node:crypto';
import Long from 'long';
import type { parca } from '../../../proto/gen/query.js';
import { asWords } from '../../base/int64.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { FunctionIndex, StringIndex } from '../../model/rows.ts';
import type { CallGraph } from '../../report/call-graph.ts';
import type { Top } from '../../report/top.ts';

type Callgraph = parca.query.v1alpha1.Callgraph.$Properties;
type TopNode = parca.query.v1alpha1.TopNode.$Properties;
type TopNodeMeta = parca.query.v1alpha1.TopNodeMeta.$Properties;
type Mapping = parca.metastore.v1alpha1.Mapping.$Properties;

/**
 * Encodes a top table. Clients do not interpret the ids in the message; this server uses rows of
 * the dictionary.
 */
export function encodeTop(top: Top, unit: string): parca.query.v1alpha1.Top.$Properties {
  const list: TopNode[] = [];
  const cumulative = asWords(top.cumulative);
  const flat = asWords(top.flat);
  const diff = top.cumulativeDiff && asWords(top.cumulativeDiff);
  const flatDiff = top.flatDiff && asWords(top.flatDiff);
  for (let row = 0; row < top.rowCount; row += 1) {
    list.push({
      meta: toNodeMeta(top, row),
      cumulative: Long.fromBits(cumulative[row * 2], cumulative[row * 2 + 1]),
      flat: Long.fromBits(flat[row * 2], flat[row * 2 + 1]),
      ...(diff && { diff: Long.fromBits(diff[row * 2], diff[row * 2 + 1]) }),
      ...(flatDiff && { flatDiff: Long.fromBits(flatDiff[row * 2], flatDiff[row * 2 + 1]) }),
    });
  }
  return { list, reported: top.rowCount, unit, functions: top.functionCount };
}

/**
 * Encodes a graph, with its edges sorted by caller and then by callee. The id of a node is a hash
 * of the function or location, so that all servers use the same ids.
 */
export function encodeCallGraph({ nodes, edges, edgeDiff }: CallGraph): Callgraph {
  const ids = Array.from({ length: nodes.rowCount }, (_, row) => hashNode(nodes, row));
  const flat = asWords(nodes.flat);
  const cumulative = asWords(nodes.cumulative);
  const calls = asWords(edges.cumulative);
  const diff = nodes.cumulativeDiff && asWords(nodes.cumulativeDiff);
  const flatDiff = nodes.flatDiff && asWords(nodes.flatDiff);
  const callDiff = edgeDiff && asWords(edgeDiff);
  const order = Array.from({ length: edges.length }, (_, edge) => edge).sort(
    (a, b) => edges.caller[a] - edges.caller[b] || edges.callee[a] - edges.callee[b],
  );
  return {
    nodes: ids.map((id, row) => ({
      id,
      meta: toNodeMeta(nodes, row),
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

/** Returns the location, function, line and mapping of a row, if known. */
function toNodeMeta(top: Top, row: number): TopNodeMeta {
  const { dictionary } = top;
  const meta: TopNodeMeta = {};
  const location = top.location[row];
  const mapping = top.mapping[row];
  if (location !== 0) {
    const { addressLow, addressHigh } = dictionary.locations;
    meta.location = {
      id: String(location),
      address: Long.fromBits(addressLow[location] | 0, addressHigh[location] | 0, true),
      mappingId: formatId(mapping),
    };
  }
  if (mapping !== 0) meta.mapping = toMapping(dictionary, mapping);
  if (top.name[row] === 0) return meta;
  meta.function = toFunction(top, row);
  const line = top.line[row];
  if (line !== 0) {
    meta.line = { functionId: formatId(top.function[row]), line: Long.fromInt(line) };
  }
  return meta;
}

function toFunction(top: Top, row: number): parca.metastore.v1alpha1.Function.$Properties {
  const { functions, strings } = top.dictionary;
  const name = strings.text(top.name[row] as StringIndex);
  const index = top.function[row] as FunctionIndex;
  // The row stands for several functions that have only their name in common.
  if (index === 0) return { name };
  return {
    id: String(index),
    name,
    systemName: strings.text(functions.systemName[index] as StringIndex),
    filename: strings.text(functions.fileName[index] as StringIndex),
    startLine: Long.fromInt(functions.startLine[index]),
  };
}

function toMapping({ mappings, strings }: Dictionary, row: number): Mapping {
  const { startLow, startHigh, limitLow, limitHigh, offsetLow, offsetHigh } = mappings;
  return {
    id: String(row),
    start: Long.fromBits(startLow[row] | 0, startHigh[row] | 0, true),
    limit: Long.fromBits(limitLow[row] | 0, limitHigh[row] | 0, true),
    offset: Long.fromBits(offsetLow[row] | 0, offsetHigh[row] | 0, true),
    file: strings.text(mappings.fileName[row] as StringIndex),
    buildId: strings.text(mappings.buildId[row] as StringIndex),
  };
}

/** Returns the id of a row in a message; "" for row 0. */
export function formatId(row: number): string {
  return row === 0 ? '' : String(row);
}

/** Length of an id, in characters of 6 bits. */
const hashLength = 16;

function hashNode({ dictionary, name, location }: Top, row: number): string {
  const { strings, locations, mappings } = dictionary;
  const text = (index: number): string => strings.text(index as StringIndex);
  const facts =
    name[row] !== 0
      ? [text(name[row])]
      : [
          ...[locations.addressHigh, locations.addressLow].map((column) => column[location[row]]),
          ...mappingFacts(locations.mapping[location[row]]),
        ];
  return hash('sha256', JSON.stringify(facts), 'base64url').slice(0, hashLength);

  function mappingFacts(mapping: number): (string | number)[] {
    const { startHigh, startLow, limitHigh, limitLow, offsetHigh, offsetLow } = mappings;
    const numbers = [startHigh, startLow, limitHigh, limitLow, offsetHigh, offsetLow];
    return [
      ...[mappings.fileName[mapping], mappings.buildId[mapping]].map(text),
      ...numbers.map((column) => column[mapping]),
    ];
  }
}
