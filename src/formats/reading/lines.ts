// Reads a text file line by line, without a copy of all lines.
import { DecodeError } from '../decode-error.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });
const newline = 0x0a;

/** A line without its line break, and its position. */
export interface TextLine {
  readonly text: string;
  /** Number of the line, counted from 1. */
  readonly number: number;
  /** Offset of the first byte of the line. */
  readonly offset: number;
}

/**
 * Yields the lines of UTF-8 text, including empty ones.
 *
 * Errors: DecodeError for bytes that are not UTF-8. Its message begins with `what`, such as "cannot
 * read perf script".
 */
export function* splitLines(bytes: Uint8Array, what: string): Generator<TextLine> {
  let number = 0;
  for (let offset = 0; offset < bytes.length;) {
    const found = bytes.indexOf(newline, offset);
    const end = found === -1 ? bytes.length : found;
    number += 1;
    let text: string;
    try {
      text = decoder.decode(bytes.subarray(offset, end));
    } catch {
      throw new DecodeError(what, `line ${number} is not UTF-8`, offset);
    }
    yield { text: text.endsWith('\r') ? text.slice(0, -1) : text, number, offset };
    offset = end + 1;
  }
}
