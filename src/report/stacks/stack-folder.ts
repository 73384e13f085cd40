// Folds stacks: cuts them off at a function, or removes repeated frames.
import { assertUnreachable } from '../../base/assert.ts';
import { grown } from '../../model/column.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { FunctionIndex, LocationIndex, NodeIndex } from '../../model/rows.ts';
import { FrameCriteriaTester, TextTester } from './frame-criteria.ts';
import { copyLocation } from './location-copies.ts';
import type { StackFold } from './stack-view.ts';

/** Frames of one stack, outermost first. */
interface Frames {
  location: Int32Array;
  /** Line row; -1 for a location without lines. */
  line: Int32Array;
  count: number;
}

/**
 * Stacks and locations of one query after a fold, in a separate dictionary that shares the names of
 * the store. Each stack is processed completely, because the result for a frame depends on the
 * frames above it.
 */
export class StackFolder {
  /** Dictionary of the folded stacks. */
  readonly local: Dictionary;
  readonly #dictionary: Dictionary;
  /** Moves the frames that remain to the start; returns false to drop the stack. */
  readonly #fold: (frames: Frames) => boolean;
  /** Folded row of each stack plus 2; 1 = dropped, 0 = not folded yet. */
  #stackRow: Uint32Array;
  /** Row of each location with all its lines; 0 = not added yet. */
  #wholeRow: Uint32Array;
  /** Rows of locations with some of their lines, by first line and count. */
  readonly #partRows = new Map<string, number>();
  /** Locations from the leaf to the root. */
  #path = new Int32Array(64);
  readonly #frames: Frames = {
    location: new Int32Array(64),
    line: new Int32Array(64),
    count: 0,
  };

  constructor(dictionary: Dictionary, fold: StackFold) {
    this.#dictionary = dictionary;
    this.local = dictionary.createOverlay();
    this.#stackRow = new Uint32Array(dictionary.stacks.length);
    this.#wholeRow = new Uint32Array(dictionary.locations.length);
    this.#fold = makeKeeper(dictionary, fold);
  }

  /** Returns the folded stack in `local` for a stack of the dictionary; -1 = dropped. */
  rewrite(stack: number): number {
    const { stacks, locations } = this.#dictionary;
    // The dictionary of an earlier view grows while it is in use.
    this.#stackRow = grown(this.#stackRow, stacks.length);
    const seen = this.#stackRow[stack];
    if (seen > 0) return seen - 2;
    this.#wholeRow = grown(this.#wholeRow, locations.length);
    const row = this.#folded(stacks.leaf[stack]);
    this.#stackRow[stack] = row + 2;
    return row;
  }

  /** Does nothing: folding many stacks together would be no faster than one by one. */
  rewriteAll(): void {}

  #folded(leaf: number): number {
    const { nodeParent, nodeLocation } = this.#dictionary.stacks;
    const { lineStart } = this.#dictionary.locations;
    const frames = this.#frames;
    let length = 0;
    for (let node = leaf; node !== 0; node = nodeParent[node]) {
      this.#path = grown(this.#path, length + 1);
      this.#path[length] = nodeLocation[node];
      length += 1;
    }
    frames.count = 0;
    for (let at = length - 1; at >= 0; at -= 1) {
      const location = this.#path[at];
      const first = lineStart[location];
      const end = lineStart[location + 1];
      if (first === end) addFrame(frames, location, -1);
      // The first line of a location is the innermost call.
      for (let line = end - 1; line >= first; line -= 1) addFrame(frames, location, line);
    }
    return this.#fold(frames) ? this.#addStack(frames) : -1;
  }

  /**
   * Adds a stack. Adjacent lines of a location become one location, so that stacks with equal
   * frames are equal.
   */
  #addStack({ location, line, count }: Frames): number {
    const { stacks } = this.local;
    let node = 0;
    for (let i = 0; i < count;) {
      let next = i + 1;
      while (next < count && location[next] === location[i] && line[next] === line[next - 1] - 1)
        next += 1;
      const row = this.#location(location[i], line[next - 1], line[i] + 1);
      node = stacks.child(node as NodeIndex, row as LocationIndex);
      i = next;
    }
    if (node === 0) return 0;
    const known = stacks.find(node, ~node);
    return known === 0 ? stacks.addLeaf(node, ~node, node as NodeIndex) : known;
  }

  /** Returns the location with lines `first` .. `end`. */
  #location(location: number, first: number, end: number): number {
    const { lineStart } = this.#dictionary.locations;
    const isWhole =
      first === -1 || (first === lineStart[location] && end === lineStart[location + 1]);
    const key = `${first} ${end}`;
    const known = isWhole ? this.#wholeRow[location] : this.#partRows.get(key);
    if (known !== undefined && known !== 0) return known;
    const lines = first === -1 ? [] : Array.from({ length: end - first }, (_, i) => first + i);
    const row = copyLocation(this.#dictionary, this.local, location, lines);
    if (isWhole) this.#wholeRow[location] = row;
    else this.#partRows.set(key, row);
    return row;
  }
}

