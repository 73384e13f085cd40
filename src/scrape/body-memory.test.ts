// Tests of the memory that the bodies of all scrapes share.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyMemory } from './body-memory.ts';
import { ScrapeError } from './scrape-error.ts';

test('bodies together stay below the limit, and give their room back', () => {
  const memory = new BodyMemory(100);
  const [first, second] = [memory.lease(), memory.lease()];
  first.take(60);
  second.take(40);
  assert.throws(
    () => first.take(1),
    new ScrapeError('memory', 'profiles that are not stored yet have 100 bytes together'),
  );
  second.release();
  second.release();
  assert.equal(memory.usedBytes, 60);
  first.take(40);
  first.release();
  assert.equal(memory.usedBytes, 0);
});
