// JSON of strangers: objects and lists are counted before they are made.
import { AppError, errorMessage } from '../errors.ts';
import { inputLimits, overInputLimit } from '../input-limits.ts';

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const brace = 0x7b;
const bracket = 0x5b;

/**
 * Parses UTF-8 JSON. An object of two bytes takes 64 in memory, and the collection of many holds
 * the thread for long: 64 MiB of them took 47 s. So what has more than `most`, or than the limit of
 * all doors, is not parsed.
 *
 * Errors: AppError 'invalid-argument' that begins with `what`; 'resource-exhausted'.
 */
export function parseJsonBytes(bytes: Uint8Array, what: string, most = Infinity): unknown {
  const objectsMax = Math.min(inputLimits.jsonObjects, most);
  if (bytes.length >= 2 * objectsMax && countObjects(bytes, objectsMax) > objectsMax) {
    const why = `${what}: more than ${objectsMax} objects and lists`;
    if (objectsMax === most) throw new AppError('resource-exhausted', why);
    throw overInputLimit('jsonObjects', why);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new AppError('invalid-argument', `${what}: ${errorMessage(error)}`, { cause: error });
  }
}

/** Counts objects and lists, up to one more than `most`. Braces in strings are none. */
function countObjects(bytes: Uint8Array, most: number): number {
  return countOutsideStrings(bytes, most, (byte) => byte === brace || byte === bracket);
}

/**
 * Counts values, up to one more than `most`: objects, lists, and what stands after a comma. A
 * number or a string of one byte takes 8 in memory and more.
 */
export function countValues(bytes: Uint8Array, most: number): number {
  const begins = (byte: number): boolean => byte === comma || byte === brace || byte === bracket;
  return countOutsideStrings(bytes, most, begins);
}

function countOutsideStrings(
  bytes: Uint8Array,
  most: number,
  isCounted: (byte: number) => boolean,
): number {
  let count = 0;
  for (let i = 0; i < bytes.length && count <= most; i += 1) {
    const byte = bytes[i];
    if (isCounted(byte)) count += 1;
    else if (byte === quote) i = endOfText(bytes, i + 1);
  }
  return count;
}

/** Returns the place of the quote that ends a text. */
function endOfText(bytes: Uint8Array, start: number): number {
  let i = start;
  while (i < bytes.length && bytes[i] !== quote) i += bytes[i] === backslash ? 2 : 1;
  return i;
}
