// Shared parts of text formats: output with a size limit, and int64 values as exact numbers.
import { AppError } from '../base/errors.ts';
import { exportTextLengthMax } from './limits.ts';

/** Output that is collected in parts, with a limit on its length. */
export class ExportText {
  readonly #pieces: string[] = [];
  #length = 0;
  readonly #lengthMax: number;

  constructor(lengthMax = exportTextLengthMax) {
    this.#lengthMax = lengthMax;
  }

  /** Adds a part. Errors: AppError 'resource-exhausted' when the output exceeds the limit. */
  add(piece: string): void {
    this.#length += piece.length;
    if (this.#length > this.#lengthMax) {
      throw new AppError(
        'resource-exhausted',
        `cannot export profile: its text passes the limit of ${this.#lengthMax} characters; ` +
          'select less, or export pprof',
      );
    }
    this.#pieces.push(piece);
  }

  /** Adds `items` in brackets, separated by commas. */
  addJsonArray(items: Iterable<string | number>): void {
    let separator = '[';
    for (const item of items) {
      this.add(`${separator}${item}`);
      separator = ',';
    }
    this.add(separator === '[' ? '[]' : ']');
  }

  /** Returns the output in UTF-8. */
  finish(): Uint8Array {
    return new TextEncoder().encode(this.#pieces.join(''));
  }
}

/**
 * Returns values as JSON numbers, for viewers that read numbers as doubles.
 *
 * Errors: AppError 'out-of-range' if their sum, which viewers also compute, is above 2^53.
 */
export function exactNumbers(values: BigInt64Array, format: string): number[] {
  let magnitude = 0n;
  for (const value of values) magnitude += value < 0n ? -value : value;
  if (magnitude <= BigInt(Number.MAX_SAFE_INTEGER)) return Array.from(values, Number);
  throw new AppError(
    'out-of-range',
    `cannot export profile as ${format}: its values add up to ${magnitude}, and numbers of ` +
      'that format are exact up to 2^53 only; select less, or export pprof or collapsed',
  );
}
