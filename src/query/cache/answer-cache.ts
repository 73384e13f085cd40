// Caches answers while the data from which they were computed is unchanged.
import { LeastRecent } from '../../base/least-recent.ts';
import type { RecordingQuerier } from '../running/recording-querier.ts';

interface Kept<T> {
  readonly value: T;
  readonly bytes: number;
  readonly recorder: RecordingQuerier;
}

/**
 * Approximate memory of an entry in bytes, except its value: the objects of the entry, and the
 * record of the data that was read.
 */
const entryBytes = 2_000;

/**
 * Cache of values by query, with a limit in bytes. It drops the least recently used values first.
 * It returns a value only while the store would still give the same answers to the queries that
 * were recorded for the value.
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

  /** Caches a value of `bytes` bytes, unless its data has changed since. */
  async put(key: string, value: T, bytes: number, recorder: RecordingQuerier): Promise<void> {
    if (!(await recorder.isCurrent())) return;
    this.#kept.put(key, { value, bytes: bytes + key.length + entryBytes, recorder });
  }
}

/**
 * Returns a string that is equal for equal queries. Undefined if a query contains a value that
 * cannot be compared; such a query equals no other.
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
