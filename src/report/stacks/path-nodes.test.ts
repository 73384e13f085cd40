// Tests that the collected nodes are the nodes that walking up from each end finds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seededRandom } from '../../base/random.ts';
import { PathNodes } from './path-nodes.ts';

test('the nodes on paths come largest first, each once, and nothing is left for the next time', () => {
  const random = seededRandom(3);
  const length = 5_000;
  const parent = Int32Array.from({ length }, (_, node) =>
    node === 0 ? 0 : randomBelow(random, node),
  );
  const paths = new PathNodes();
  for (const endCount of [0, 1, 40, 4_000, 3]) {
    const ends = Int32Array.from({ length: endCount }, () => randomBelow(random, length));
    const want = new Set<number>();
    for (const end of ends) for (let node = end; node !== 0; node = parent[node]) want.add(node);
    paths.collect(parent, length, ends);
    assert.deepEqual(
      [...paths.nodes.subarray(0, paths.count)],
      [...want].sort((a, b) => b - a),
    );
  }
});

test('an end at the root has no nodes', () => {
  const paths = new PathNodes();
  paths.collect(Int32Array.of(0, 0, 1), 3, Int32Array.of(0));
  assert.equal(paths.count, 0);
  paths.collect(Int32Array.of(0, 0, 1), 3, Int32Array.of(0, 2));
  assert.deepEqual([...paths.nodes.subarray(0, paths.count)], [2, 1]);
});
