// Which nodes of the trie of locations lie on the paths of stacks.
import type { StackTable } from '../../model/stack-table.ts';

/** By trie node, 1 = on the path of one of the stacks in `lists`; -1 in these is no stack. */
export function touchedNodes(
  { leaf, nodeCount, nodeParent }: StackTable,
  lists: readonly (Int32Array | Uint32Array)[],
): Uint8Array {
  const touched = new Uint8Array(nodeCount);
  for (const list of lists) {
    for (let i = 0; i < list.length; i += 1) if (list[i] > 0) touched[leaf[list[i]]] = 1;
  }
  for (let node = nodeCount - 1; node > 0; node -= 1) touched[nodeParent[node]] |= touched[node];
  touched[0] = 0;
  return touched;
}
