// Strings of the query language: quotes and escapes as in Prometheus, in both directions.

export type Quote = '"' | "'" | '`';

/** A mistake in a quoted string, at an offset from its opening quote. */
export class StringSyntaxError extends Error {
  override readonly name = 'StringSyntaxError';
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/**
 * Matches plain characters, \x and octal bytes, \u and \U code points, one-letter escapes, and any
 * other escaped character.
 */
const pieces =
  /([^\\]+)|\\x([0-9a-fA-F]{2})|\\([0-7]{3})|\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})|\\(.?)/gsu;

const letterEscapes: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\\', '\\'],
]);

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns the value of a string with its quotes. Between backticks, there are no escapes.
 *
 * Errors: StringSyntaxError.
 * Source: string literals of Go and Prometheus. `\x80` and `\200` are bytes of UTF-8.
 */
export function unquote(literal: string): string {
  const quote = literal[0];
  const body = literal.slice(1, -1);
  if (quote === '`' || !body.includes('\\')) return body;
  const bytes: number[] = [];
  for (const match of body.matchAll(pieces)) {
    const [all, plain] = match;
    const value = plain === undefined ? unescape(match, quote) : encoder.encode(plain);
    if (value === undefined) {
      throw new StringSyntaxError(`unknown escape sequence ${all}`, 1 + match.index);
    }
    for (const byte of value) bytes.push(byte);
  }
  try {
    return decoder.decode(Uint8Array.from(bytes));
  } catch {
    throw new StringSyntaxError('the escapes of the string are not valid UTF-8', 0);
  }
}

/** Returns the UTF-8 bytes of an escape, undefined for an unknown escape. */
function unescape(match: RegExpExecArray, quote: string): Iterable<number> | undefined {
  const [, , hexByte, octalByte, point4, point8, letter] = match;
  if (letter !== undefined) {
    const text = letter === quote ? quote : letterEscapes.get(letter);
    return text === undefined ? undefined : encoder.encode(text);
  }
  const point = point4 ?? point8;
  if (point !== undefined) {
    const code = Number.parseInt(point, 16);
    const isScalar = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isScalar ? encoder.encode(String.fromCodePoint(code)) : undefined;
  }
  const byte = hexByte === undefined ? Number.parseInt(octalByte, 8) : Number.parseInt(hexByte, 16);
  return byte <= 0xff ? [byte] : undefined;
}

const printedEscapes: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/**
 * Returns the characters to put between the quotes for a value; undefined if `quote` is a backtick
 * and the value contains a backtick.
 */
export function escapeFor(quote: Quote, value: string): string | undefined {
  if (quote === '`') return value.includes('`') ? undefined : value;
  return value.replace(/["'\\\p{Cc}]/gu, (character) => {
    if (character === '"' || character === "'") {
      return character === quote ? `\\${character}` : character;
    }
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return printedEscapes.get(character) ?? `\\u${code}`;
  });
}

/** Returns a value as a double-quoted string, which unquote can read. */
export function quoteString(value: string): string {
  return `"${escapeFor('"', value) ?? ''}"`;
}

const labelWord = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Prints a label name for a query: bare if it is a word, else quoted. */
export function printLabelName(name: string): string {
  return labelWord.test(name) ? name : quoteString(name);
}
