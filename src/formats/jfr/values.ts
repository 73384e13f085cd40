// Values of a chunk by their types: skipped, or read field by field.
import type { JfrCursor } from './cursor.ts';
import { type JfrField, type JfrType, structDepthMax } from './types.ts';

/** Skips the value of a field. Errors: DecodeError, as for all functions here. */
export function skipField(cursor: JfrCursor, field: JfrField, depth = 0): void {
  const { type, isConstant, isArray } = field;
  if (!isArray) {
    if (isConstant) cursor.integer(8);
    else skipValue(cursor, type, depth);
    return;
  }
  const count = cursor.count(isConstant || type.kind !== 'nothing' ? 1 : 0);
  if (isConstant) for (let i = 0; i < count; i += 1) cursor.integer(8);
  else if (type.kind !== 'nothing') {
    for (let i = 0; i < count; i += 1) skipValue(cursor, type, depth + 1);
  }
}

/** Skips a value. */
export function skipValue(cursor: JfrCursor, { kind, fields, name }: JfrType, depth = 0): void {
  switch (kind) {
    case 'byte':
      cursor.skip(1);
      break;
    case 'short':
      cursor.integer(2);
      break;
    case 'int':
      cursor.integer(4);
      break;
    case 'long':
      cursor.integer(8);
      break;
    case 'float':
      cursor.skip(4);
      break;
    case 'double':
      cursor.skip(8);
      break;
    case 'string':
      cursor.skipString();
      break;
    case 'struct':
      if (depth > structDepthMax) throw cursor.fail(`a value of ${name} is too deep`);
      for (const field of fields) skipField(cursor, field, depth + 1);
      break;
    case 'nothing':
      break;
    default:
      kind satisfies never;
  }
}

/** Skips the fields before the field `name`, and returns that field; undefined without it. */
export function seekField(cursor: JfrCursor, type: JfrType, name: string): JfrField | undefined {
  if (!type.fields.some((field) => field.name === name)) return undefined;
  for (const field of type.fields) {
    if (field.name === name) return field;
    skipField(cursor, field);
  }
  return undefined;
}
