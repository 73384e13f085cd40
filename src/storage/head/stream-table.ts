// The streams of a head by ref: a key of a few bytes each, found by an open-addressed index.
import { assert } from '../../base/assert.ts';
import { AppError } from '../../base/errors.ts';
import { grown, SegmentedColumn } from '../../model/column.ts';
import { HashIndex, mixHash } from '../../model/hash-index.ts';
import type { LabelPairs } from '../series/label-pairs.ts';
import { type StreamKey, shapeText, type Shape, profileTypesOf } from '../series/stream-key.ts';
import { formatProfileType, type ProfileType } from '../../model/profile-type.ts';

/** Bytes of a piece of key memory; a key lies in one piece. */
const pieceBytes = 65_536;
/** A number of a key has at most so many bytes. */
const numberBytesMax = 5;
/** How far a ref from the log may be past the last one: more are not lost definitions. */
const refGapMax = 1_000_000;

/**
 * Layout: a key is {number of its shape, number of labels, row of each label} in `keys`, as
 * varints; `keyAt` says where that of a stream is, 0 = the stream is not defined. Ref 0 is none.
 */
export class StreamTable {
  /** One more than the largest ref. */
  length = 1;
  readonly shapes = new StreamShapes();
  readonly #pairs: LabelPairs;
  readonly #keyAt = new SegmentedColumn();
  readonly #logged = new SegmentedColumn();
  readonly #index = new HashIndex(128, (ref) => this.#hashOf(ref));
  readonly #keys: Uint8Array[] = [new Uint8Array(256)];
  /** Used bytes of the last piece. Place 0 is not used. */
  #keysFill = 1;
  /** The key that is looked up. */
  #key = new Uint8Array(256);
  #keyLength = 0;
  readonly #seed: number;

  /** `seed`: a secret word for the hash function. */
  constructor(pairs: LabelPairs, seed: number) {
    this.#pairs = pairs;
    this.#seed = seed;
  }

  /** The ref of the stream with this key, 0 when there is none. */
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

  /** The ref of the stream with this key; `length` before the call when it is new. */
  intern(key: StreamKey): number {
    this.#startKey(key);
    return this.#lookUp(this.length);
  }

  /**
   * Defines a stream as the log has it; returns whether it is new.
   *
   * Errors: AppError 'data-loss' when the ref is another stream's.
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

  /** Whether a ref is a stream's; one that is not is a definition that never became durable. */
  isDefined(ref: number): boolean {
    return ref < this.length && this.#keyAt.get(ref) !== 0;
  }

  shapeOf(ref: number): StreamShape {
    const { piece, start } = this.#placeOf(ref);
    const first = piece[start];
    return this.shapes.get(first < 128 ? first : readVarints(piece, start, 1)[0]);
  }

  /** Rows of the stream's labels, in their order. */
  labelsOf(ref: number): number[] {
    const { piece, start } = this.#placeOf(ref);
    return readVarints(piece, endOfVarints(piece, start, 2), labelCount(piece, start));
  }

  /** The row of the label of this name (see LabelPairs.numberOfName), 0 when it has none. */
  labelNamed(ref: number, nameNumber: number): number {
    const { piece, start } = this.#placeOf(ref);
    let at = endOfVarints(piece, start, 2);
    for (let left = labelCount(piece, start); left > 0; left -= 1) {
      let row = 0;
      let shift = 0;
      for (; piece[at] > 127; shift += 7) {
        row |= (piece[at] & 127) << shift;
        at += 1;
      }
      row = (row | (piece[at] << shift)) >>> 0;
      at += 1;
      if (this.#pairs.nameNumberOf(row) === nameNumber) return row;
    }
    return 0;
  }

  /** What identifies a stream, made anew. */
  keyOf(ref: number): StreamKey {
    const { name, sampleTypes, periodType, delta } = this.shapeOf(ref);
    const labels = this.labelsOf(ref).map((row) => this.#pairs.label(row));
    return { labels, name, sampleTypes, periodType, delta };
  }

  /** Sequence of the last log segment that defines the stream durably; 0 = none. */
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
    const keys = pieceBytes * (this.#keys.length - 1) + this.#keysFill;
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

  /** The ref of the key in `key`; when there is none, `ref` takes it unless it is 0. */
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

  /** The hash of a stream's key, for the index. */
  #hashOf(ref: number): number {
    const { piece, start } = this.#placeOf(ref);
    const end = endOfVarints(piece, start, labelCount(piece, start) + 2);
    return hashBytes(this.#seed, piece, start, end);
  }

  #hasKey(ref: number): boolean {
    const { piece, start } = this.#placeOf(ref);
    // Keys end by themselves: equal bytes are equal keys.
    for (let i = 0; i < this.#keyLength; i += 1)
      if (piece[start + i] !== this.#key[i]) return false;
    return true;
  }

  #add(ref: number): void {
    this.length = Math.max(this.length, ref + 1);
    this.#keyAt.reserve(this.length);
    this.#logged.reserve(this.length);
    this.#keyAt.set(ref, this.#storeKey());
  }

  #placeOf(ref: number): { readonly piece: Uint8Array; readonly start: number } {
    const at = this.#keyAt.get(ref);
    assert(at !== 0, 'the stream is defined');
    return { piece: this.#keys[Math.floor(at / pieceBytes)], start: at % pieceBytes };
  }

  /** Copies the key in `key` to key memory and returns where it is. */
  #storeKey(): number {
    const keys = this.#keys;
    const keyLength = this.#keyLength;
    assert(keyLength < pieceBytes, 'a stream has fewer labels than a piece has bytes');
    if (this.#keysFill + keyLength > pieceBytes) {
      keys.push(new Uint8Array(pieceBytes));
      this.#keysFill = 0;
    }
    const last = keys.length - 1;
    const start = this.#keysFill;
    keys[last] = grown(keys[last], start + keyLength);
    keys[last].set(this.#key.subarray(0, keyLength), start);
    this.#keysFill = start + keyLength;
    return last * pieceBytes + start;
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

/** How many labels the key at `start` has. */
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

/** A key without labels, and what follows from it. */
export interface StreamShape extends Shape {
  /** One for each sample type, and as text. */
  readonly types: readonly ProfileType[];
  readonly typeTexts: readonly string[];
}

/** About what V8 needs for a shape of one sample type, and for each further one. */
const shapeBytes = 600;
const typeBytes = 500;

/** Shapes by number, from 0. There are as many as there are kinds of profiles: a few. */
export class StreamShapes {
  readonly #shapes: StreamShape[] = [];
  readonly #numbers = new Map<string, number>();
  /** Bytes of memory taken, about. */
  usedBytes = 0;

  /** The number of a key's shape, added when it is new. */
  intern(key: Shape): number {
    const text = shapeText(key);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#shapes.push(shapeOf(key)) - 1;
    this.#numbers.set(text, number);
    this.usedBytes += shapeBytes + typeBytes * key.sampleTypes.length;
    return number;
  }

  /** The number of a key's shape, -1 when it is not there. */
  find(key: Shape): number {
    return this.#numbers.get(shapeText(key)) ?? -1;
  }

  get(number: number): StreamShape {
    return this.#shapes[number];
  }
}

/** A copy: the caller's arrays may be reused. */
function shapeOf({ name, delta, periodType, sampleTypes }: Shape): StreamShape {
  const shape = {
    name,
    sampleTypes: sampleTypes.map(({ type, unit }) => ({ type, unit })),
    periodType: { type: periodType.type, unit: periodType.unit },
    delta,
  };
  const types = profileTypesOf(shape);
  return { ...shape, types, typeTexts: types.map(formatProfileType) };
}
