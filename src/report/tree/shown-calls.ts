// The trie of all calls between a dictionary's shown frames. It is kept, and extended as the
// dictionary grows.
import { CallTrie } from '../../model/call-trie.ts';
import { grown } from '../../model/column.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { noFrame, severalFrames, type ShownFrames, soleFrame } from './shown-frames.ts';

/** All calls of a dictionary, including calls that a query does not select. */
export interface DerivedCalls {
  readonly rows: CallTrie;
  /**
   * For each location trie node, the row of its innermost shown frame, or of the nearest caller
   * with a shown frame.
   */
  readonly rowOfNode: Int32Array;
  /** 1 for each location trie node with a shown frame; undefined if all nodes have one. */
  readonly isShown: Uint8Array | undefined;
}

/** Returns the calls of all frames by function name, which the dictionary itself derives. */
export function ownCalls(dictionary: Dictionary): DerivedCalls {
  dictionary.deriveCallNodes();
  const { callNodes, callNodeOfNode } = dictionary;
  return { rows: callNodes, rowOfNode: callNodeOfNode, isShown: undefined };
}

/** Calls of filtered or grouped frames. */
export class ShownCalls implements DerivedCalls {
  readonly rows = new CallTrie();
  rowOfNode = new Int32Array(1);
  isShown = new Uint8Array(1);
  readonly #dictionary: Dictionary;
  readonly #frames: ShownFrames;
  #derivedNodes = 1;

  constructor(dictionary: Dictionary, frames: ShownFrames) {
    this.#dictionary = dictionary;
    this.#frames = frames;
  }

  /** Extends the trie to all current nodes, at 80 ns each. */
  derive(): void {
    const { rows } = this;
    const dictionary = this.#dictionary;
    const frames = this.#frames;
    const { nodeCount, nodeParent, nodeLocation } = dictionary.stacks;
    frames.prepare(nodeCount - this.#derivedNodes);
    this.rowOfNode = grown(this.rowOfNode, nodeCount);
    this.isShown = grown(this.isShown, nodeCount);
    const { rowOfNode, isShown } = this;
    for (let node = this.#derivedNodes; node < nodeCount; node += 1) {
      const location = nodeLocation[node];
      const shown = frames.of(location);
      const caller = rowOfNode[nodeParent[node]];
      isShown[node] = shown === noFrame ? 0 : 1;
      rowOfNode[node] =
        shown === noFrame ? caller : addShown(rows, dictionary, frames, location, shown, caller);
    }
    this.#derivedNodes = nodeCount;
  }
}

/**
 * Finds or adds the row of a location's innermost shown frame below `caller`. `shown` is the result
 * of `ShownFrames.of`.
 */
export function addShown(
  rows: CallTrie,
  { locations: { lineStart } }: Dictionary,
  { keys, lines }: ShownFrames,
  location: number,
  shown: number,
  caller: number,
): number {
  if (shown !== severalFrames) return rows.child(caller, shown - soleFrame);
  const first = lineStart[location];
  let row = caller;
  // Lines are stored innermost first, but calls are added outermost first.
  for (let line = lineStart[location + 1] - 1; line >= first; line -= 1) {
    if (lines !== undefined && lines[line] === 0) continue;
    row = rows.child(row, keys.frameKey(location, line));
  }
  return row;
}
