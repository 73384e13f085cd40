// What keys of frames stand for: their order and what they are called, as in any dictionary.
import type { Dictionary } from '../../model/dictionary.ts';
import type { FunctionIndex, StringIndex } from '../../model/rows.ts';

/** The frames of a call tree by their keys. */
export interface FrameKeys {
  /** Key of a line of a location; `line` -1 where the location has none. */
  keyOf(location: number, line: number): number;
  /** Negative when the frame of key `a` comes before that of key `b`, 0 only for equal keys. */
  compare(a: number, b: number): number;
  /** The function's name; of a frame without one, see `addressText`. */
  text(key: number): string;
  /** Bytes of memory taken, about. */
  readonly usedBytes: number;
}

/**
 * Keys of Dictionary.callNodes. Frames come by function name, in the order of bytes; then those
 * without a name, by address and mapping.
 */
export function createFrameKeys(dictionary: Dictionary): FrameKeys {
  const { strings, functions, locations } = dictionary;
  return {
    keyOf: (location, line) =>
      line === -1
        ? location * 2 + 1
        : functions.displayName(locations.lineFunction[line] as FunctionIndex) * 2,
    compare: (a, b) => {
      const isNameless = a & 1;
      if (isNameless !== (b & 1)) return isNameless === 1 ? 1 : -1;
      if (isNameless === 1) return compareLocations(dictionary, a >>> 1, b >>> 1);
      return strings.compare((a >>> 1) as StringIndex, (b >>> 1) as StringIndex);
    },
    text: (key) =>
      (key & 1) === 1
        ? addressText(dictionary, key >>> 1)
        : strings.text((key >>> 1) as StringIndex),
    usedBytes: 0,
  };
}

/**
 * What people know a location without lines by: `libc.so.6+0x4a2f`, the binary without its folders
 * and the address; the address alone without a binary.
 */
export function addressText(
  { strings, locations, mappings }: Dictionary,
  location: number,
): string {
  const { addressLow, addressHigh, mapping } = locations;
  const address = (BigInt(addressHigh[location]) << 32n) | BigInt(addressLow[location]);
  const path = strings.text(mappings.fileName[mapping[location]] as StringIndex);
  const binary = path.slice(path.lastIndexOf('/') + 1);
  return `${binary === '' ? '' : `${binary}+`}0x${address.toString(16)}`;
}

/** Orders locations without lines: by address, then by all that tells their mappings apart. */
export function compareLocations(
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

/** The rank of each of `keys` (which may repeat) among them, from 0 on, and how many there are. */
export function rankKeys(
  keys: Uint32Array,
  frames: FrameKeys,
): { readonly ranks: Uint32Array; readonly rankCount: number } {
  let largest = 0;
  for (let i = 0; i < keys.length; i += 1) if (keys[i] > largest) largest = keys[i];
  // By key: first 1 for those that occur, then their ranks.
  const rankOf = new Uint32Array(largest + 1);
  const distinct = new Uint32Array(keys.length);
  let rankCount = 0;
  for (let i = 0; i < keys.length; i += 1) {
    if (rankOf[keys[i]] === 1) continue;
    rankOf[keys[i]] = 1;
    distinct[rankCount] = keys[i];
    rankCount += 1;
  }
  const sorted = distinct.subarray(0, rankCount).sort((a, b) => frames.compare(a, b));
  for (let rank = 0; rank < rankCount; rank += 1) rankOf[sorted[rank]] = rank;
  return { ranks: keys.map((key) => rankOf[key]), rankCount };
}
