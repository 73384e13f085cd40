// Converts query parameters to a JSON object. A name with dots is a nested field, and a repeated
// name fills a list.
import { AppError } from '../../../base/errors.ts';
import type { Schema, SchemaField, SchemaMessage } from './schema.ts';
import { isObject } from './to-message.ts';

type JsonObject = Record<string, unknown>;

/**
 * Converts the parameters of `url` to the JSON of a message of type `type`. Ignores unknown names.
 *
 * Errors: AppError 'invalid-argument' when a field that is not a list is given twice, or is not a
 * scalar.
 */
export function parseQuery(schema: Schema, type: SchemaMessage, url: string): JsonObject {
  const json: JsonObject = {};
  const mark = url.indexOf('?');
  if (mark === -1) return json;
  for (const [name, value] of new URLSearchParams(url.slice(mark + 1))) {
    setPath(schema, type, json, name, value);
  }
  return json;
}

function setPath(
  schema: Schema,
  root: SchemaMessage,
  json: JsonObject,
  path: string,
  value: string,
): void {
  let type = root;
  let object = json;
  const names = path.split('.');
  for (const [i, name] of names.entries()) {
    const field = type.byName.get(name);
    if (!field) return;
    if (i === names.length - 1) {
      setField(object, field, value, path);
      return;
    }
    if (field.kind !== 'message' || field.isMap || field.isRepeated) {
      throw new AppError('invalid-argument', `cannot parse ${path}: ${name} has no fields`);
    }
    const nested = object[field.name] ?? {};
    if (!isObject(nested)) {
      throw new AppError('invalid-argument', `cannot parse ${path}: ${name} is already set`);
    }
    object[field.name] = nested;
    object = nested;
    type = schema.message(field.typeName);
  }
}

function setField(object: JsonObject, field: SchemaField, value: string, path: string): void {
  const present = object[field.name];
  if (field.isRepeated) {
    if (Array.isArray(present)) present.push(value);
    else object[field.name] = [value];
    return;
  }
  if (present !== undefined) {
    throw new AppError('invalid-argument', `too many values for field ${path}`);
  }
  object[field.name] = value;
}
