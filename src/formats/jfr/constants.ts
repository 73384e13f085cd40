// The constants of a chunk: the offset of each value, by type and key. Values are read on first
// use.
import { inputLimits, overInputLimit } from '../../base/input-limits.ts';
import { type JfrCursor, type Key, type StoredString, what } from './cursor.ts';
import type { JfrType, JfrTypes } from './types.ts';
import { seekField, skipValue } from './values.ts';

/** Largest depth of strings that refer to other strings; known writers use one level. */
const stringDepthMax = 4;

export class JfrConstants {
  readonly #cursor: JfrCursor;
  readonly #types: JfrTypes;
  readonly #stringType: JfrType | undefined;
  readonly #pools = new Map<Key, Map<Key, number>>();
  #count = 0;

  constructor(cursor: JfrCursor, types: JfrTypes) {
    this.#cursor = cursor;
    this.#types = types;
    this.#stringType = types.values().find(({ kind }) => kind === 'string');
  }

  /**
   * Adds the constants of a checkpoint event, which ends at `end`. Later constants replace earlier
   * ones with the same key.
   *
   * Errors: DecodeError; AppError 'resource-exhausted' above the limit of symbols.
   */
  add(start: number, end: number): void {
    const cursor = this.#cursor;
    cursor.pos = start;
    cursor.int();
    for (const _ of ['type', 'start', 'duration', 'delta']) cursor.integer(8);
    cursor.byte();
    for (let pools = cursor.count(2); pools > 0; pools -= 1) {
      const id = cursor.key();
      const type = this.#types.get(id);
      if (type === undefined) throw cursor.fail(`constants have the unknown type ${id}`);
      let pool = this.#pools.get(id);
      if (pool === undefined) this.#pools.set(id, (pool = new Map()));
      for (let left = cursor.count(); left > 0; left -= 1) {
        const key = cursor.key();
        pool.set(key, cursor.pos);
        skipValue(cursor, type);
        this.#count += 1;
        if (this.#count > inputLimits.profileSymbols) throw tooMany();
      }
      if (cursor.pos > end) throw cursor.fail('constants pass the end of their event');
    }
  }

  /** Moves the cursor to a constant; returns false if there is none. */
  seek({ id }: JfrType, key: Key): boolean {
    const at = this.#pools.get(id)?.get(key);
    if (at === undefined) return false;
    this.#cursor.pos = at;
    return true;
  }

  /** Keys of the constants of a type. */
  keys({ id }: JfrType): Iterable<Key> {
    return this.#pools.get(id)?.keys() ?? [];
  }

  /**
   * Returns the string of a constant: the constant itself or, if it is a struct, its field with one
   * of these names. Undefined if there is none. Moves the cursor.
   */
  text(type: JfrType, key: Key, names: readonly string[], depth = 0): string | undefined {
    if (depth > stringDepthMax || !this.seek(type, key)) return undefined;
    const cursor = this.#cursor;
    if (type.kind === 'string') return this.#resolve(cursor.string(), depth);
    for (const name of names) {
      const field = seekField(cursor, type, name);
      if (field !== undefined && !field.isArray) {
        if (field.isConstant) return this.text(field.type, cursor.key(), symbolNames, depth + 1);
        if (field.type.kind === 'string') return this.#resolve(cursor.string(), depth);
      }
      this.seek(type, key);
    }
    return undefined;
  }

  /** Returns the string that a stored string refers to. */
  #resolve(stored: StoredString | undefined, depth: number): string | undefined {
    if (stored === undefined || typeof stored === 'string') return stored;
    const type = this.#stringType;
    return type && this.text(type, stored.constant, symbolNames, depth + 1);
  }

  /** Returns the string at the cursor, and moves past it. */
  stringHere(): string {
    const cursor = this.#cursor;
    const stored = cursor.string();
    const { pos } = cursor;
    const text = this.#resolve(stored, 0) ?? '';
    cursor.pos = pos;
    return text;
  }
}

/** Names that the string field of a symbol may have. */
export const symbolNames = ['string', 'name'];

function tooMany(): Error {
  const { profileSymbols } = inputLimits;
  return overInputLimit('profileSymbols', `${what}: it has more than ${profileSymbols} constants`);
}
