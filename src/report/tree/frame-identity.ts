// What makes two frames under one caller the same node of a flame graph.
import type { Dictionary } from '../../model/dictionary.ts';
import type { FunctionIndex, StringIndex } from '../../model/rows.ts';
import { addressText, compareLocations, type FrameKeys } from './frame-keys.ts';

/** Facts of a frame that grouping can add to the function name. */
export type FrameField = 'function_file_name' | 'mapping_file' | 'location_address';

/** What a key takes: its text, a pair of numbers, and a place in a map; about. */
const keyBytes = 160;
/** A pair of small numbers in a map. */
const memoBytes = 20;

/**
 * Keys of frames: equal for frames that belong to one node. A frame without lines is its location,
 * whatever it is grouped by.
 */
export class FrameIdentity implements FrameKeys {
  readonly fields: ReadonlySet<FrameField>;
  readonly #dictionary: Dictionary;
  readonly #keys = new Map<string, number>();
  readonly #keyOfLine = new Map<number, number>();
  /** A location and a line of it (-1 = it has none) of each key. */
  readonly #frames: (readonly [location: number, line: number])[] = [[0, -1]];

  constructor(dictionary: Dictionary, fields: ReadonlySet<FrameField>) {
    this.#dictionary = dictionary;
    this.fields = fields;
  }

  get usedBytes(): number {
    return this.#keys.size * keyBytes + this.#keyOfLine.size * memoBytes;
  }

  keyOf(location: number, line: number): number {
    // A line row belongs to one location, so it can be the memo's key for both.
    const memo = line === -1 ? -location : line + 1;
    const known = this.#keyOfLine.get(memo);
    if (known !== undefined) return known;
    const text = this.#describe(location, line);
    const key = this.#keys.get(text) ?? this.#frames.push([location, line]) - 1;
    this.#keys.set(text, key);
    this.#keyOfLine.set(memo, key);
    return key;
  }

  /** As in a plain tree; 0 first, frames of one name by file, then binary, then address. */
  compare(a: number, b: number): number {
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
    const nameOf = (line: number): number =>
      functions.displayName(lineFunction[line] as FunctionIndex);
    const fileOf = (line: number): number => functions.fileName[lineFunction[line]];
    const binaryOf = (location: number): number => mappings.fileName[mapping[location]];
    return (
      byText(nameOf(lineA), nameOf(lineB)) ||
      (fields.has('function_file_name') ? byText(fileOf(lineA), fileOf(lineB)) : 0) ||
      (fields.has('mapping_file') ? byText(binaryOf(locationA), binaryOf(locationB)) : 0) ||
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
