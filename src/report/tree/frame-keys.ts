// Keys, order and names of the frames of a call tree.
import type { Dictionary } from '../../model/dictionary.ts';
import type { FunctionIndex, StringIndex } from '../../model/rows.ts';
import { KeyOrder } from './key-order.ts';
import { baseName } from '../../model/file-path.ts';

/** Frames of a call tree by key. */
export interface FrameKeys {
  /** Returns the key of a line of a location; `line` is -1 if the location has no lines. */
  frameKey(location: number, line: number): number;
  /** Returns ranks by key, for at least `keys`. The order of frames is the order of their ranks. */
  rank(keys: Uint32Array): Uint32Array;
  /** Returns the function's name, or the `addressText` of a frame without a name. */
  text(key: number): string;
}

/** Orders of the frames of Dictionary.callNodes. */
const plainOrders = new WeakMap<Dictionary, KeyOrder>();

/**
 * Keys of Dictionary.callNodes. Frames are ordered by the bytes of the function name. Frames
 * without a name come last, by address and mapping.
 */
export function createFrameKeys(dictionary: Dictionary): FrameKeys {
  const { strings, functions, locations } = dictionary;
  const compare = (a: number, b: number): number => {
    const isNameless = a & 1;
    if (isNameless !== (b & 1)) return isNameless === 1 ? 1 : -1;
    if (isNameless === 1) return compareLocations(dictionary, a >>> 1, b >>> 1);
    return strings.compare((a >>> 1) as StringIndex, (b >>> 1) as StringIndex);
  };
  const order = plainOrders.get(dictionary) ?? new KeyOrder(compare);
  plainOrders.set(dictionary, order);
  return {
    frameKey: (location, line) =>
      line === -1
        ? location * 2 + 1
        : functions.displayName(locations.lineFunction[line] as FunctionIndex) * 2,
    rank: (keys) => order.rank(keys),
    text: (key) =>
      (key & 1) === 1
        ? addressText(dictionary, key >>> 1)
        : strings.text((key >>> 1) as StringIndex),
  };
}

/**
 * Returns the name of a location without lines: `libc.so.6+0x4a2f` (file name of the binary and
 * address), or only the address.
 */
export function addressText(
  { strings, locations, mappings }: Dictionary,
  location: number,
): string {
  const { addressLow, addressHigh, mapping } = locations;
  const address = (BigInt(addressHigh[location]) << 32n) | BigInt(addressLow[location]);
  const binary = baseName(strings.text(mappings.fileName[mapping[location]] as StringIndex));
  return `${binary === '' ? '' : `${binary}+`}0x${address.toString(16)}`;
}

/** Compares locations without lines: first by address, then by mapping. */
function compareLocations(
  { strings, locations, mappings }: Dictionary,
  a: number,
  b: number,
): number {
  const { addressLow, addressHigh, mapping } = locations;
  const byAddress = addressHigh[a] - addressHigh[b] || addressLow[a] - addressLow[b];
  const [x, y] = [mapping[a], mapping[b]];
  if (byAddress !== 0 || x === y) return byAddress;
  const { fileName, buildId } = mappings;
  const byNames =
    strings.compare(fileName[x] as StringIndex, fileName[y] as StringIndex) ||
    strings.compare(buildId[x] as StringIndex, buildId[y] as StringIndex);
  if (byNames !== 0) return byNames;
  const { startHigh, startLow, limitHigh, limitLow, offsetHigh, offsetLow } = mappings;
  for (const words of [startHigh, startLow, limitHigh, limitLow, offsetHigh, offsetLow]) {
    if (words[x] !== words[y]) return words[x] - words[y];
  }
  return 0;
}

/** Returns the rank of each key among `keys`, which may contain duplicates, starting at 0. */
export function rankKeys(keys: Uint32Array, frames: FrameKeys): Uint32Array {
  const places = frames.rank(keys);
  let last = 0;
  for (let i = 0; i < keys.length; i += 1) last = Math.max(last, places[keys[i]]);
  // First has 1 for each key that occurs; then has the rank of each key.
  const rankByOffset = new Uint32Array(last + 1);
  for (let i = 0; i < keys.length; i += 1) rankByOffset[places[keys[i]]] = 1;
  let rankCount = 0;
  for (let place = 0; place <= last; place += 1) {
    const isThere = rankByOffset[place];
    rankByOffset[place] = rankCount;
    rankCount += isThere;
  }
  return keys.map((key) => rankByOffset[places[key]]);
}

