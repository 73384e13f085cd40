// Many ascending lists of ids in shared memory. A list of one id takes 4 bytes.
import { Extents } from './extents.ts';
import { SegmentedColumn } from '../../model/column.ts';

/** Number of ids in a shared segment. A longer list has its own memory, of which less is wasted. */
const segmentIds = 8192;
/** Binary logarithm of the share by which a long list grows: 2 means that it grows by a quarter. */
const growthShift = 2;
/** Number of ids that each `add` copies while a long list moves to larger memory. */
const copiedPerAddition = 4096;

/** Bit that marks the entry of a list with two or more ids. */
const many = 0x8000_0000;

/** A list that is longer than a segment, and the larger memory to which it is being copied. */
interface LongList {
  ids: Uint32Array;
  next: Uint32Array | undefined;
  /** Number of ids that are in `next`. */
  copied: number;
}

/**
 * Sets of ids below 2^31 - 1. Lists are numbered from 0.
 *
 * Layout: `only` is 0 for an empty list, 1 + the id for a list with one id, or 2^31 + a second
 * number for a longer list. For each second number, `counts` has the number of ids and `places` has
 * their extent. The capacity of an extent is the next power of two. `add` copies no more than a
 * segment (32 KiB).
 */
export class IdLists {
  length = 0;
  /** Memory used by segments and long lists, in bytes. */
  #listBytes = 0;
  readonly #only = new SegmentedColumn();
  #manyLists = 0;
  readonly #places = new SegmentedColumn();
  readonly #counts = new SegmentedColumn();
  readonly #segments: Uint32Array[] = [];
  readonly #extents: Extents;
  /** Long lists by their second number. */
  readonly #long = new Map<number, LongList>();

