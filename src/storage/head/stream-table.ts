// The streams of a head by ref. Their keys take a few bytes each, and are found by an
// open-addressed index.
import { assert } from '../../base/assert.ts';
import { AppError } from '../../base/errors.ts';
import { grown, SegmentedColumn } from '../../model/column.ts';
import { HashIndex, mixHash } from '../../model/hash-index.ts';
import type { LabelPairs } from '../series/label-pairs.ts';
import { type StreamKey, formatShape, type Shape, listProfileTypes } from '../series/stream-key.ts';
import { formatProfileType, type ProfileType } from '../../model/profile-type.ts';

/** Bytes of one segment of key memory. A key is never split between two segments. */
const segmentBytes = 65_536;
/** Maximum number of bytes of a number in a key. */
const numberBytesMax = 5;
/** Maximum number of consecutive refs whose definitions the log may have lost. */
const refGapMax = 1_000_000;

/**
 * Layout: a key in `keys` is {number of the shape, number of labels, row of each label}, as
 * varints. `keyAt` is the offset of a stream's key; 0 = the stream is not defined. Ref 0 means
 * "none".
 */
export class StreamTable {
  /** Largest ref plus one. */
  length = 1;
  readonly shapes = new StreamShapes();
  readonly #pairs: LabelPairs;
  readonly #keyAt = new SegmentedColumn();
  readonly #logged = new SegmentedColumn();
  readonly #index = new HashIndex(128, (ref) => this.#hashKey(ref));
  readonly #keys: Uint8Array[] = [new Uint8Array(256)];
  /** Used bytes of the last segment. Offset 0 is not used. */
  #keysFill = 1;
  /** The key that is being looked up. */
  #key = new Uint8Array(256);
  #keyLength = 0;
  readonly #seed: number;

  /** Creates a table. `seed` is a secret number for the hash function. */
  constructor(pairs: LabelPairs, seed: number) {
    this.#pairs = pairs;
    this.#seed = seed;
  }

  /** Returns the ref of the stream with this key; 0 when there is none. */
  find(key: StreamKey): number {
    const shape = this.shapes.find(key);
    if (shape < 0) return 0;
    this.#start(shape, key.labels.length);
    for (const { name, value } of key.labels) {
      const row = this.#pairs.find(name, value);
      if (row === 0) return 0;
      this.#push(row);
    }
    return this.#lookUp(0);
  }

  /**
   * Returns the ref of the stream with this key. If the stream is new, adds it, and returns the
   * previous `length`.
   */
  intern(key: StreamKey): number {
    this.#startKey(key);
    return this.#lookUp(this.length);
  }

  /**
   * Defines a stream under a ref from the log. Returns true if the stream is new.
   *
   * Errors: AppError 'data-loss' when the ref belongs to another stream.
   */
  define(ref: number, key: StreamKey): boolean {
    this.#startKey(key);
    const known = this.#lookUp(0);
    if (known === ref && ref !== 0) return false;
    const isTaken = ref < this.length && this.isDefined(ref);
    if (known !== 0 || ref === 0 || isTaken || ref > this.length + refGapMax) {
      throw new AppError('data-loss', `cannot define stream ${ref}: it contradicts another one`);
    }
    this.#lookUp(ref);
    return true;
  }

  /**
   * Returns true if a stream has this ref. Otherwise the stream was never durable, or its
   * definition was lost.
   */
  isDefined(ref: number): boolean {
    return ref < this.length && this.#keyAt.get(ref) !== 0;
  }

  toStreamShape(ref: number): StreamShape {
    const { segment, start } = this.#locate(ref);
    const first = segment[start];
    return this.shapes.get(first < 128 ? first : readVarints(segment, start, 1)[0]);
  }

  /** Returns the rows of the stream's labels, in the order of names. */
  readLabels(ref: number): number[] {
    const { segment, start } = this.#locate(ref);
    return readVarints(segment, endOfVarints(segment, start, 2), labelCount(segment, start));
  }

  /** Returns the row of the stream's label with this name; 0 when it has no such label. */
  labelNamed(ref: number, nameNumber: number): number {
    const { segment, start } = this.#locate(ref);
    let at = endOfVarints(segment, start, 2);
    for (let left = labelCount(segment, start); left > 0; left -= 1) {
      let row = 0;
      let shift = 0;
      for (; segment[at] > 127; shift += 7) {
        row |= (segment[at] & 127) << shift;
        at += 1;
      }
      row = (row | (segment[at] << shift)) >>> 0;
      at += 1;
      if (this.#pairs.nameNumber(row) === nameNumber) return row;
    }
    return 0;
  }

  /** Returns a new copy of a stream's key. */
  readKey(ref: number): StreamKey {
    const { name, sampleTypes, periodType, delta } = this.toStreamShape(ref);
    const labels = this.readLabels(ref).map((row) => this.#pairs.label(row));
    return { labels, name, sampleTypes, periodType, delta };
  }

  /**
   * Returns the sequence number of the last log segment that durably defines the stream; 0 = none.
   */
  loggedSegment(ref: number): number {
    return this.#logged.get(ref);
  }

  setLoggedSegment(ref: number, sequence: number): void {
    this.#logged.set(ref, sequence);
  }

  get usedBytes(): number {
    const { shapes } = this;
    const keyAt = this.#keyAt;
    const logged = this.#logged;
    const index = this.#index;
    const keys = segmentBytes * (this.#keys.length - 1) + this.#keysFill;
    return keyAt.usedBytes + logged.usedBytes + keys + index.usedBytes + shapes.usedBytes;
  }

  #startKey(key: StreamKey): void {
    this.#start(this.shapes.intern(key), key.labels.length);
    for (const { name, value } of key.labels) this.#push(this.#pairs.intern(name, value));
  }

  #start(shape: number, labels: number): void {
    this.#keyLength = 0;
    this.#push(shape);
    this.#push(labels);
  }

  #push(number: number): void {
    this.#key = grown(this.#key, this.#keyLength + numberBytesMax);
    let rest = number;
    for (; rest > 127; rest >>>= 7) {
      this.#key[this.#keyLength] = (rest & 127) | 128;
      this.#keyLength += 1;
    }
    this.#key[this.#keyLength] = rest;
    this.#keyLength += 1;
  }

