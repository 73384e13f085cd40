// Stacks as strings: names of functions from the root to the leaf, separated by semicolons.
import { spacedOut } from '../base/printable.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { LocationIndex, StringIndex } from '../model/rows.ts';
import { addressName, unknownName } from './frame-names.ts';

/** Name of the frame of an empty stack, if a name is required. */
const emptyStackName = '[no stack]';

/** Strings of the call nodes of one dictionary. */
export class StackTexts {
  readonly #dictionary: Dictionary;
  readonly #names = new Map<number, string>();

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
  }

  /** Returns `root;caller;leaf`; inlined calls are separate frames. */
  format(leaf: number): string {
    const { key, parent } = this.#dictionary.callNodes;
    const path: string[] = [];
    for (let node = leaf; node !== 0; node = parent[node]) path.push(this.#frameName(key[node]));
    return path.length === 0 ? emptyStackName : path.reverse().join(';');
  }

  #frameName(key: number): string {
    let name = this.#names.get(key);
    if (name === undefined) {
      name = separable(nameOfKey(this.#dictionary, key));
      this.#names.set(key, name);
    }
    return name;
  }
}

/** Returns the name of a key; see Dictionary.callNodes for the two kinds of keys. */
function nameOfKey(dictionary: Dictionary, key: number): string {
  if (key % 2 === 1) return addressName(dictionary, ((key - 1) / 2) as LocationIndex);
  return dictionary.strings.text((key / 2) as StringIndex) || unknownName;
}

/** Replaces `;` and line ends in a name, because they separate frames and stacks. */
function separable(name: string): string {
  return spacedOut(name.replaceAll(';', ':'));
}
