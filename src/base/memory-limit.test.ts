// Tests of shares of the memory limit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryShare, setMemoryLimit } from './memory-limit.ts';

const mebi = 1024 * 1024;

test('memory limit: a user has its own limit, or its share where that is less', () => {
  assert.equal(memoryShare('requests', 256 * mebi), 256 * mebi);
  assert.equal(memoryShare('requests', 256 * mebi, 512 * mebi), 128 * mebi);
  setMemoryLimit(400 * mebi);
  assert.equal(memoryShare('requests', 256 * mebi), 100 * mebi);
  assert.equal(memoryShare('blocks', mebi), mebi);
  setMemoryLimit(Infinity);
});
