// Tests of guesses at what was meant.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { probablyMeant, sortByLikeness } from './likeness.ts';

test('the most alike comes first, a guess is made only when it is close', () => {
  assert.deepEqual(sortByLikeness('apy', ['web', 'api', 'API-2']), ['api', 'API-2', 'web']);
  assert.equal(probablyMeant('apy', ['web', 'api']), 'api');
  assert.equal(probablyMeant('Job', ['job']), 'job');
  assert.equal(probablyMeant('apy', ['database']), undefined);
  assert.equal(probablyMeant('apy', []), undefined);
});
