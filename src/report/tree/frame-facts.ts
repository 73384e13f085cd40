// Facts about rows that were merged from several frames: the facts that all of the frames share.
import { type ColumnMemory, ownMemory } from '../../model/column-memory.ts';
import { grown } from '../../model/column.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { LocationTable } from '../../model/location-table.ts';
import type { TreeSources } from './call-tree.ts';

/** Bits of `FrameFacts.differs`, one for each fact that may differ between a row's frames. */
export const differs = {
  mapping: 1,
  mappingFile: 2,
  buildId: 4,
  address: 8,
  line: 16,
  startLine: 32,
  systemName: 64,
  fileName: 128,
  inlined: 256,
  location: 512,
  function: 1024,
} as const;

const allDiffer = 2047;

/**
 * Facts about each target: its first frame, and which facts are not the same for all its frames.
 */
export interface TargetFacts {
  /** LocationIndex of the first frame; 0 = no frame yet. */
  readonly location: Int32Array;
  /** Line row of the first frame; -1 if its location has no lines. */
  readonly line: Int32Array;
  readonly differs: Uint16Array;
}

/** Arrays of zeros by location and by line, reused by later reports. */
const savedNumbers = new WeakMap<LocationTable, Int32Array>();

/** Facts about numbered targets: rows of a flame graph or of a table. */
export class FrameFacts implements TargetFacts {
  readonly location: Int32Array;
  readonly line: Int32Array;
  readonly differs: Uint16Array;
  readonly #dictionary: Dictionary;

  constructor(dictionary: Dictionary, targetCount: number, memory: ColumnMemory = ownMemory) {
    this.#dictionary = dictionary;
    this.location = memory.take(Int32Array, targetCount);
    this.line = memory.take(Int32Array, targetCount).fill(-1);
    this.differs = memory.take(Uint16Array, targetCount);
  }

  /**
   * Adds all frames of `sources`. For each tree row, `target` has the number of its target plus 1;
   * 0 = none. With `isByFrame`, the target of a row depends only on its key, so each location is
   * added only once, even if it is in a hundred stacks.
   */
  collect(
    sources: TreeSources,
    parent: Int32Array,
    target: Int32Array,
    isByFrame: boolean = false,
  ): void {
    const { lineStart, length: locationCount } = this.#dictionary.locations;
    const { touched, shownLines, length, location: locations, row: rows } = sources;
    const noted = new Uint8Array(isByFrame ? locationCount : 0);
    for (let source = 0; source < length; source += 1) {
      if (touched !== undefined && touched[source] === 0) continue;
      const location = locations[source];
      if (isByFrame && noted[location] === 1) continue;
      let row = rows[source];
      let line = lineStart[location];
      const end = lineStart[location + 1];
      // Nearly all locations have at most one line, and nearly all rows have no target.
      if (shownLines === undefined && end - line <= 1) {
        if (target[row] === 0) continue;
        this.#note(target[row] - 1, location, line === end ? -1 : line);
        if (isByFrame) noted[location] = 1;
        continue;
      }
      if (line === end && target[row] !== 0) this.#note(target[row] - 1, location, -1);
      for (; line < end; line += 1) {
        if (shownLines !== undefined && shownLines[line] === 0) continue;
        if (target[row] !== 0) this.#note(target[row] - 1, location, line);
        row = parent[row];
      }
    }
  }

