// The order of frames: by what they are called, so that it is the same in every dictionary.
import type { Dictionary } from '../model/dictionary.ts';
import type { StringIndex } from '../model/rows.ts';

/** Negative when the frame of key `a` comes before that of key `b`, 0 only for equal keys. */
export type CompareKeys = (a: number, b: number) => number;

/**
 * Orders keys of CallNodeTable: by function name, in the order of bytes; then frames without a
 * name, by address and mapping.
 */
export function compareFrameKeys(dictionary: Dictionary): CompareKeys {
  const { strings } = dictionary;
  return (a, b) => {
    const isNameless = a & 1;
    if (isNameless !== (b & 1)) return isNameless === 1 ? 1 : -1;
    if (isNameless === 1) return compareLocations(dictionary, a >>> 1, b >>> 1);
    return strings.compare((a >>> 1) as StringIndex, (b >>> 1) as StringIndex);
  };
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
  compare: CompareKeys,
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
  const sorted = distinct.subarray(0, rankCount).sort(compare);
  for (let rank = 0; rank < rankCount; rank += 1) rankOf[sorted[rank]] = rank;
  return { ranks: keys.map((key) => rankOf[key]), rankCount };
}
