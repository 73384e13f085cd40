// Converts trees of stacks to pprof: `trie` and `tree` of Pyroscope's older agents.
//
// A node consists of its name (varint length, bytes), its flat value and its number of children,
// both varints. Its children follow, each with its own children. In a tree, a name is a frame. In a
// trie, the names along a path form a string `root;caller;leaf`, and a name may end in the middle
// of a character. Source: https://github.com/grafana/pyroscope/tree/main/pkg/og/structs
import { inputLimits, overInputLimit } from '../../base/input-limits.ts';
import { int64Max } from '../../base/int64.ts';
import { DecodeError } from '../decode-error.ts';
import type { ImportContext, ImportedProfile } from '../reading/imported-profile.ts';
import { StackValues } from '../reading/stack-values.ts';
import { PprofWriter } from '../pprof/writer.ts';
import { WireReader } from '../wire-reader.ts';

/** `tree`: a node is a frame; `trie`: a node is a part of a folded stack. */
export type StackTreeForm = 'tree' | 'trie';

/** A node whose children are being read. */
interface OpenNode {
  /** Caller of the children, as a node of the written profile. */
  readonly node: number;
  /** Bytes of an unfinished frame, in a trie. */
  readonly rest: string;
  children: number;
}

/**
 * Converts a tree to one profile.
 *
 * Errors: DecodeError with the offset of the mistake; AppError 'resource-exhausted' for a stack
 * that is too deep.
 */
export function decodeStackTree(
  bytes: Uint8Array,
  { timeNanos, durationNanos, counts }: ImportContext,
  form: StackTreeForm,
): ImportedProfile {
  const what = `cannot read ${form}`;
  const { name, sampleType, factor, periodType, period } = counts;
  const writer = new PprofWriter();
  const values = new StackValues();
  const reader = new WireReader(what);
  reader.open(bytes);
  const fail = (why: string): DecodeError => new DecodeError(what, why, reader.pos);
  const end = bytes.length;
  // Number of bytes that may still be read again, because each child reads the unfinished frame of
  // its parent.
  let bytesLeft = bytes.length * 32 + 1_048_576;
  const open: OpenNode[] = [{ node: 0, rest: '', children: 1 }];
  const call = (node: number, frame: string): number =>
    frame === '' ? node : values.child(node, writer.frame({ name: utf8Text(frame) }));
  for (let parent = open.at(-1); parent !== undefined; parent = open.at(-1)) {
    if (parent.children === 0) {
      open.pop();
      continue;
    }
    parent.children -= 1;
    const nameEnd = reader.endOfBytes(end);
    const own = latin1Text(bytes, reader.pos, nameEnd);
    reader.pos = nameEnd;
    bytesLeft -= parent.rest.length;
    if (bytesLeft < 0) throw fail('its names are too long');
    const value = readCount(reader, end, fail) * factor;
    if (value > int64Max) throw fail('it counts more than int64 holds');
    const children = Number(readCount(reader, end, fail));
    // A child takes at least three bytes.
    if (children > (end - reader.pos) / 3) throw fail(`a node has ${children} children`);
    if (open.length > inputLimits.stackDepth) {
      const why = `${what}: it has more than ${inputLimits.stackDepth} frames on each other`;
      throw overInputLimit('stackDepth', why);
    }
    const frames = form === 'trie' ? (parent.rest + own).split(';') : [own, ''];
    const rest = frames.pop() ?? '';
    const node = frames.reduce(call, parent.node);
    if (value > 0n) values.add(call(node, rest), value);
    open.push({ node, rest, children });
  }
  if (reader.pos !== end) throw fail('bytes follow the last node');
  values.writeTo(writer);
  const header = { sampleTypes: [sampleType], periodType, period, timeNanos, durationNanos };
  return { name, labels: [], pprof: writer.finish(header) };
}

/** Returns bytes as a string with one character per byte. */
function latin1Text({ buffer, byteOffset }: Uint8Array, start: number, end: number): string {
  return Buffer.from(buffer, byteOffset + start, end - start).toString('latin1');
}

function utf8Text(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString();
}

function readCount(reader: WireReader, end: number, fail: (why: string) => DecodeError): bigint {
  if (reader.pos >= end) throw fail('it ends within a node');
  const value = BigInt.asUintN(64, reader.int64());
  if (reader.pos > end) throw fail('it ends within a node');
  return value;
}
