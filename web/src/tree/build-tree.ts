// Converts an answer of the server to a tree in the worker: parses it, ranks names, lays out
// frames, and groups functions.
import { groupNames } from './grouping.ts';
import { type ArrowRows, readArrow } from './read-arrow.ts';
import { StringReader, packStrings, rankTexts } from './strings.ts';
import { layOut, type SiblingOrder, type Tree } from './tree.ts';

/** Totals in the answer outside of the record. */
export interface AnswerTotals {
  /** Total of all selected stacks, including trimmed frames. */
  readonly total: bigint;
  readonly trimmed: bigint;
  readonly isDiff: boolean;
  /** Factor of the base, as in `Tree`; undefined = 1. */
  readonly baseFactor?: number | undefined;
  /** Prefixes of own code; undefined if rules decide. */
  readonly own?: readonly string[] | undefined;
}

/** Parses an Arrow answer and lays it out. Errors: as in readArrow and layOut. */
export function buildTree(record: Uint8Array, totals: AnswerTotals, order: SiblingOrder): Tree {
  return treeOfRows(readArrow(record, totals.isDiff), totals, order);
}

/** Lays out rows in plain columns. */
export function treeOfRows(answer: ArrowRows, totals: AnswerTotals, order: SiblingOrder): Tree {
  const { rows, names, strings } = answer;
  if (rows.count > 0) rows.cumulative[0] = totals.total;
  const { baseFactor = 1 } = totals;
  const laidOut = layOut(rows, order, rankTexts(names), totals.total, baseFactor);
  const reader = new StringReader(strings);
  const { total, trimmed } = totals;
  const tree = { ...laidOut, count: rows.count, total, trimmed, baseFactor };
  const groups = groupNames(tree, names, (index) => reader.get(index), totals.own);
  return { ...tree, names: packStrings(names), strings, groups };
}

/** Returns the buffers of a tree, for transferring them. */
export function listBuffers(tree: Tree): ArrayBuffer[] {
  const columns = [
    tree.depthStart,
    tree.x,
    tree.width,
    tree.share,
    tree.parent,
    tree.firstChild,
    tree.childCount,
    tree.name,
    tree.flags,
    tree.cumulative,
    tree.flat,
    tree.file,
    tree.binary,
    tree.buildId,
    tree.line,
    ...(tree.base === undefined ? [] : [tree.base]),
    tree.names.bytes,
    tree.names.offsets,
    tree.strings.bytes,
    tree.strings.offsets,
  ];
  const buffers = new Set<ArrayBuffer>();
  for (const { buffer } of columns) if (buffer instanceof ArrayBuffer) buffers.add(buffer);
  return [...buffers];
}
