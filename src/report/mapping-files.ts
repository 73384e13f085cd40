// Lists the binaries of a selection, for the pickers of filters and colours.
import type { Dictionary } from '../model/dictionary.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { StringIndex } from '../model/rows.ts';

/** Returns the distinct mapping paths of all frames of `merged`, sorted, without "". */
export function listMappingFiles(dictionary: Dictionary, merged: MergedStacks): string[] {
  const { stacks, locations, mappings, strings } = dictionary;
  const { nodeParent, nodeLocation, leaf } = stacks;
  const isNodeSeen = new Uint8Array(stacks.nodeCount);
  const isMappingUsed = new Uint8Array(mappings.length);
  for (let i = 0; i < merged.stacks.length; i += 1) {
    let node = leaf[merged.stacks[i]];
    while (node !== 0 && isNodeSeen[node] === 0) {
      isNodeSeen[node] = 1;
      isMappingUsed[locations.mapping[nodeLocation[node]]] = 1;
      node = nodeParent[node];
    }
  }
  const files = new Set<string>();
  for (let row = 1; row < mappings.length; row += 1) {
    if (isMappingUsed[row] === 1) files.add(strings.text(mappings.fileName[row] as StringIndex));
  }
  files.delete('');
  return [...files].sort();
}
