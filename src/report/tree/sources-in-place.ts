// Sources of a tree whose calls lie as in the dictionary: its own columns say what rows are of.
import type { Dictionary } from '../../model/dictionary.ts';
import type { TreeSources } from './call-tree.ts';
import type { CallsInPlace } from './shown-calls.ts';

/** The trie nodes that `touched` marks; the row of a call of `calls` is `rowShift` behind it. */
export function sourcesInPlace(
  { stacks }: Dictionary,
  calls: CallsInPlace,
  touched: Uint8Array,
  rowShift: number,
  shownLines: Uint8Array | undefined,
): TreeSources {
  return {
    length: touched.length,
    get row() {
      return calls.rowOfNode;
    },
    rowShift,
    get location() {
      return stacks.nodeLocation;
    },
    touched,
    shownLines,
  };
}