  /**
   * Returns the facts of all targets with nearly all duplicates removed, and for each target, the
   * number of its facts among them. Both are in the order of the targets in `order`.
   */
  numbered(
    order: Int32Array,
    memory: ColumnMemory,
  ): { readonly distinct: TargetFacts; readonly numbers: Int32Array } {
    const { length } = order;
    const numbers = memory.take(Int32Array, length);
    const first = memory.take(Int32Array, length);
    const found = memory.take(Int32Array, length);
    const foundCount = this.#findDistinct(found, first);
    // New number of each fact plus 1, assigned in the order of `order`, and the distinct facts in
    // the same order.
    const renumbered = memory.take(Int32Array, foundCount);
    const inOrder = memory.take(Int32Array, foundCount);
    let count = 0;
    for (let i = 0; i < length; i += 1) {
      const one = found[order[i]];
      if (renumbered[one] === 0) {
        inOrder[count] = first[one];
        count += 1;
        renumbered[one] = count;
      }
      numbers[i] = renumbered[one] - 1;
    }
    const location = memory.take(Int32Array, count);
    const line = memory.take(Int32Array, count);
    const differences = memory.take(Uint16Array, count);
    for (let i = 0; i < count; i += 1) {
      location[i] = this.location[inOrder[i]];
      line[i] = this.line[inOrder[i]];
      differences[i] = this.differs[inOrder[i]];
    }
    return { distinct: { location, line, differs: differences }, numbers };
  }

  /**
   * Writes the number of each target's facts to `found`, and returns how many distinct facts there
   * are. Writes one target that has each of these facts to `first`.
   */
  #findDistinct(found: Int32Array, first: Int32Array): number {
    const { locations } = this.#dictionary;
    const { location: locationOf, line: lineOf, differs: differsOf } = this;
    const slotCount = locations.length + locations.lineStart[locations.length];
    const known = grown(savedNumbers.get(locations) ?? new Int32Array(0), slotCount);
    savedNumbers.set(locations, known);
    let count = 0;
    for (let i = 0; i < found.length; i += 1) {
      const slot = lineOf[i] === -1 ? locationOf[i] : locations.length + lineOf[i];
      let one = known[slot] - 1;
      if (one === -1 || differsOf[first[one]] !== differsOf[i]) {
        one = count;
        first[count] = i;
        count += 1;
        known[slot] = count;
      }
      found[i] = one;
    }
    for (let i = 0; i < count; i += 1) {
      const line = lineOf[first[i]];
      known[line === -1 ? locationOf[first[i]] : locations.length + line] = 0;
    }
    return count;
  }

  #note(target: number, location: number, line: number): void {
    const first = this.location[target];
    if (first === 0) {
      this.location[target] = location;
      this.line[target] = line;
    } else if (first !== location || this.line[target] !== line) {
      this.#compare(target, location, line);
    }
  }

  #compare(target: number, location: number, line: number): void {
    let found = this.differs[target];
    if (found === allDiffer) return;
    const { locations, mappings, functions } = this.#dictionary;
    const otherLocation = this.location[target];
    const otherLine = this.line[target];
    if (location !== otherLocation) {
      found |= differs.location;
      if (
        locations.addressLow[location] !== locations.addressLow[otherLocation] ||
        locations.addressHigh[location] !== locations.addressHigh[otherLocation]
      ) {
        found |= differs.address;
      }
      const a = locations.mapping[location];
      const b = locations.mapping[otherLocation];
      if (a !== b) {
        found |= differs.mapping;
        if (mappings.fileName[a] !== mappings.fileName[b]) found |= differs.mappingFile;
        if (mappings.buildId[a] !== mappings.buildId[b]) found |= differs.buildId;
      }
    }
    if (line !== -1 && otherLine !== -1) {
      if (locations.lineNumber[line] !== locations.lineNumber[otherLine]) found |= differs.line;
      if (isInlined(this.#dictionary, location, line) !== this.isInlined(target)) {
        found |= differs.inlined;
      }
      const a = locations.lineFunction[line];
      const b = locations.lineFunction[otherLine];
      if (a !== b) {
        found |= differs.function;
        if (functions.startLine[a] !== functions.startLine[b]) found |= differs.startLine;
        if (functions.systemName[a] !== functions.systemName[b]) found |= differs.systemName;
        if (functions.fileName[a] !== functions.fileName[b]) found |= differs.fileName;
      }
    }
    this.differs[target] = found;
  }

  /** Returns true if the target's first frame is an inlined call. */
  isInlined(target: number): boolean {
    return isInlined(this.#dictionary, this.location[target], this.line[target]);
  }
}

function isInlined({ locations }: Dictionary, location: number, line: number): boolean {
  return line !== -1 && locations.isInlined(location, line);
}
