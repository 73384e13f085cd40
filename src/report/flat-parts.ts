// Flat values by file and binary, for functions whose name occurs in several files or binaries.
// The kind and the package of a function depend on both, so the sum of a name has no single kind.
import type { Dictionary } from '../model/dictionary.ts';
import type { FunctionIndex } from '../model/rows.ts';
import type { StackGroup } from './tree/call-tree.ts';
import { noFrame, type ShownFrames } from './tree/shown-frames.ts';

/** The part of a flat value that has one file and one binary. */
export interface FlatPart {
  /** StringIndex of the file's name. */
  readonly file: number;
  /** MappingIndex. */
  readonly mapping: number;
  value: bigint;
}

/**
 * Sums the values of stacks whose innermost shown frame has one of `keys`, by key, file and
 * mapping. The parts of a key add up to its flat value.
 */
export function sumFlatParts(
  { functions, locations, stacks: { leaf, nodeParent, nodeLocation } }: Dictionary,
  groups: readonly StackGroup[],
  frames: ShownFrames,
  keys: Iterable<number>,
): ReadonlyMap<number, readonly FlatPart[]> {
  const parts = new Map(Array.from(keys, (key) => [key, new Map<number, FlatPart>()]));
  if (parts.size === 0) return new Map();
  frames.prepare(0);
  for (const { merged } of groups) {
    const { stacks, values } = merged;
    for (let i = 0; i < stacks.length; i += 1) {
      let node = leaf[stacks[i]];
      while (node !== 0 && frames.of(nodeLocation[node]) === noFrame) node = nodeParent[node];
      if (node === 0) continue;
      const location = nodeLocation[node];
      const line = innermostShown(locations.lineStart, location, frames.lines);
      const byPlace = parts.get(frames.keys.frameKey(location, line));
      if (byPlace === undefined) continue;
      const row = line === -1 ? 0 : locations.lineFunction[line];
      const file = functions.fileName[row as FunctionIndex];
      const mapping = locations.mapping[location];
      const place = file * 2 ** 26 + mapping;
      const part = byPlace.get(place);
      if (part === undefined) byPlace.set(place, { file, mapping, value: values[i] });
      else part.value += values[i];
    }
  }
  return new Map(Array.from(parts, ([key, found]) => [key, [...found.values()]]));
}

/** Returns the innermost shown line of a location; -1 if the location has no lines. */
function innermostShown(
  lineStart: ArrayLike<number>,
  location: number,
  shown: Uint8Array | undefined,
): number {
  for (let line = lineStart[location]; line < lineStart[location + 1]; line += 1) {
    if (shown === undefined || shown[line] === 1) return line;
  }
  return -1;
}
