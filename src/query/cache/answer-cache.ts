// Caches answers as long as the data that they were made from is unchanged.
import { LeastRecent } from '../../base/least-recent.ts';
import type { RecordingQuerier } from '../running/recording-querier.ts';

interface Kept<T> {
  readonly value: T;
  readonly bytes: number;
  readonly recorder: RecordingQuerier;
}

/**
 * Approximate memory of an entry except its value: objects, and the record of the data that it
 * read.
 */
const entryBytes = 2_000;

/**
 * Values by question, up to a size in bytes; drops the least recently used first. Returns a value
 * only while the store would still give the same answers to the questions recorded for it.
 */
export class AnswerCache<T> {
  readonly #kept: LeastRecent<Kept<T>>;

  /** With `bytesMax` 0, nothing is cached. */
  constructor(bytesMax: number) {
    this.#kept = new LeastRecent(bytesMax, ({ bytes }) => bytes);
  }

  get usedBytes(): number {
    return this.#kept.weight;
  }

  async get(key: string): Promise<T | undefined> {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    if (await kept.recorder.isCurrent()) return kept.value;
    this.#kept.remove(key);
    return undefined;
  }

  /** Caches a value of `bytes` bytes, unless the data it was made from has changed since. */
  async put(key: string, value: T, bytes: number, recorder: RecordingQuerier): Promise<void> {
    if (!(await recorder.isCurrent())) return;
    this.#kept.put(key, { value, bytes: bytes + key.length + entryBytes, recorder });
  }
}

/**
 * Returns a string that is equal for equal questions; undefined if the question has a part that
 * cannot be compared, so that no other question equals it.
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
