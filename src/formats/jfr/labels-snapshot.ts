// Labels that pyroscope-java sends along with a recording: contexts by their id, and strings.
//
// LabelsSnapshot{1 contexts map<int64, Context{1 labels map<int64, int64>}>, 2 strings map<int64,
// string>}
import { WireReader } from '../wire-reader.ts';
import type { WrittenLabel } from '../pprof/writer.ts';
import { type ByteSpan, bytesWire, eachField, readSpan, varintWire } from '../wire-fields.ts';
import type { Key } from './cursor.ts';

/** Labels by the ids of contexts, and names of spans by their ids. */
export interface LabelsSnapshot {
  contextLabels(context: Key): readonly WrittenLabel[];
  string(id: Key): string;
}

/** Snapshot for a recording that was sent without one. */
export const noLabels: LabelsSnapshot = { contextLabels: () => [], string: () => '' };

/** Reads a snapshot. Errors: DecodeError. */
export function readLabelsSnapshot(message: Uint8Array): LabelsSnapshot {
  const reader = new WireReader('cannot read the labels of a JFR recording');
  reader.open(message);
  const contexts = new Map<Key, [Key, Key][]>();
  const strings = new Map<Key, string>();
  eachField(reader, { start: 0, end: message.length }, (field, wire) => {
    if (wire !== bytesWire || field > 2) return;
    const entry = readEntry(reader, readSpan(reader, message.length));
    if (field === 2) {
      const { start, end } = entry.value;
      strings.set(entry.key, new TextDecoder().decode(message.subarray(start, end)));
      return;
    }
    const labels: [Key, Key][] = [];
    eachField(reader, entry.value, (inner, innerWire) => {
      if (inner !== 1 || innerWire !== bytesWire) return;
      const pair = readPair(reader, readSpan(reader, entry.value.end));
      labels.push(pair);
    });
    reader.pos = entry.end;
    contexts.set(entry.key, labels);
  });
  const written = new Map<Key, readonly WrittenLabel[]>();
  return {
    contextLabels: (context) => {
      let labels = written.get(context);
      if (labels === undefined) {
        labels = (contexts.get(context) ?? []).flatMap(([key, value]): WrittenLabel[] => {
          const name = strings.get(key) ?? '';
          return name === '' ? [] : [[name, strings.get(value) ?? '']];
        });
        written.set(context, labels);
      }
      return labels;
    },
    string: (id) => strings.get(id) ?? '',
  };
}

/** Reads an entry of a map whose values are messages or strings. */
function readEntry(
  reader: WireReader,
  span: ByteSpan,
): { readonly key: Key; readonly value: ByteSpan; readonly end: number } {
  let key: Key = 0;
  let value: ByteSpan = { start: span.end, end: span.end };
  eachField(reader, span, (field, wire) => {
    if (field === 1 && wire === varintWire) key = readKey(reader);
    if (field === 2 && wire === bytesWire) value = readSpan(reader, span.end);
  });
  reader.pos = span.end;
  return { key, value, end: span.end };
}

function readPair(reader: WireReader, span: ByteSpan): [Key, Key] {
  const pair: [Key, Key] = [0, 0];
  eachField(reader, span, (field, wire) => {
    if (wire === varintWire && (field === 1 || field === 2)) pair[field - 1] = readKey(reader);
  });
  reader.pos = span.end;
  return pair;
}

function readKey(reader: WireReader): Key {
  reader.varint();
  const { low, high } = reader;
  if (high >>> 21 === 0) return high * 0x1_0000_0000 + (low >>> 0);
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}
