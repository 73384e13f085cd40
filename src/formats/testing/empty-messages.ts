// Small requests that become large in memory, for tests of limits.
import { ProtobufWriter } from '../protobuf-writer.ts';

/**
 * Makes a message with nested `fields`; the innermost field occurs `count` times, each an empty
 * message.
 */
export function emptyMessages(count: number, ...fields: readonly number[]): Uint8Array {
  const writer = new ProtobufWriter();
  const places = fields.slice(0, -1).map((field) => writer.begin(field));
  for (let i = 0; i < count; i += 1) writer.bytesField(fields.at(-1) ?? 0, Buffer.alloc(0));
  for (const place of places.reverse()) writer.end(place);
  return Uint8Array.from(writer.finish());
}
