// Reads OpenTelemetry attributes as strings.
import type { WireReader } from '../wire-reader.ts';
import { bytesWire, eachField, readSpan, type ByteSpan } from '../wire-fields.ts';

/** Largest nesting depth of lists. */
const depthMax = 16;

/** Function that returns the string in a row. */
export type StringTable = (row: number) => string;

/** A name and a string. */
export interface Attribute {
  readonly key: string;
  readonly value: string;
}

/** Reads a KeyValue. */
export function readKeyValue(reader: WireReader, span: ByteSpan, strings: StringTable): Attribute {
  let key = '';
  let value = '';
  eachField(reader, span, (field, wire) => {
    if (field === 1 && wire === bytesWire) key = readText(reader, span.end);
    else if (field === 2 && wire === bytesWire) {
      value = readAnyValue(reader, readSpan(reader, span.end), strings);
    } else if (field === 3 && wire === 0) {
      const row = reader.index();
      if (key === '') key = strings(row);
    }
  });
  return { key, value };
}

/**
 * Reads an AnyValue as a string; lists and maps become JSON.
 *
 * Errors: DecodeError, also for lists that are nested too deeply.
 */
export function readAnyValue(reader: WireReader, span: ByteSpan, strings: StringTable): string {
  const value = readJson(reader, span, strings, 0);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

type Json = string | number | boolean | Json[] | { [key: string]: Json };

function readJson(reader: WireReader, span: ByteSpan, strings: StringTable, depth: number): Json {
  if (depth > depthMax) throw reader.fail(`an attribute is nested deeper than ${depthMax}`);
  let value: Json = '';
  eachField(reader, span, (field, wire) => {
    if (wire === bytesWire) {
      if (field === 1) value = readText(reader, span.end);
      else if (field === 5 || field === 6) {
        const inner = readSpan(reader, span.end);
        value =
          field === 5
            ? readList(reader, inner, strings, depth)
            : readMap(reader, inner, strings, depth);
      } else if (field === 7) {
        const { start, end } = readSpan(reader, span.end);
        value = Buffer.from(reader.bytes.subarray(start, end)).toString('base64');
      }
    } else if (field === 2 && wire === 0) value = reader.index() !== 0;
    else if (field === 3 && wire === 0) value = String(reader.int64());
    else if (field === 4 && wire === 1) {
      value = reader.view.getFloat64(reader.pos, true);
      reader.pos += 8;
    } else if (field === 8 && wire === 0) value = strings(reader.index());
  });
  return value;
}

function readList(reader: WireReader, span: ByteSpan, strings: StringTable, depth: number): Json[] {
  const list: Json[] = [];
  eachField(reader, span, (field, wire) => {
    if (field !== 1 || wire !== bytesWire) return;
    const inner = readSpan(reader, span.end);
    list.push(readJson(reader, inner, strings, depth + 1));
  });
  return list;
}

function readMap(reader: WireReader, span: ByteSpan, strings: StringTable, depth: number): Json {
  const map: { [key: string]: Json } = {};
  eachField(reader, span, (field, wire) => {
    if (field !== 1 || wire !== bytesWire) return;
    const entry = readSpan(reader, span.end);
    let key = '';
    let value: Json = '';
    eachField(reader, entry, (inner, innerWire) => {
      if (inner === 1 && innerWire === bytesWire) key = readText(reader, entry.end);
      else if (inner === 2 && innerWire === bytesWire) {
        const place = readSpan(reader, entry.end);
        value = readJson(reader, place, strings, depth + 1);
      }
    });
    Object.defineProperty(map, key, { value, enumerable: true, configurable: true });
  });
  return map;
}

const decoder = new TextDecoder();

/** Reads UTF-8 after its length; invalid bytes become the replacement character. */
function readText(reader: WireReader, end: number): string {
  const span = readSpan(reader, end);
  return decoder.decode(reader.bytes.subarray(span.start, span.end));
}
