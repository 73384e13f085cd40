// Encodes flame graphs for Pyroscope's clients: messages, trees of bytes, and JSON.
import Long from 'long';
import protobuf from 'protobufjs/minimal.js';
import type { FlameGraph } from '../../../report/flame-graph.ts';
import { type BarTotals, type FlameBars, placeBars } from './flame-bars.ts';

type Writer = protobuf.Writer;

/** A graph and its totals, which the cut does not change. */
export interface FlameGraphAnswer extends BarTotals {
  readonly graph: FlameGraph;
}

const emptyLevel = BigInt64Array.of(0n, 0n, 0n, 0n);
const emptyDiffLevel = BigInt64Array.of(0n, 0n, 0n, 0n, 0n, 0n, 0n);

function barsOf({ graph, total, base }: FlameGraphAnswer): FlameBars {
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
  const { names, levels, maxSelf } = barsOf(answer);
  const writer = protobuf.Writer.create();
  for (const name of names) writer.uint32(field(1, 2)).string(name);
  for (const level of levels) {
    writer.uint32(field(2, 2)).fork().uint32(field(1, 2)).fork();
    for (let i = 0; i < level.length; i += 1) writeInt64(writer, level[i]);
    writer.ldelim().ldelim();
  }
  writeInt64(writer.uint32(field(3, 0)), base === undefined ? total : total + base);
  writeInt64(writer.uint32(field(4, 0)), maxSelf);
  if (base !== undefined) {
    writeInt64(writer.uint32(field(5, 0)), base);
    writeInt64(writer.uint32(field(6, 0)), total);
  }
  return writer.finish();
}

/** Encodes the part `flamebearer` of Pyroscope's JSON; a diff ends with the totals of its sides. */
export function encodeFlamebearer(answer: FlameGraphAnswer): Uint8Array {
  const { total, base } = answer;
  const { names, levels, maxSelf } = barsOf(answer);
  const rows = levels.map((level) => `[${level.join(',')}]`);
  const text =
    `{"names":${JSON.stringify(names)},"levels":[${rows.join(',')}],` +
    `"numTicks":${total + (base ?? 0n)},"maxSelf":${maxSelf}` +
    (base === undefined ? '}' : `,"leftTicks":${base},"rightTicks":${total}}`);
  return Buffer.from(text);
}

/**
 * Encodes a tree: for each node the length of its name, the name, its own value and the number of
 * its children, which follow, the last one first. The root has no name.
 */
export function encodeTree(answer: FlameGraphAnswer): Uint8Array {
  const { names, levels } = barsOf(answer);
  const nodes = nodesOf(levels);
  const writer = protobuf.Writer.create();
  if (nodes.length === 1 && nodes[0].total === 0n) return new Uint8Array(0);
  const waiting = [nodes[0]];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    writer.string(node === nodes[0] ? '' : names[node.name]);
    writeInt64(writer, node.self);
    writer.uint32(node.children.length);
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

/** Returns the bars as a tree, whose root comes first: a bar is below the one that it lies in. */
function nodesOf(levels: FlameBars['levels']): TreeNode[] {
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

function writeInt64(writer: Writer, value: bigint): void {
  const number = Number(value);
  if (Number.isSafeInteger(number)) writer.int64(number);
  else
    writer.int64(
      Long.fromBits(Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n))),
    );
}

function field(number: number, wireType: number): number {
  return (number << 3) | wireType;
}
