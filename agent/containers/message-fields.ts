// Reads strings, messages and maps of strings from protobuf messages, by field number.
import { WireReader } from '../../src/formats/wire-reader.ts';
import { bytesWire, eachField, readSpan } from '../../src/formats/wire-fields.ts';

/** Length-delimited fields of a message by field number; repeated fields keep their order. */
export class MessageFields {
  readonly #contents = new Map<number, Uint8Array[]>();

  /** Errors: DecodeError. */
  constructor(message: Uint8Array) {
    const reader = new WireReader('failed to parse the answer');
    reader.open(message);
    const end = message.length;
    eachField(reader, { start: 0, end }, (field, wire) => {
      if (wire !== bytesWire) return;
      const span = readSpan(reader, end);
      const content = message.subarray(span.start, span.end);
      const known = this.#contents.get(field);
      if (known === undefined) this.#contents.set(field, [content]);
      else known.push(content);
    });
  }

  /** Returns the string in a field; "" if the field is missing. */
  string(field: number): string {
    return new TextDecoder().decode(this.#contents.get(field)?.at(-1));
  }

  /** Returns the messages in a repeated field. */
  messages(field: number): readonly MessageFields[] {
    return (this.#contents.get(field) ?? []).map((content) => new MessageFields(content));
  }

  /** Returns the message in a field; an empty message if the field is missing. */
  message(field: number): MessageFields {
    return new MessageFields(this.#contents.get(field)?.at(-1) ?? new Uint8Array(0));
  }

  /** Returns the map of strings in a field. */
  pairs(field: number): ReadonlyMap<string, string> {
    return new Map(this.messages(field).map((entry) => [entry.string(1), entry.string(2)]));
  }
}
