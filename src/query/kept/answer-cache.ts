// Answers that are kept while nothing they were made of has changed.
import { LeastRecent } from '../../base/least-recent.ts';
import type { RecordingQuerier } from './recording-querier.ts';

interface Kept<T> {
  readonly value: T;
  readonly bytes: number;
  readonly reads: RecordingQuerier;
}

/** Bytes of an entry in addition to its value, about: objects, and what was read for it. */
const entryBytes = 2_000;

/**
 * Values by question, up to a number of bytes; what was not used for longest goes first. A value
 * is given only while the store would answer what was read for it the same.
 */
export class AnswerCache<T> {
  readonly #kept: LeastRecent<Kept<T>>;

  /** `bytesMax` 0: nothing is kept. */
  constructor(bytesMax: number) {
    this.#kept = new LeastRecent(bytesMax, ({ bytes }) => bytes);
  }

  get usedBytes(): number {
    return this.#kept.weight;
  }

  async get(key: string): Promise<T | undefined> {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    if (await kept.reads.isCurrent()) return kept.value;
    this.#kept.remove(key);
    return undefined;
  }

  /** Keeps a value of `bytes` bytes, if what was read for it has not changed meanwhile. */
  async put(key: string, value: T, bytes: number, reads: RecordingQuerier): Promise<void> {
    if (!(await reads.isCurrent())) return;
    this.#kept.put(key, { value, bytes: bytes + key.length + entryBytes, reads });
  }
}

/**
 * A text that is equal for equal questions; undefined when the question holds something whose
 * content cannot be told: then it has no equal.
 */
export function questionKey(question: unknown): string | undefined {
  let isPlain = true;
  const text = JSON.stringify(question, (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'function' || typeof value === 'symbol') isPlain = false;
    if (typeof value === 'object' && value !== null && !isPlainObject(value)) isPlain = false;
    return value;
  });
  return isPlain ? text : undefined;
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
