// Tests of the trie of calls: every call that was added is found again, however many there are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallTrie } from './call-trie.ts';

const keys = Array.from({ length: 1_000 }, (_, i) => 2 * (i + 1));

for (const reserved of [0, 70, 2_000]) {
  test(`each child of a call is found again, with few and with many children; room for ${reserved}`, () => {
    const calls = new CallTrie();
    calls.reserve(reserved);
    const children = keys.map((key) => calls.child(0, key));
    assert.deepEqual(
      keys.map((key) => calls.child(0, key)),
      children,
    );
    const [first, second] = children;
    const grandchild = calls.child(first, keys[500]);
    assert.equal(new Set([...children, grandchild, calls.child(second, keys[500])]).size, 1_002);
    assert.deepEqual([calls.parent[grandchild], calls.depth[grandchild]], [first, 2]);
    assert.equal(calls.length, 1 + 1_002);
  });
}

test('a row that is only added is not found, its children are', () => {
  const calls = new CallTrie();
  const label = calls.add(0, 0);
  const call = calls.child(label, 4);
  assert.notEqual(calls.child(0, 0), label);
  assert.equal(calls.child(label, 4), call);
  assert.deepEqual([...calls.parent.subarray(0, 4)], [0, 0, label, 0]);
  assert.deepEqual([...calls.depth.subarray(0, 4)], [0, 1, 2, 1]);
});

test('calls are outermost until a caller has their key, also when the calls come later', () => {
  const calls = new CallTrie();
  const main = calls.child(0, 2);
  const recursive = calls.child(calls.child(main, 4), 4);
  assert.deepEqual([...calls.outermostRows().subarray(1, 4)], [1, 1, 0]);
  calls.child(recursive, 6);
  calls.child(recursive, 2);
  assert.deepEqual([...calls.outermostRows().subarray(1, 6)], [1, 1, 0, 1, 0]);
});
