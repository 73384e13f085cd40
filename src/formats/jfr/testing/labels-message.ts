// The labels that pyroscope-java sends along with a recording, for tests.
import { ProtobufWriter } from '../../protobuf-writer.ts';

/** Writes a snapshot: for each context id, labels as pairs of string ids; and strings by id. */
export function labelsMessage(
  contexts: Readonly<Record<number, readonly (readonly [key: number, value: number])[]>>,
  strings: Readonly<Record<number, string>>,
): Uint8Array {
  const writer = new ProtobufWriter();
  for (const [id, labels] of Object.entries(contexts)) {
    const entry = writer.begin(1);
    writer.uint(1, Number(id));
    const context = writer.begin(2);
    for (const [key, value] of labels) {
      const pair = writer.begin(1);
      writer.uint(1, key);
      writer.uint(2, value);
      writer.end(pair);
    }
    writer.end(context);
    writer.end(entry);
  }
  for (const [id, text] of Object.entries(strings)) {
    const entry = writer.begin(2);
    writer.uint(1, Number(id));
    writer.bytesField(2, Buffer.from(text));
    writer.end(entry);
  }
  return Uint8Array.from(writer.finish());
}