  /**
   * Returns the ref of the key in `#key`. If the key is new, stores it under `ref` unless `ref` is
   * 0.
   */
  #lookUp(ref: number): number {
    const hash = hashBytes(this.#seed, this.#key, 0, this.#keyLength);
    const { slots, mask } = this.#index.at(hash);
    let slot = hash & mask;
    for (let known = slots[slot]; known !== 0; known = slots[slot]) {
      if (this.#hasKey(known)) return known;
      slot = (slot + 1) & mask;
    }
    if (ref === 0) return 0;
    this.#add(ref);
    this.#index.insert(slot, hash, ref);
    return ref;
  }

  /** Returns the hash of a stream's key, for the index. */
  #hashKey(ref: number): number {
    const { segment, start } = this.#locate(ref);
    const end = endOfVarints(segment, start, labelCount(segment, start) + 2);
    return hashBytes(this.#seed, segment, start, end);
  }

  #hasKey(ref: number): boolean {
    const { segment, start } = this.#locate(ref);
    // A key contains its length, so two keys are equal if their bytes are.
    for (let i = 0; i < this.#keyLength; i += 1)
      if (segment[start + i] !== this.#key[i]) return false;
    return true;
  }

  #add(ref: number): void {
    this.length = Math.max(this.length, ref + 1);
    this.#keyAt.reserve(this.length);
    this.#logged.reserve(this.length);
    this.#keyAt.set(ref, this.#storeKey());
  }

  #locate(ref: number): { readonly segment: Uint8Array; readonly start: number } {
    const at = this.#keyAt.get(ref);
    assert(at !== 0, 'the stream is defined');
    return { segment: this.#keys[Math.floor(at / segmentBytes)], start: at % segmentBytes };
  }

  /** Copies the key in `#key` to key memory. Returns its offset. */
  #storeKey(): number {
    const keys = this.#keys;
    const keyLength = this.#keyLength;
    assert(keyLength < segmentBytes, 'a stream has fewer labels than a segment has bytes');
    if (this.#keysFill + keyLength > segmentBytes) {
      keys.push(new Uint8Array(segmentBytes));
      this.#keysFill = 0;
    }
    const last = keys.length - 1;
    const start = this.#keysFill;
    keys[last] = grown(keys[last], start + keyLength);
    keys[last].set(this.#key.subarray(0, keyLength), start);
    this.#keysFill = start + keyLength;
    return last * segmentBytes + start;
  }
}

function hashBytes(seed: number, bytes: Uint8Array, start: number, end: number): number {
  let hash = seed;
  for (let at = start; at < end; at += 1) hash = mixHash(hash, bytes[at]);
  return hash;
}

function endOfVarints(bytes: Uint8Array, start: number, count: number): number {
  let at = start;
  for (let left = count; left > 0; at += 1) if (bytes[at] < 128) left -= 1;
  return at;
}

/** Returns the number of labels of the key at `start`. */
function labelCount(bytes: Uint8Array, start: number): number {
  return readVarints(bytes, endOfVarints(bytes, start, 1), 1)[0];
}

function readVarints(bytes: Uint8Array, start: number, count: number): number[] {
  const numbers: number[] = [];
  for (let at = start; numbers.length < count; at += 1) {
    let number = bytes[at] & 127;
    for (let shift = 7; bytes[at] > 127; shift += 7) {
      at += 1;
      number |= (bytes[at] & 127) << shift;
    }
    numbers.push(number >>> 0);
  }
  return numbers;
}

/** A shape and its profile types. */
export interface StreamShape extends Shape {
  /** The profile type of each sample type, followed by its string form. */
  readonly types: readonly ProfileType[];
  readonly typeTexts: readonly string[];
}

/** Approximate memory in bytes of a shape with one sample type, and of each further sample type. */
const shapeBytes = 600;
const typeBytes = 500;

/** Shapes by number, starting at 0. There are few, because many streams share a shape. */
class StreamShapes {
  readonly #shapes: StreamShape[] = [];
  readonly #numbers = new Map<string, number>();
  /** Approximate memory, in bytes. */
  usedBytes = 0;

  /** Returns the number of a shape; adds it if it is new. */
  intern(key: Shape): number {
    const text = formatShape(key);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#shapes.push(copyShape(key)) - 1;
    this.#numbers.set(text, number);
    this.usedBytes += shapeBytes + typeBytes * key.sampleTypes.length;
    return number;
  }

  /** Returns the number of a shape; -1 if it is unknown. */
  find(key: Shape): number {
    return this.#numbers.get(formatShape(key)) ?? -1;
  }

  get(number: number): StreamShape {
    return this.#shapes[number];
  }
}

/** Returns a copy of a shape, because callers reuse their arrays. */
function copyShape({ name, delta, periodType, sampleTypes }: Shape): StreamShape {
  const shape = {
    name,
    sampleTypes: sampleTypes.map(({ type, unit }) => ({ type, unit })),
    periodType: { type: periodType.type, unit: periodType.unit },
    delta,
  };
  const types = listProfileTypes(shape);
  return { ...shape, types, typeTexts: types.map(formatProfileType) };
}
