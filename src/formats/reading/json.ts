// Checked access to foreign JSON; errors name the path of the value.
import { AppError } from '../../base/errors.ts';
import { parseJsonBytes } from '../../base/text/json.ts';
import { inputLimits, overInputLimit } from '../../base/input-limits.ts';

/**
 * Parses UTF-8 JSON. Errors: as in parseJsonBytes. All methods of JsonValue throw AppError
 * 'invalid-argument'.
 */
export function parseJson(bytes: Uint8Array, what: string): JsonValue {
  return new JsonValue(parseJsonBytes(bytes, what), what, '');
}

/** A value in a JSON document, and its path in the document. */
export class JsonValue {
  readonly value: unknown;
  readonly #what: string;
  readonly #path: string;

  constructor(value: unknown, what: string, path: string) {
    this.value = value;
    this.#what = what;
    this.#path = path;
  }

  /** Returns true if an object has a field, and its value is not null. */
  has(name: string): boolean {
    return isObject(this.value) && this.value[name] !== undefined && this.value[name] !== null;
  }

  /** Returns a field of an object. */
  get(name: string): JsonValue {
    if (!isObject(this.value)) throw this.fail('is not an object');
    const path = this.#path === '' ? name : `${this.#path}.${name}`;
    return new JsonValue(this.value[name], this.#what, path);
  }

  /** Returns the entries of a list. */
  list(): JsonValue[] {
    if (!Array.isArray(this.value)) throw this.fail('is not a list');
    return this.value.map((one, i) => new JsonValue(one, this.#what, `${this.#path}[${i}]`));
  }

  text(): string {
    if (typeof this.value !== 'string') throw this.fail('is not a text');
    return this.value;
  }

  textOr(initial: string): string {
    return typeof this.value === 'string' ? this.value : initial;
  }

  /** Returns a finite number. */
  number(): number {
    if (typeof this.value !== 'number' || !Number.isFinite(this.value)) {
      throw this.fail('is not a number');
    }
    return this.value;
  }

  numberOr(initial: number): number {
    return typeof this.value === 'number' && Number.isFinite(this.value) ? this.value : initial;
  }

  /** Returns an integer from 0 to `count` - 1. */
  index(count: number): number {
    const value = this.number();
    if (!Number.isInteger(value) || value < 0 || value >= count) {
      throw this.fail(`is ${value}, not an index below ${count}`);
    }
    return value;
  }

  fail(why: string): AppError {
    return new AppError('invalid-argument', this.#explain(why));
  }

  /** Returns the error for a stack that is too deep. */
  failDeep(why: string): AppError {
    return overInputLimit('stackDepth', this.#explain(`${why} ${inputLimits.stackDepth} frames`));
  }

  #explain(why: string): string {
    return `${this.#what}: ${this.#path === '' ? 'it' : this.#path} ${why}`;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
