// Sources of a tree whose calls lie as in the dictionary: its own columns say what rows are of.
import type { Dictionary } from '../model/dictionary.ts';
import type { TreeSources } from './call-tree.ts';

/** The trie nodes that `touched` marks; the row of a call is `rowShift` behind it. */
export function sourcesInPlace(
  dictionary: Dictionary,
  touched: Uint8Array,
  rowShift: number,
): TreeSources {
  const { stacks } = dictionary;
  return {
    length: touched.length,
    get row() {
      return dictionary.callNodeOfNode;
    },
    rowShift,
    get location() {
      return stacks.nodeLocation;
    },
    touched,
    shownLines: undefined,
  };
}
