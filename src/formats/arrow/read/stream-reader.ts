// Reads Arrow IPC streams: schemas, dictionary entries and batches, in the order of the messages.
import { type EncodedBatch, readMessages, StreamTotals } from './messages.ts';
import { BufferMemory, readBatch, readEntries } from './read-batch.ts';
import type { Field, Schema } from './schema.ts';
import { badStream } from './bad-stream.ts';
import type { Vector } from './vector.ts';

/** Receives the content of a stream, in order. */
export interface StreamVisitor {
  schema(schema: Schema): void;
  /** Receives entries of the dictionary of `field`, which replace or extend the earlier entries. */
  entries(field: Field, id: number, isDelta: boolean, entries: Vector): void;
  /** Receives columns, one for each field of the schema. */
  batch(columns: readonly Vector[], length: number): void;
}

/**
 * Reads all streams of one write; `begin` gets the memory that contains the bytes of every string.
 *
 * If the streams have more than `plainBytesMax` bytes after decompression, reads only their
 * metadata and returns false. Errors: as in badStream and overLimit, and errors of the visitor.
 */
export function readStreams(
  streams: readonly Uint8Array[],
  begin: (memory: Uint8Array, i: number) => StreamVisitor,
  plainBytesMax = Infinity,
): boolean {
  const totals = new StreamTotals();
  const encoded = streams.map((bytes) => readMessages(bytes, totals));
  if (totals.plainBytes > plainBytesMax) return false;
  const memory = new BufferMemory(totals.plainBytes);
  for (const [i, { schema, batches }] of encoded.entries()) {
    const visitor = begin(memory.bytes, i);
    visitor.schema(schema);
    const dictionaries = dictionaryFields(schema);
    for (const batch of batches) visit(visitor, schema, dictionaries, batch, memory);
  }
  return true;
}

function visit(
  visitor: StreamVisitor,
  schema: Schema,
  dictionaries: ReadonlyMap<number, Field>,
  batch: EncodedBatch,
  memory: BufferMemory,
): void {
  if (batch.dictionary === undefined) {
    visitor.batch(readBatch(schema.fields, batch, memory), batch.length);
    return;
  }
  const { id, isDelta } = batch.dictionary;
  const field = dictionaries.get(id);
  if (field === undefined) throw badStream(`no field has the dictionary ${id}`);
  visitor.entries(field, id, isDelta, readEntries(field, batch, memory));
}

/** Lists the fields whose values are in dictionaries; each dictionary belongs to one field. */
function dictionaryFields(schema: Schema): ReadonlyMap<number, Field> {
  const found = new Map<number, Field>();
  const open = [...schema.fields];
  for (let field = open.pop(); field !== undefined; field = open.pop()) {
    open.push(...field.children);
    if (field.dictionary === undefined) continue;
    const { id } = field.dictionary;
    if (found.has(id)) throw badStream(`two fields have the dictionary ${id}`);
    found.set(id, field);
  }
  return found;
}
