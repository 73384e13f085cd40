// Writes the JSON of large answers in slices, so that other requests are handled in between.
import { jsonPieceLength, jsonSmallLength, jsonSmallNodes } from '../limits.ts';
import { finishPausing, type Pacer, type Steps } from '../pacer.ts';

/**
 * Returns the output of `JSON.stringify` as UTF-8. The value must not change until the promise
 * resolves.
 *
 * Errors: as in JSON.stringify; those of the pacer.
 */
export async function jsonInSlices(value: unknown, pacer: Pick<Pacer, 'pause'>): Promise<Buffer> {
  const writer = new PieceWriter();
  await finishPausing(write(writer, value), pacer);
  return writer.finish();
}

/** Returns true if JSON.stringify of a value takes far less time than a slice. */
export function isSmallJson(value: unknown): boolean {
  return weigh(value, { nodes: jsonSmallNodes, length: jsonSmallLength });
}

/** Number of nodes and characters that are still allowed. */
interface Allowance {
  nodes: number;
  length: number;
}

/** Subtracts a value's weight from the allowance; returns false if it is used up. */
function weigh(value: unknown, left: Allowance): boolean {
  left.nodes -= 1;
  if (typeof value === 'string') left.length -= value.length;
  if (left.nodes < 0 || left.length < 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) {
    if (value.length > left.nodes) return false;
    return value.every((item) => weigh(item, left));
  }
  for (const key in value) {
    left.length -= key.length;
    if (!weigh(value[key as keyof typeof value], left)) return false;
  }
  return true;
}

/** Collects strings, and encodes them once they are long enough for a piece. */
class PieceWriter {
  readonly #pieces: Buffer[] = [];
  #text = '';

  /** Returns true when a piece was encoded. */
  add(text: string): boolean {
    this.#text += text;
    if (this.#text.length < jsonPieceLength) return false;
    this.#pieces.push(Buffer.from(this.#text));
    this.#text = '';
    return true;
  }

  finish(): Buffer {
    this.#pieces.push(Buffer.from(this.#text));
    return this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
  }
}

function* write(writer: PieceWriter, value: unknown): Steps<void> {
  if (typeof value === 'string' && value.length > jsonPieceLength) {
    for (const piece of longTextSteps(value)) if (writer.add(piece)) yield;
  } else if (isPlain(value) && !isSmallJson(value)) {
    if (Array.isArray(value)) yield* writeArray(writer, value);
    else yield* writeObject(writer, value);
  } else if (writer.add(JSON.stringify(value) ?? 'null')) yield;
}

/** Makes the JSON of a long string in pieces. */
export function* longTextSteps(text: string): Generator<string, void> {
  yield '"';
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + jsonPieceLength / 2);
    // Both halves of a surrogate pair must be in the same piece.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
  yield '"';
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function* writeArray(writer: PieceWriter, items: readonly unknown[]): Steps<void> {
  let separator = '[';
  for (const item of items) {
    if (writer.add(separator)) yield;
    yield* write(writer, item);
    separator = ',';
  }
  writer.add(separator === '[' ? '[]' : ']');
}

function* writeObject(writer: PieceWriter, value: object): Steps<void> {
  let separator = '{';
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined || typeof field === 'function' || typeof field === 'symbol') continue;
    if (writer.add(`${separator}${JSON.stringify(name)}:`)) yield;
    yield* write(writer, field);
    separator = ',';
  }
  writer.add(separator === '{' ? '{}' : '}');
}

/** Returns true for arrays and objects that are written field by field. */
function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}
