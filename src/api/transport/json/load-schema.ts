// The schema of all messages, which is loaded with the first JSON request.
import { Schema } from './schema.ts';

let schema: Promise<Schema> | undefined;

/** Returns the schema of all messages. */
export function loadSchema(): Promise<Schema> {
  schema ??= import('../../../../proto/gen/descriptors.ts').then((tables) => new Schema(tables));
  return schema;
}