function addFrame(frames: Frames, location: number, line: number): void {
  const { count } = frames;
  frames.location = grown(frames.location, count + 1);
  frames.line = grown(frames.line, count + 1);
  frames.location[count] = location;
  frames.line[count] = line;
  frames.count = count + 1;
}

/** Returns the function that applies a fold to frames and returns false to drop the stack. */
function makeKeeper(dictionary: Dictionary, fold: StackFold): (frames: Frames) => boolean {
  const { functions, locations } = dictionary;
  const nameAt = (line: number): number =>
    line === -1 ? 0 : functions.displayName(locations.lineFunction[line] as FunctionIndex);
  switch (fold.kind) {
    case 'root': {
      const tester = new TextTester(dictionary, (text) => text === fold.functionName);
      return (frames) => keepFrom(frames, (line) => line !== -1 && tester.passes(nameAt(line)));
    }
    case 'call-site': {
      const testers = fold.functionNames.map(
        (name) => new TextTester(dictionary, (text) => text === name),
      );
      return ({ line, count }) =>
        count >= testers.length &&
        testers.every((tester, i) => line[i] !== -1 && tester.passes(nameAt(line[i])));
    }
    case 'run': {
      const tester = new FrameCriteriaTester(dictionary, fold.criteria);
      return (frames) =>
        keepFirstOfRuns(frames, (location, line) => tester.isFound(location, line));
    }
    case 'recursion': {
      const namePlaces = new NamePlaces();
      return (frames) => keepWithoutLoops(frames, nameAt, namePlaces);
    }
    default:
      return assertUnreachable(fold);
  }
}

/** Keeps the frames from the first frame that `begins` accepts; returns false if there is none. */
function keepFrom(frames: Frames, begins: (line: number) => boolean): boolean {
  const { location, line, count } = frames;
  let kept = 0;
  for (let i = 0; i < count; i += 1) {
    if (kept === 0 && !begins(line[i])) continue;
    location[kept] = location[i];
    line[kept] = line[i];
    kept += 1;
  }
  frames.count = kept;
  return kept > 0;
}

/** Keeps only the first frame of each run of consecutive frames that satisfy a condition. */
function keepFirstOfRuns(
  frames: Frames,
  isFound: (location: number, line: number) => boolean,
): boolean {
  const { location, line, count } = frames;
  let kept = 0;
  let isInRun = false;
  for (let i = 0; i < count; i += 1) {
    const isRun = isFound(location[i], line[i]);
    if (!isRun || !isInRun) {
      location[kept] = location[i];
      line[kept] = line[i];
      kept += 1;
    }
    isInRun = isRun;
  }
  frames.count = kept;
  return true;
}

/** Positions of names in one stack. */
class NamePlaces {
  /** Index of the kept frame with each name, plus 1; 0 = none. */
  #places = new Int32Array(1024);

  get(name: number): number {
    return name < this.#places.length ? this.#places[name] - 1 : -1;
  }

  /** Sets the position of a name; a `place` of -1 removes it. */
  set(name: number, place: number): void {
    this.#places = grown(this.#places, name + 1);
    this.#places[name] = place + 1;
  }
}

/** Keeps each function once: a recursive call returns to the function's first frame. */
function keepWithoutLoops(
  frames: Frames,
  nameAt: (line: number) => number,
  places: NamePlaces,
): boolean {
  const { location, line, count } = frames;
  let kept = 0;
  const forgetFrom = (place: number): void => {
    for (let i = place; i < kept; i += 1) places.set(nameAt(line[i]), -1);
  };
  for (let i = 0; i < count; i += 1) {
    const name = nameAt(line[i]);
    const place = name === 0 ? -1 : places.get(name);
    if (place !== -1) {
      forgetFrom(place + 1);
      kept = place + 1;
      continue;
    }
    location[kept] = location[i];
    line[kept] = line[i];
    if (name !== 0) places.set(name, kept);
    kept += 1;
  }
  forgetFrom(0);
  frames.count = kept;
  return true;
}