  constructor() {
    // An extent counts pairs of ids, because the shortest list in it has two.
    this.#extents = new Extents(segmentIds / 2, (segment, pairs) => {
      this.#segments[segment] = new Uint32Array(2 * pairs);
      this.#listBytes += 9 * pairs;
    });
  }

  /** Makes an empty list. Returns its number. */
  create(): number {
    const list = this.length;
    this.length += 1;
    this.#only.reserve(this.length);
    return list;
  }

  /** Returns the number of ids of a list. */
  count(list: number): number {
    const only = this.#only.get(list);
    if (only >= many) return this.#counts.get(only - many);
    return only === 0 ? 0 : 1;
  }

  /** Adds an id to a list. Returns false if the list already had it. */
  add(list: number, id: number): boolean {
    const only = this.#only.get(list);
    if (only >= many) return this.#addToMany(only - many, id);
    if (only === id + 1) return false;
    this.#only.set(list, only === 0 ? id + 1 : many + this.#createMany(only - 1, id));
    return true;
  }

  has(list: number, id: number): boolean {
    const only = this.#only.get(list);
    return only < many ? only === id + 1 : this.#findPosition(only - many, id) < 0;
  }

  /** Returns the ids in ascending order. Ownership: a view, valid until the next `add`. */
  view(list: number): Uint32Array {
    const only = this.#only.get(list);
    if (only >= many) return this.#viewOfMany(only - many);
    return only === 0 ? none : Uint32Array.of(only - 1);
  }

  /** Copies the ids to `target`, starting at `at`. Returns their number. */
  copyTo(list: number, target: Uint32Array, at: number): number {
    const only = this.#only.get(list);
    if (only === 0) return 0;
    if (only < many) {
      target[at] = only - 1;
      return 1;
    }
    const ids = this.#viewOfMany(only - many);
    target.set(ids, at);
    return ids.length;
  }

  get usedBytes(): number {
    const only = this.#only;
    const places = this.#places;
    const counts = this.#counts;
    return this.#listBytes + only.usedBytes + places.usedBytes + counts.usedBytes;
  }

  /** Creates a list of two ids. Returns its second number. */
  #createMany(first: number, second: number): number {
    const list = this.#manyLists;
    this.#manyLists += 1;
    this.#places.reserve(this.#manyLists);
    this.#counts.reserve(this.#manyLists);
    const place = this.#extents.allocate(1);
    this.#extentAt(place).set([Math.min(first, second), Math.max(first, second)]);
    this.#places.set(list, place);
    this.#counts.set(list, 2);
    return list;
  }

  #addToMany(list: number, id: number): boolean {
    const count = this.#counts.get(list);
    const at = this.#findPosition(list, id);
    if (at < 0) return false;
    if (count >= segmentIds) this.#addToLong(list, count, at, id);
    else {
      const ids = this.#withCapacity(list, count);
      if (at < count) ids.copyWithin(at + 1, at, count);
      ids[at] = id;
    }
    this.#counts.set(list, count + 1);
    return true;
  }

  #viewOfMany(list: number): Uint32Array {
    const count = this.#counts.get(list);
    const long = count > segmentIds ? this.#long.get(list) : undefined;
    const ids = long === undefined ? this.#extentAt(this.#places.get(list)) : long.ids;
    return ids.subarray(0, count);
  }

  /**
   * Returns the position at which an id must be inserted in a list of two or more ids; -1 if the
   * list already has the id.
   */
  #findPosition(list: number, id: number): number {
    const count = this.#counts.get(list);
    const long = count > segmentIds ? this.#long.get(list)?.ids : undefined;
    const place = this.#places.get(list);
    const ids = long ?? this.#segments[Math.floor(place / (segmentIds / 2))];
    const start = long === undefined ? (place % (segmentIds / 2)) * 2 : 0;
    // Most ids are added at the end.
    if (ids[start + count - 1] < id) return count;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ids[start + middle] < id) low = middle + 1;
      else high = middle;
    }
    return ids[start + low] === id ? -1 : low;
  }

  #extentAt(place: number): Uint32Array {
    const segment = this.#segments[Math.floor(place / (segmentIds / 2))];
    return segment.subarray((place % (segmentIds / 2)) * 2);
  }

  /**
   * Returns the memory of a list in a shared segment. First moves the list if it has no space for
   * another id.
   */
  #withCapacity(list: number, count: number): Uint32Array {
    const place = this.#places.get(list);
    if ((count & (count - 1)) !== 0) return this.#extentAt(place);
    const next = this.#extents.allocate(count);
    const ids = this.#extentAt(next);
    ids.set(this.#extentAt(place).subarray(0, count));
    this.#extents.release(place, count / 2);
    this.#places.set(list, next);
    return ids;
  }

  #addToLong(list: number, count: number, at: number, id: number): void {
    let long = this.#long.get(list);
    if (long === undefined) {
      long = { ids: this.#longMemory(segmentIds), next: undefined, copied: 0 };
      const place = this.#places.get(list);
      long.ids.set(this.#extentAt(place).subarray(0, count));
      this.#extents.release(place, count / 2);
      this.#long.set(list, long);
    }
    this.#growLong(long, count);
    if (at < count) long.ids.copyWithin(at + 1, at, count);
    long.ids[at] = id;
    long.copied = Math.min(long.copied, at);
  }

  /**
   * Prepares a long list for another id. If its memory is nearly full, copies some ids to larger
   * memory. If it is full, copies the rest and switches to the larger memory.
   */
  #growLong(long: LongList, count: number): void {
    const { ids } = long;
    if (count < ids.length - (ids.length >>> 6)) return;
    long.next ??= this.#longMemory(ids.length);
    const end = count === ids.length ? count : Math.min(count, long.copied + copiedPerAddition);
    long.next.set(ids.subarray(long.copied, end), long.copied);
    long.copied = end;
    if (count < ids.length) return;
    this.#listBytes -= ids.byteLength;
    long.ids = long.next;
    long.next = undefined;
    long.copied = 0;
  }

  /** Allocates memory for a quarter more than `ids` ids. */
  #longMemory(ids: number): Uint32Array {
    const memory = new Uint32Array(ids + (ids >>> growthShift));
    this.#listBytes += memory.byteLength;
    return memory;
  }
}

const none = new Uint32Array(0);
