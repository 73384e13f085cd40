// The tables of all messages, loaded with the first JSON request.
import { Schema } from './schema.ts';

let schema: Promise<Schema> | undefined;

/** Returns the tables of all messages. */
export function loadSchema(): Promise<Schema> {
  schema ??= import('../../../../proto/gen/descriptors.ts').then((tables) => new Schema(tables));
  return schema;
}
