// Encodes flame graphs for Pyroscope's clients: messages, trees of bytes, and JSON.
import { asWords } from '../../../base/int64.ts';
import { ProtobufWriter } from '../../../formats/protobuf-writer.ts';
import type { FlameGraph } from '../../../report/flame-graph.ts';
import { type BarTotals, type FlameBars, placeBars } from './flame-bars.ts';

/** A graph, and its totals before it was trimmed. */
export interface FlameGraphAnswer extends BarTotals {
  readonly graph: FlameGraph;
}

/** Estimated size of a name in a message, and of each number of a bar, in bytes. */
const nameBytes = 48;
const numberBytes = 5;

const emptyLevel = BigInt64Array.of(0n, 0n, 0n, 0n);
const emptyDiffLevel = BigInt64Array.of(0n, 0n, 0n, 0n, 0n, 0n, 0n);

function layOutBars({ graph, total, base }: FlameGraphAnswer): FlameBars {
  if (!graph.isEmpty) return placeBars(graph, { total, base });
  const level = base === undefined ? emptyLevel : emptyDiffLevel;
  return { names: ['total'], levels: [level], maxSelf: 0n };
}

/**
 * Encodes a FlameGraph or, for a diff, a FlameGraphDiff.
 *
 * Source: proto/querier/v1/querier.proto.
 */
export function encodeFlameGraph(answer: FlameGraphAnswer): Uint8Array {
  const { total, base } = answer;
  const { names, levels, maxSelf } = layOutBars(answer);
  const numberCount = levels.reduce((count, { length }) => count + length, 0);
  const writer = new ProtobufWriter(names.length * nameBytes + numberCount * numberBytes + 64);
  for (const name of names) writer.bytesField(1, Buffer.from(name));
  for (const level of levels) {
    const message = writer.begin(2);
    const numbers = writer.begin(1);
    writer.varints(asWords(level));
    writer.end(numbers);
    writer.end(message);
  }
  writer.int64(3, base === undefined ? total : total + base);
  writer.int64(4, maxSelf);
  if (base !== undefined) {
    writer.int64(5, base);
    writer.int64(6, total);
  }
  return writer.finish();
}

/**
 * Encodes the field `flamebearer` of Pyroscope's JSON; a diff ends with the totals of both sides.
 */
export function encodeFlamebearer(answer: FlameGraphAnswer): Uint8Array {
  const { total, base } = answer;
  const { names, levels, maxSelf } = layOutBars(answer);
  const rows = levels.map((level) => `[${level.join(',')}]`);
  const text =
    `{"names":${JSON.stringify(names)},"levels":[${rows.join(',')}],` +
    `"numTicks":${total + (base ?? 0n)},"maxSelf":${maxSelf}` +
    (base === undefined ? '}' : `,"leftTicks":${base},"rightTicks":${total}}`);
  return Buffer.from(text);
}

/**
 * Encodes a tree: for each node the length of its name, the name, its own value, and the number of
 * its children. The children follow, the last child first. The root has no name.
 */
export function encodeTree(answer: FlameGraphAnswer): Uint8Array {
  const { names, levels } = layOutBars(answer);
  const nodes = listNodes(levels);
  const writer = new ProtobufWriter();
  if (nodes.length === 1 && nodes[0].total === 0n) return new Uint8Array(0);
  const waiting = [nodes[0]];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const name = Buffer.from(node === nodes[0] ? '' : names[node.name]);
    writer.varint(name.length);
    writer.raw(name);
    writer.varint64(node.self);
    writer.varint(node.children.length);
    waiting.push(...node.children);
  }
  return writer.finish();
}

interface TreeNode {
  readonly start: bigint;
  readonly total: bigint;
  readonly self: bigint;
  readonly name: number;
  readonly children: TreeNode[];
}

/**
 * Returns the bars as nodes of a tree, with the root first. The parent of a bar is the bar above
 * that contains it.
 */
function listNodes(levels: FlameBars['levels']): TreeNode[] {
  const all: TreeNode[] = [];
  let above: TreeNode[] = [];
  for (const level of levels) {
    const own: TreeNode[] = [];
    let end = 0n;
    let parent = 0;
    for (let i = 0; i < level.length; i += 4) {
      const start = end + level[i];
      end = start + level[i + 1];
      const name = Number(level[i + 3]);
      const node = { start, total: level[i + 1], self: level[i + 2], name, children: [] };
      while (parent < above.length && start >= above[parent].start + above[parent].total) {
        parent += 1;
      }
      above.at(parent)?.children.push(node);
      own.push(node);
    }
    all.push(...own);
    above = own;
  }
  return all;
}
