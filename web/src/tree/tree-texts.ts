// Reads the strings of a tree, which are decoded on demand.
import { StringReader } from './strings.ts';
import { noString, type Tree } from './tree.ts';
import type { PathTexts } from './zoom-path.ts';

/** Reads names, files and binaries of one tree. */
export class TreeTexts implements PathTexts {
  readonly #names: StringReader;
  readonly #strings: StringReader;
  #byName: Map<string, number> | undefined;

  constructor(tree: Tree) {
    this.#names = new StringReader(tree.names);
    this.#strings = new StringReader(tree.strings);
  }

  readonly name = (index: number): string => this.#names.get(index);

  /** Returns the path of a binary. */
  binary(index: number): string {
    return this.#strings.get(index);
  }

  /** Returns a string; "" if unknown. */
  string(index: number): string {
    return index === noString ? '' : this.#strings.get(index);
  }

  /** Returns the index of a name; undefined if no frame has this name. */
  indexOf(name: string): number | undefined {
    if (this.#byName === undefined) {
      this.#byName = new Map();
      for (let i = 1; i < this.#names.length; i++) this.#byName.set(this.#names.get(i), i);
    }
    return this.#byName.get(name);
  }
}

/** Returns the widest frame of a function; undefined if there is none. */
export function widestFrame(tree: Tree, name: number): number | undefined {
  let widest: number | undefined;
  for (let row = 0; row < tree.count; row++) {
    if (tree.name[row] !== name) continue;
    if (widest === undefined || tree.width[row] > tree.width[widest]) widest = row;
  }
  return widest;
}

/** Returns the total of all frames of a function (counting each stack once), and its rank. */
export function functionTotals(
  tree: Tree,
  name: number,
): { readonly share: number; readonly frames: number } {
  const inside = new Uint8Array(tree.count);
  let share = 0;
  let frames = 0;
  for (let row = 1; row < tree.count; row++) {
    const above = inside[tree.parent[row]];
    const same = tree.name[row] === name;
    inside[row] = above | Number(same);
    if (!same) continue;
    frames++;
    if (above === 0) share += tree.share[row];
  }
  return { share, frames };
}
