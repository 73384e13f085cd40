// Untrusted JSON: objects and lists are counted before they are created.
import { AppError, errorMessage } from '../errors.ts';
import { inputLimits, overInputLimit } from '../input-limits.ts';

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const brace = 0x7b;
const bracket = 0x5b;
const closingBracket = 0x5d;

/**
 * Parses UTF-8 JSON. An object of two bytes takes 64 bytes in memory, and garbage collection of
 * many objects blocks the thread for a long time: 47 s for 64 MiB. So JSON with more objects than
 * `most` or the general limit is not parsed.
 *
 * Errors: AppError 'invalid-argument' that begins with `what`; 'resource-exhausted'.
 */
export function parseJsonBytes(bytes: Uint8Array, what: string, most = Infinity): unknown {
  checkJsonSize(bytes, what, most);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new AppError('invalid-argument', `${what}: ${errorMessage(error)}`, { cause: error });
  }
}

/**
 * Parses JSON from another server or a program.
 *
 * Errors: as in `parseJsonBytes`.
 */
export function parseJsonText(text: string, what: string, most = Infinity): unknown {
  return parseJsonBytes(Buffer.from(text), what, most);
}

/**
 * Refuses JSON that would become too many objects or lists, before any object is created.
 *
 * Errors: as in `parseJsonBytes`.
 */
function checkJsonSize(bytes: Uint8Array, what: string, most = Infinity): void {
  const objectsMax = Math.min(inputLimits.jsonObjects, most);
  // Parsing deeply nested JSON before refusing it would waste time: 20 ms for a hundred thousand
  // lists.
  if (bytes.length >= 2 * nestingMax && measureNesting(bytes) > nestingMax) {
    throw new AppError('invalid-argument', `${what}: it is nested more than ${nestingMax} deep`);
  }
  if (bytes.length >= 2 * objectsMax && countObjects(bytes, objectsMax) > objectsMax) {
    const why = `${what}: more than ${objectsMax} objects and lists`;
    if (objectsMax === most) throw new AppError('resource-exhausted', why);
    throw overInputLimit('jsonObjects', why);
  }
}

/**
 * Yields the elements of a JSON list in pieces of about `pieceBytes`, each with complete elements
 * and without the brackets of the list. A value that is not a list is one piece.
 */
export function* splitJsonList(bytes: Uint8Array, pieceBytes: number): Generator<Uint8Array> {
  const end = bytes.length - 1;
  if (bytes[0] !== bracket || bytes[end] !== closingBracket) {
    yield bytes;
    return;
  }
  let [depth, start] = [0, 1];
  for (let i = 1; i < end; i += 1) {
    const byte = bytes[i];
    if (byte === quote) i = endOfText(bytes, i + 1);
    else if (byte === comma && depth === 0 && i - start >= pieceBytes) {
      yield bytes.subarray(start, i);
      start = i + 1;
    } else depth += levels[byte];
  }
  if (start < end) yield bytes.subarray(start, end);
}

/** Deepest nesting of objects and lists; requests have ten levels. */
const nestingMax = 1_000;

/** Returns the nesting depth of objects and lists, up to one more than `nestingMax`. */
function measureNesting(bytes: Uint8Array): number {
  const { length } = bytes;
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < length && deepest <= nestingMax; i += 1) {
    const byte = bytes[i];
    if (byte === quote) i = endOfText(bytes, i + 1);
    else {
      depth += levels[byte];
      if (depth > deepest) deepest = depth;
    }
  }
  return deepest;
}

const objectStarts = characterTable([brace, bracket]);
const valueStarts = characterTable([comma, brace, bracket]);

/** 1 for a byte that begins an object or a list, -1 for a byte that ends one. */
const levels = Int8Array.from(
  { length: 256 },
  (_, byte) => objectStarts[byte] - Number(byte === 0x7d || byte === 0x5d),
);

/** Counts objects and lists, up to one more than `most`. Braces in strings are not counted. */
function countObjects(bytes: Uint8Array, most: number): number {
  return countOutsideStrings(bytes, most, objectStarts);
}

/**
 * Counts values, up to one more than `most`: objects, lists, and values after a comma. A number or
 * a string of one byte takes at least 8 bytes in memory.
 */
export function countValues(bytes: Uint8Array, most: number): number {
  return countOutsideStrings(bytes, most, valueStarts);
}

/** Returns a table with 1 for each of these bytes. */
function characterTable(counted: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (counted.includes(byte) ? 1 : 0));
}

function countOutsideStrings(bytes: Uint8Array, most: number, isCounted: Uint8Array): number {
  const { length } = bytes;
  let count = 0;
  for (let i = 0; i < length && count <= most; i += 1) {
    const byte = bytes[i];
    if (byte === quote) i = endOfText(bytes, i + 1);
    else count += isCounted[byte];
  }
  return count;
}

/** Returns the offset of the quote that ends a string. */
function endOfText(bytes: Uint8Array, start: number): number {
  let i = start;
  while (i < bytes.length && bytes[i] !== quote) i += bytes[i] === backslash ? 2 : 1;
  return i;
}