/** Facts by which frames can be grouped in addition to the function name. */
export type FrameField = 'function_file_name' | 'mapping_file' | 'location_address';

/**
 * Keys that are equal for frames of the same group. For any grouping, the key of a frame without
 * lines is the key of its location.
 */
export class FrameIdentity implements FrameKeys {
  readonly fields: ReadonlySet<FrameField>;
  readonly #dictionary: Dictionary;
  readonly #order = new KeyOrder((a, b) => this.#compare(a, b));
  readonly #keys = new Map<string, number>();
  readonly #keyOfLine = new Map<number, number>();
  /** Location and line (-1 = none) of each key. */
  readonly #frames: (readonly [location: number, line: number])[] = [[0, -1]];

  constructor(dictionary: Dictionary, fields: ReadonlySet<FrameField>) {
    this.#dictionary = dictionary;
    this.fields = fields;
  }

  frameKey(location: number, line: number): number {
    // A line belongs to only one location, so the line alone can be the cache key.
    const memo = line === -1 ? -location : line + 1;
    const known = this.#keyOfLine.get(memo);
    if (known !== undefined) return known;
    const text = this.#describe(location, line);
    const key = this.#keys.get(text) ?? this.#frames.push([location, line]) - 1;
    this.#keys.set(text, key);
    this.#keyOfLine.set(memo, key);
    return key;
  }

  rank(keys: Uint32Array): Uint32Array {
    return this.#order.rank(keys);
  }

  /** Compares keys as a plain tree does: 0 first, then by name, file, binary and address. */
  #compare(a: number, b: number): number {
    if (a === 0 || b === 0) return a - b;
    const [locationA, lineA] = this.#frames[a];
    const [locationB, lineB] = this.#frames[b];
    if (lineA === -1 || lineB === -1) {
      if (lineA !== lineB) return lineA === -1 ? 1 : -1;
      return compareLocations(this.#dictionary, locationA, locationB);
    }
    const { fields } = this;
    const { strings, locations, functions, mappings } = this.#dictionary;
    const { lineFunction, mapping, addressHigh, addressLow } = locations;
    const byText = (x: number, y: number): number =>
      strings.compare(x as StringIndex, y as StringIndex);
    const nameAt = (line: number): number =>
      functions.displayName(lineFunction[line] as FunctionIndex);
    const fileAt = (line: number): number => functions.fileName[lineFunction[line]];
    const binaryAt = (location: number): number => mappings.fileName[mapping[location]];
    return (
      byText(nameAt(lineA), nameAt(lineB)) ||
      (fields.has('function_file_name') ? byText(fileAt(lineA), fileAt(lineB)) : 0) ||
      (fields.has('mapping_file') ? byText(binaryAt(locationA), binaryAt(locationB)) : 0) ||
      addressHigh[locationA] - addressHigh[locationB] ||
      addressLow[locationA] - addressLow[locationB]
    );
  }

  text(key: number): string {
    const [location, line] = this.#frames[key];
    if (line === -1) return addressText(this.#dictionary, location);
    const { functions, locations, strings } = this.#dictionary;
    return strings.text(functions.displayName(locations.lineFunction[line] as FunctionIndex));
  }

  #describe(location: number, line: number): string {
    if (line === -1) return `location ${location}`;
    const { fields } = this;
    const { locations, functions, mappings } = this.#dictionary;
    const row = locations.lineFunction[line] as FunctionIndex;
    const parts: number[] = [functions.displayName(row)];
    if (fields.has('function_file_name')) parts.push(functions.fileName[row]);
    if (fields.has('mapping_file')) parts.push(mappings.fileName[locations.mapping[location]]);
    if (fields.has('location_address')) {
      parts.push(locations.addressHigh[location], locations.addressLow[location]);
    }
    return parts.join(' ');
  }
}
