// Benchmark of building the tree of a flame graph (the store's trie with values), relative to a
// plain backward pass over the same number of nodes.
import { reportMemoryBytesMax } from '../../src/api/limits.ts';
import { ReusedMemory } from '../../src/model/column-memory.ts';
import { buildCallTree } from '../../src/report/tree/build-call-tree.ts';
import { TreeScratch } from '../../src/report/tree/call-tree-builder.ts';
import { ShownFrames } from '../../src/report/tree/shown-frames.ts';
import { createFleetDictionary } from '../fleet/selection.ts';
import { measureInTurns, reportRatio } from '../measure.ts';

const dictionary = createFleetDictionary();
const { callNodes, stacks } = dictionary;
const merged = {
  stacks: Uint32Array.from({ length: stacks.length - 1 }, (_, i) => i + 1),
  values: BigInt64Array.from({ length: stacks.length - 1 }, (_, i) => BigInt(i % 1000)),
};
const groups = [{ labelValues: [], merged }];
const scratch = new TreeScratch();
const memory = new ReusedMemory(reportMemoryBytesMax);
const frames = new ShownFrames(dictionary, new Set(), []);
const { length, parent } = callNodes;

/** Adds up values from the leaves to the root. Building a tree cannot take less work than this. */
function backwardPass(): void {
  const flat = new BigInt64Array(length);
  const cumulative = new BigInt64Array(length);
  for (let i = 0; i < merged.stacks.length; i += 1) {
    cumulative[dictionary.callNodeOfNode[stacks.leaf[merged.stacks[i]]]] += merged.values[i];
  }
  flat.set(cumulative);
  for (let row = length - 1; row > 0; row -= 1) cumulative[parent[row]] += cumulative[row];
}

function buildTree(): void {
  memory.reuse();
  buildCallTree(dictionary, groups, frames, scratch, memory);
}

const [plain, tree] = measureInTurns(
  [
    { name: 'backward pass', run: backwardPass },
    { name: 'tree', run: buildTree },
  ],
  25,
);
for (const { name, millis } of [plain, tree]) {
  const nanos = (millis * 1e6) / length;
  console.log(
    `${name}: ${millis.toFixed(2)} ms, ${nanos.toFixed(1)} ns for each of ${length} nodes`,
  );
}
reportRatio('tree to backward pass', tree.ratio, 2, false);
